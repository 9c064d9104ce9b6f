// A check as code hosts show it: a note beside a line for each problem, the worst first.

import { type Finding, outdatedKind, severityOf, ungroundedKind } from '../finding.ts'

export type Note = {
  readonly path: string
  readonly line: number
  readonly kind: string
  readonly level: 'error' | 'warning' | 'note'
  readonly text: string
  /** With kind and path, the identity of the problem: not the line, so that an edit above it does not make it new. */
  readonly target: string
}

export type NotedCheck = {
  readonly findings: readonly Finding[]
  /** Names and values that a change adds, and that are found nowhere. */
  readonly ungrounded: readonly { readonly path: string; readonly line: number; readonly term: string }[]
  readonly outdated?: readonly { readonly path: string; readonly source: string }[]
}

const levels = ['error', 'warning', 'note'] as const

/** Terms that are not found in the sources, and translations that are behind, are notes: they fail nothing. */
export function toNotes({ findings, ungrounded, outdated = [] }: NotedCheck): readonly Note[] {
  const notes = [
    ...findings.map(ofFinding),
    ...ungrounded.map(({ path, line, term }): Note => {
      const text = `Not found in the sources: ${term}.`
      return { path, line, kind: ungroundedKind, level: 'note', text, target: term }
    }),
    ...outdated.map(({ path, source }): Note => {
      const text = `This translation is behind ${source}.`
      return { path, line: 1, kind: outdatedKind, level: 'note', text, target: source }
    }),
  ]
  return notes.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
}

function ofFinding(finding: Finding): Note {
  const { path, line, kind, message, target, suggestion } = finding
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
  const text = suggestion === undefined ? sentence : `${sentence} Did you mean ${suggestion}?`
  return { path, line, kind, level: severityOf(finding) === 'breaking' ? 'error' : 'warning', text, target }
}
