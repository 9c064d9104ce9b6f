// A finding of `docent doctor`: the result of one check, with advice, and how to print it.

import type { Failure } from '../../lib/failure.ts'
import { terminalText } from '../../lib/plain-text.ts'
import { type Output, paint } from '../output.ts'

export type Finding = {
  readonly about: string
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped'
  /** One line. */
  readonly says: string
  /** Advice for the operator. */
  readonly todo?: string
}

export const ok = (about: string, says: string): Finding => ({ about, state: 'ok', says })
export const skipped = (about: string, says: string): Finding => ({ about, state: 'skipped', says })
export const warning = (about: string, says: string, todo: string): Finding => ({ about, state: 'warning', says, todo })
export const failed = (about: string, says: string, todo: string): Finding => ({ about, state: 'failed', says, todo })

/** Turns a failure into a finding, with the advice for its code. */
export function fromFailure(about: string, failure: Failure): Finding {
  return failed(about, failure.message, failure.meaning.todo)
}

const marks = {
  ok: ['green', '✓'],
  warning: ['yellow', '!'],
  failed: ['red', '✗'],
  skipped: ['gray', '-'],
} as const

export function printFinding(output: Output, { about, state, says, todo }: Finding): void {
  const [style, mark] = marks[state]
  output.print(`${paint(output, style, mark)} ${about}: ${terminalText(says)}`)
  if (todo !== undefined) output.print(`    ${terminalText(todo)}`)
}
