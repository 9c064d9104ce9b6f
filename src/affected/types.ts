// The data that goes into the engine and comes out of it. It knows no repository, no site and no service.

/** A file of a change. `patch`: its unified diff, with any number of lines of context; empty if it is binary or too large. */
export type ChangedFile = {
  readonly path: string
  readonly previousPath: string | null
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed'
  readonly patch: string
}

/** `messages`: of its commits, each with the subject in the first line. */
export type Change = { readonly files: readonly ChangedFile[]; readonly messages: readonly string[] }

/** Where on a page a term is. */
export type TermPlace = 'inline' | 'block' | 'prose' | 'operation' | 'heading' | 'link' | 'object'

export type PageTerm = { readonly text: string; readonly kind: TermPlace; readonly count: number }

export type Page = { readonly path: string; readonly terms: readonly PageTerm[] }

/** A commit before the change: the paths of its files, pages included, and the title of its message (`readMessage`). */
export type PastCommit = { readonly paths: readonly string[]; readonly subject: string }

/**
 * `beside`: the pages are in the repository of the change, and paths and history say something about them. `apart`: they are in
 * another one.
 */
export type Mode = 'beside' | 'apart'

export type AffectedInput = {
  readonly change: Change
  readonly pages: readonly Page[]
  /** The commits of the repository of the pages, the newest commit first. With `apart`, only how often a page changes is read of it. */
  readonly history: readonly PastCommit[]
  readonly mode: Mode
}

/** `terms`: as the change writes them, those that count most first. */
export type RankedPage = { readonly path: string; readonly score: number; readonly terms: readonly string[] }

export type Affected = {
  /** All pages with a score above zero, the highest first. */
  readonly pages: readonly RankedPage[]
  /** Whether the change concerns the docs at all. `score`: from 0 to 1. */
  readonly concernsDocs: boolean
  readonly score: number
}
