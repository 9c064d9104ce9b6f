// A pull request or an issue with what people say below it, as its page shows it. One interface for all hosts. Texts are data of
// others.

export type DiscussionKey = { readonly kind: 'pull' | 'issue'; readonly number: number }

export type Remark = {
  /** The name of the account; null: the forge does not say, or the account is gone. */
  readonly author: string | null
  /** ISO 8601. */
  readonly at: string
  readonly text: string
  /** The file that it is about. */
  readonly path: string | null
  readonly line: number | null
}

export type Discussion = DiscussionKey & {
  readonly title: string
  /** In the words of the host, in lower case: `open`, `merged`, `declined`. */
  readonly state: string
  readonly author: string | null
  readonly body: string
  /** The oldest first. */
  readonly remarks: readonly Remark[]
  /** False: there are more remarks. */
  readonly isWhole: boolean
}

/** Only those of the repository itself. Methods throw as those of `ForgeHost` do. */
export interface Discussions {
  /** Finds what the address of a page names. Undefined: neither a pull request nor an issue of the repository. */
  keyOf(address: URL): DiscussionKey | undefined
  /** Undefined: it is not there, or the credential may not read it. */
  read(key: DiscussionKey, signal: AbortSignal): Promise<Discussion | undefined>
}
