// An edit that the policy of the project refused: an error for the agent, and a fact for the people who review the change.

import { Failure } from '../lib/failure.ts'
import { shorten } from '../lib/plain-text.ts'

export type RefusedEdit = {
  readonly path: string
  /** Counted from 1, in the text that was refused; null for the file as a whole. */
  readonly line: number | null
  /** Continues the path. Never contains a secret. */
  readonly message: string
  /** How a person could allow it. */
  readonly remedy?: string
  /** Whether it was a secret or a script. */
  readonly isGrave?: boolean
}

/** Formats it for people as `docs/a.md line 3 adds a script; no setting of the project allows it`. */
export function sayRefusedEdit({ path, line, message, remedy }: RefusedEdit): string {
  const at = line === null ? '' : ` line ${line}`
  return `${shorten(path, 300)}${at} ${message}; ${remedy ?? 'no setting of the project allows it'}`
}

/** The message of the failure is for the model. */
export class EditRefused extends Failure {
  readonly edit: RefusedEdit

  constructor(edit: RefusedEdit, message: string) {
    super('policy_refused', message)
    this.edit = edit
  }
}
