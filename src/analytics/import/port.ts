// The operations of the service that an import needs.

export type ImportedLog = { readonly name: string; readonly fingerprint: string; readonly format: string }

/** Each may throw a Failure. Where its meaning says `retry`, the same is asked again after its `retryAfter` seconds. */
export interface ImportPort {
  /** The unfinished import of the log with this fingerprint, or a new one. `position`: what is before it is stored. */
  begin(log: ImportedLog): Promise<{ readonly id: string; readonly position: number }>
  /** `views`: one JSON object a line, 1,000 at most. Resolves when they are stored. */
  send(importId: string, position: number, views: string): Promise<SendAnswer>
  finish(importId: string): Promise<void>
}

export type SendAnswer = {
  readonly accepted: number
  readonly rejected: readonly { readonly index: number; readonly reason: string }[]
}
