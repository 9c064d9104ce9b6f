// The past of a repository, as tools ask for it: its commits and what they changed. The git engine knows it; what people wrote
// into it is data.

import type { Files } from './workspace.ts'

export type LogQuery = {
  /** Only commits that changed this file or a file in this folder. */
  readonly path?: string | undefined
  /** Only later ones: `last-tag`, a date, a tag or a commit. */
  readonly from?: string | undefined
  /** Up to this one: the same; missing: the commit that the run reads. */
  readonly to?: string | undefined
  /** A text in the message; the case does not count. */
  readonly pattern?: string | undefined
  readonly limit: number
  readonly offset: number
}

export type LoggedCommit = {
  readonly commit: string
  readonly date: Date
  readonly author: string
  readonly subject: string
  readonly body: string
  readonly tags: readonly string[]
  /** Numbers of pull requests, as merges and squashes name them. */
  readonly pulls: readonly number[]
  /** The first of them; `fileCount`: how many there are. */
  readonly files: readonly { readonly path: string }[]
  readonly fileCount: number
  /** Undefined where a content is not here. */
  readonly counts: { readonly additions: number; readonly deletions: number } | undefined
}

/** The newest first. */
export type Log = { readonly commits: readonly LoggedCommit[]; readonly hasMore: boolean }

export type Range = { readonly commit: string } | { readonly from: string; readonly to: string | undefined }

export type ShownFile = {
  readonly path: string
  readonly previousPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  /** Why there is no whole diff, in words; null if there is one. */
  readonly left: string | null
  /** Unified; empty without a diff. */
  readonly patch: string
}

/** `from` undefined: the commit `to` alone. `isCut`: more files changed than these. */
export type Change = {
  readonly from: string | undefined
  readonly to: string
  readonly files: readonly ShownFile[]
  readonly isCut: boolean
}

export type AffectedQuery = {
  readonly from: string
  readonly to: string | undefined
  /** Undefined: the repository of the documentation. */
  readonly source: string | undefined
  readonly limit: number
}

/** The likeliest page first. `terms`: those that the change and the page share. */
export type AffectedAnswer = {
  readonly concernsDocs: boolean
  readonly pages: readonly { readonly path: string; readonly score: number; readonly terms: readonly string[] }[]
}

/** Which pages a change concerns. Throws `invalid_input` as a history does, and `path_refused` without the source. */
export type FindAffected = (query: AffectedQuery, signal: AbortSignal) => Promise<AffectedAnswer>

/** Every method throws `invalid_input` for a name that is no date, tag or commit of the history. */
export interface History {
  readonly hasTags: boolean
  log(query: LogQuery, signal: AbortSignal): Promise<Log>
  /** `path`: only this file, or the files in this folder. */
  change(range: Range, path: string | undefined, signal: AbortSignal): Promise<Change>
  /** The files at a commit of the history. */
  at(name: string, signal: AbortSignal): Promise<{ readonly commit: string; readonly files: Files }>
}
