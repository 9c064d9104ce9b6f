// The tree as the agent sees it. The overlay of the git engine implements this interface; tests use an implementation in
// memory. Paths are relative, use `/`, and name files only. No method follows a link or leaves the tree.

export type WorkspaceEntry = {
  /** As the repository has it; a name that is not UTF-8 is shown escaped and has the kind `unnameable`. */
  readonly path: string
  /** Only a `file` can be read, edited, moved or deleted. Git LFS pointers are found when a file is read. */
  readonly kind: 'file' | 'symlink' | 'submodule' | 'unnameable'
  /** Bytes; 0 for a submodule. */
  readonly size: number
}

export type SearchQuery = {
  readonly pattern: string
  /** `literal`: the exact text. `regex`: POSIX extended, with `\d \w \s \b` and `(?:…)`, a line at a time. */
  readonly syntax: 'literal' | 'regex'
  readonly ignoreCase: boolean
  /** Only files whose path fits one of these globs (`**` crosses folders); empty: all files. */
  readonly globs: readonly string[]
  /** No file whose path fits one of these. */
  readonly exclude?: readonly string[]
  /** Returns the text files without a matching line instead, each as a match of line 0. */
  readonly without?: boolean
  /** Returns at most this many matching lines, in order of path and line. */
  readonly limit: number
}

export type SearchMatch = { readonly path: string; readonly line: number; readonly text: string }
export type SearchResult = {
  readonly matches: readonly SearchMatch[]
  readonly truncated: boolean
  /** Files that the query names and whose content is not here. */
  readonly notSearched?: number
}

/** A file that differs from the base, with the diff of git; `patch` is empty for a binary or huge file. */
export type BranchFile = {
  readonly path: string
  readonly previousPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly binary: boolean
  readonly additions: number
  readonly deletions: number
  readonly patch: string
}

/** The branch of the job, with the edits so far, against the base that its pull request has. */
export interface Branch {
  /** The commit of the base. */
  base(): Promise<string>
  /** In order of path. */
  files(): Promise<readonly BranchFile[]>
  /** The bytes of a file at the base. Throws like `Workspace.read`. */
  read(path: string): Promise<Uint8Array | undefined>
}

/** The part of a repository that tools which only read need. */
export type Files = Pick<Workspace, 'list' | 'read' | 'search'>

/** Every method may throw `path_refused` or `policy_refused`, which become results for the model. */
export interface Workspace {
  /** All entries in byte order of their paths. */
  list(): Promise<readonly WorkspaceEntry[]>
  /** The bytes of a file; undefined when there is no file at the path. Throws for links, submodules and huge files. */
  read(path: string): Promise<Uint8Array | undefined>
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>
  /** Creates or replaces a file. An existing file keeps its mode. Throws for links, submodules, LFS pointers, bad paths. */
  write(path: string, content: Uint8Array): Promise<void>
  /** Throws when there is no file at `from`, or anything at `to`. Keeps the mode. */
  move(from: string, to: string): Promise<void>
  /** Throws when there is no file at the path. */
  remove(path: string): Promise<void>
  /** Explains why an edit of this file would be refused, to follow its path; undefined when it would not. */
  readonly editProblem?: (path: string) => string | undefined
  /** Undefined where the base is not known. */
  readonly branch?: Branch
}
