// Whether a branch still has the head that is known, as the API of a host says it. The answer is never more than yes or no: git reads the
// head of a branch that has moved.

/** `isDefault`: it has to be the default branch, too. */
export type KnownHead = { readonly branch: string; readonly commit: string; readonly isDefault: boolean }

/** By the names of the questions: the ETags of the responses that confirmed a head. */
export type HeadTags = Readonly<Record<string, string>>

/** `tags`: for the next question about the same head. Empty if it is not confirmed. */
export type HeadAnswer = { readonly isStill: boolean; readonly tags: HeadTags }

export interface HostHeads {
  /** How many of these requests an hour an account may send, those without a change not counted; null: no limit of ours. */
  readonly quota: number | null
  /** `tags`: of the answer that last confirmed this head. Throws as the methods of `ForgeHost`. */
  confirm(known: KnownHead, tags: HeadTags, signal: AbortSignal): Promise<HeadAnswer>
}
