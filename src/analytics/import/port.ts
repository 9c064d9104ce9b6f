// The operations of the service that an import needs.

import type { AutomatedDay } from './address/part-use.ts'
import type { LineFacts } from './ids/line-facts.ts'

export type ImportedLog = {
  readonly name: string
  readonly fingerprint: string
  readonly format: string
  /** For lines without one, as a person named it. */
  readonly host: string | null
}

/**
 * Each operation may throw a Failure. If its code is retryable, the caller repeats the operation after `retryAfter`
 * seconds.
 */
export interface ImportPort {
  /**
   * Returns the unfinished import of the log with this fingerprint, or a new one. Everything before `position` is
   * stored.
   */
  begin(log: ImportedLog): Promise<{ readonly id: string; readonly position: number; readonly lines: LineFacts }>
  /** `columns` is a body of the type `columnsType`. Resolves when its page views are stored. */
  send(importId: string, position: number, columns: string): Promise<SendResponse>
  /** `automated`: what was found in this log and in those imported together with it. */
  finish(importId: string, automated: readonly AutomatedDay[]): Promise<void>
}

export type SendResponse = {
  readonly accepted: number
  readonly rejected: readonly { readonly index: number; readonly reason: string }[]
}
