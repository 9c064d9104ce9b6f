// The types that the files of the git engine share, and all that the rest of the service sees of it besides
// `openGit` and `createOverlay`.

/** A full object id, 40 lower-case hexadecimal digits (64 in a SHA-256 repository). */
export type Oid = string

/** What one edit does to one path. `content` null deletes the file. Paths are UTF-8 and were checked. */
export type Edit = {
  readonly path: string
  readonly content: Uint8Array | null
  readonly mode: '100644' | '100755'
}

/** What the remote had at one fetch: the base branch, and those of the other branches asked for that exist. */
export type RemoteRefs = {
  readonly base: { readonly branch: string; readonly commit: Oid }
  readonly heads: ReadonlyMap<string, Oid>
}

export type CommitInput = {
  readonly parent: Oid
  readonly edits: readonly Edit[]
  readonly message: string
  /** Author and committer date: the same input always makes the same commit. */
  readonly date: Date
}

export type Applied =
  | { readonly kind: 'clean'; readonly commit: Oid }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }

/** `moved`: the branch is not at the expected commit; `head` is where it is (null: no such branch). */
export type Pushed = { readonly kind: 'pushed' } | { readonly kind: 'moved'; readonly head: Oid | null }

export type FileDiff = {
  readonly path: string
  /** The path before a rename, else null. */
  readonly previousPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly binary: boolean
  readonly additions: number
  readonly deletions: number
  /** Unified diff of this file with its header lines; empty when binary or left out for its size. */
  readonly patch: string
}
