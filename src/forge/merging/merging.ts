// Whether a host would merge a pull request, and the merge of one commit. One interface for all hosts. What a host does not
// tell, or not whole, is `unknown`: the service then waits for a person. Nothing here repeats a request.

/** `reason`: a sentence for people. */
export type Unknown = { readonly kind: 'unknown'; readonly reason: string }
export type Known<Value> = { readonly kind: 'known'; readonly value: Value } | Unknown

/** Only the words that a host lists as success are green, and those that nobody knows are red. */
export type CheckState = 'green' | 'red' | 'pending'
export type ForgeCheck = {
  readonly name: string
  readonly state: CheckState
  /** It waits for people, and runs nothing. */
  readonly isReview?: true
  /** It ran and found the commit at fault. Missing: it is not red, or was cancelled, or may fail. */
  readonly failure?: CheckFailure
}

export type CheckFailure = {
  /** A sentence of the service that ran it; may be empty. */
  readonly description: string
  /** An address of the web; null: it has no page. */
  readonly link: string | null
  /** The end of its log as the host has it, up to 64 KiB of whole lines. Undefined: the host does not show it. */
  readonly readLog: (signal: AbortSignal) => Promise<string | undefined>
}

export type MergeState = {
  readonly pull: {
    readonly state: 'open' | 'merged' | 'closed'
    readonly draft: boolean
    readonly base: string
    /** `commit`: empty if the host does not say. */
    readonly head: { readonly branch: string; readonly commit: string }
  }
  /** Why the host would not merge it now, as a sentence; null: it would. */
  readonly refusal: Known<string | null>
  /** All checks and statuses of the head that have appeared, required or not. */
  readonly checks: Known<readonly ForgeCheck[]>
  /** The accounts whose last review wants changes. */
  readonly changesRequested: Known<readonly string[]>
  /** How many threads of reviews are not resolved. */
  readonly openThreads: Known<number>
  /** How the repository merges, in the word of the host. Undefined: as the host decides. */
  readonly method: string | undefined
}

/**
 * `accepted`: the host merges it soon. `refused`: it said no, or certainly never saw the request; `reason` is a sentence.
 * `unknown`: the response was lost, so it may have been merged.
 */
export type MergeAnswer =
  | { readonly kind: 'merged' | 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' }

export type MergeOrder = { readonly number: number; readonly head: string } & Pick<MergeState, 'method'>

export type PullHead = { readonly number: number; readonly head: string }

/** `read` and `checks` throw as the methods of `ForgeHost` do. */
export interface HostMerging {
  /** The checks of the head alone. */
  checks(pull: PullHead, signal: AbortSignal): Promise<Known<readonly ForgeCheck[]>>
  /** Undefined: there is no such pull request. */
  read(number: number, signal: AbortSignal): Promise<MergeState | undefined>
  /** Merges the pull request if its head is this commit. Throws only the reason of the signal. */
  merge(order: MergeOrder, signal: AbortSignal): Promise<MergeAnswer>
}

export function known<Value>(value: Value): Known<Value> {
  return { kind: 'known', value }
}

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason }
}
