// Where the facts of a change may come from, and what is said about those that come from nowhere.

export type PlaceFile = { readonly path: string; readonly kind: string; readonly size: number }

export type PlaceQuery = {
  readonly pattern: string
  /** `regex`: POSIX extended, a line at a time. */
  readonly syntax: 'literal' | 'regex'
  readonly ignoreCase: boolean
  readonly globs: readonly string[]
  readonly exclude?: readonly string[]
  readonly limit: number
}

export type PlaceMatch = { readonly path: string; readonly line: number; readonly text: string }

/** The files of a repository at one commit. A workspace of the agent is one. */
export interface Files {
  list(): Promise<readonly PlaceFile[]>
  /** Undefined: there is no file. Throws for what is no text file. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Throws if it takes too long. */
  search(
    query: PlaceQuery,
    signal: AbortSignal,
  ): Promise<{ readonly matches: readonly PlaceMatch[]; readonly truncated: boolean }>
}

/** `name`: that of a source; empty for the repository of the documentation, before the change. */
export type Place = { readonly name: string; readonly files: Files }

/** A file of the change. Undefined: it does not exist. */
export type ChangedText = {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** `line`: counted from 1, in the file after the change. `term`: as the page has it. */
export type Ungrounded = { readonly path: string; readonly line: number; readonly term: string }

export type Grounding = {
  /** In order of path and line, each term of a page once. */
  readonly ungrounded: readonly Ungrounded[]
  /** How many terms and values were looked up. */
  readonly judged: number
  /**
   * Those that were not: the time was up, a place could not be searched, or a name is in too many files to tell. An empty term is
   * a page that was not read.
   */
  readonly notJudged: readonly Ungrounded[]
}
