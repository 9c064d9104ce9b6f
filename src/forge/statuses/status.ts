// A status of a commit: a word and a sentence that a host shows beside it, such as those of a CI. A host keeps one for each
// context, and the last one counts, so the same status may be set again.

export type CommitStatus = {
  readonly commit: string
  /** Tells it from the statuses of others: `vendor/name`. */
  readonly context: string
  readonly state: 'success' | 'failure' | 'pending'
  /** At most 140 characters, which every host takes. */
  readonly text: string
  /** null: it leads nowhere. */
  readonly url: string | null
}
