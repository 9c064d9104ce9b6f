// The tree as the agent sees it. The git engine happens to meet this interface; tests use a plain in-memory one.
// Paths are relative, use `/`, and name files only. Nothing here follows a link or leaves the tree.

export type WorkspaceEntry = {
  /** As the repository has it; a name that is not UTF-8 is shown escaped and has the kind `unnameable`. */
  readonly path: string
  /** Only a `file` can be read, edited, moved or deleted. `lfs` pointers are found on reading, not here. */
  readonly kind: 'file' | 'symlink' | 'submodule' | 'unnameable'
  /** Bytes; 0 for a submodule. */
  readonly size: number
}

export type SearchQuery = {
  readonly pattern: string
  /** `literal`: the exact text. `regex`: a POSIX extended regular expression, a line at a time. */
  readonly syntax: 'literal' | 'regex'
  readonly ignoreCase: boolean
  /** Only files whose path fits one of these globs (`**` crosses folders); empty: all files. */
  readonly globs: readonly string[]
  /** At most so many matching lines come back, in order of path and line. */
  readonly limit: number
}

export type SearchMatch = { readonly path: string; readonly line: number; readonly text: string }
export type SearchResult = { readonly matches: readonly SearchMatch[]; readonly truncated: boolean }

/** Every method may throw `Failure('path_refused')`, which is an answer to the model. */
export interface Workspace {
  /** All entries in byte order of their paths. */
  list(): Promise<readonly WorkspaceEntry[]>
  /** The bytes of a file; undefined when there is none at the path. Throws for links, submodules and huge files. */
  read(path: string): Promise<Uint8Array | undefined>
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>
  /** Makes or replaces a file. An existing file keeps its mode. Throws for links, submodules, LFS pointers, bad paths. */
  write(path: string, content: Uint8Array): Promise<void>
  /** Throws when there is no file at `from`, or anything at `to`. Keeps the mode. */
  move(from: string, to: string): Promise<void>
  /** Throws when there is no file at the path. */
  remove(path: string): Promise<void>
}
