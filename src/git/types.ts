// The types of the git engine. The rest of the service uses only these, `openGit` and `createOverlay`.

import type { Log } from '../lib/observability/log.ts'

/** A full object id, 40 lower-case hexadecimal digits (64 in a SHA-256 repository). */
export type Oid = string

/** One edit of one path. `content` null deletes the file. Paths are UTF-8 and were checked. */
export type Edit = {
  readonly path: string
  readonly content: Uint8Array | null
  readonly mode: '100644' | '100755'
}

/** The remote at the time of a fetch: the base branch, and the other requested branches that exist. */
export type RemoteRefs = {
  readonly base: { readonly branch: string; readonly commit: Oid }
  readonly heads: ReadonlyMap<string, Oid>
  /**
   * The names of its tags by the object that each names (its commit, usually). Tags are not fetched, so the mirror holds
   * only those in the history of a branch. Names with unusual characters are left out; empty if there are too many.
   */
  readonly tags: ReadonlyMap<Oid, readonly string[]>
}

/** `date`: of the committer, who may write anything. */
export type PastCommit = { readonly commit: Oid; readonly date: Date }

/** `branch` null: the branch that the remote's HEAD points to. Any of `branches` may be missing; the base may not. */
export type WantedRefs = {
  readonly branch: string | null
  readonly branches: readonly string[]
  /** A branch that is to be created: the fetch throws `forge_refused` if another one makes that impossible. */
  readonly planned?: string
}

export type CommitInput = {
  readonly parent: Oid
  readonly edits: readonly Edit[]
  readonly message: string
  /** The date of author and committer: the same input always gives the same commit. */
  readonly date: Date
  /** Also the committer. Missing: that of the engine, and the commit is not signed. */
  readonly author?: Identity | undefined
}

export type MergeInput = {
  readonly into: Oid
  readonly from: Oid
  readonly message: string
  readonly date: Date
  readonly author?: Identity | undefined
}

export type Identity = { readonly name: string; readonly email: string }

export type Applied =
  | { readonly kind: 'clean'; readonly commit: Oid }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }

export type PushInput = { readonly branch: string; readonly commit: Oid; readonly expected: Oid | null }

/** `moved`: the branch is not at the expected commit; `head` is its current commit (null: no such branch). */
export type Pushed = { readonly kind: 'pushed' } | { readonly kind: 'moved'; readonly head: Oid | null }

/** `to` null: the branch is deleted. */
export type Restored = { readonly branch: string; readonly expected: Oid; readonly to: Oid | null }

/** `ref`: `refs/docent/<name>`. */
export type PushedObject = { readonly commit: Oid; readonly ref: string }

/** `date`: of the committer, who may write anything. */
export type CommitFacts = {
  readonly tree: Oid
  readonly parents: readonly Oid[]
  readonly message: string
  readonly date: Date
}

/** The rights on a repository, as far as git can tell. */
export type RepositoryAccess = {
  readonly read: 'yes' | 'no'
  readonly push: 'yes' | 'no' | 'unknown'
  /** The code with which a run that needs the missing right fails; null: reading and pushing are allowed. */
  readonly code: 'repository_unauthorized' | 'repository_archived' | 'forge_right_missing' | null
  /** Did the host refuse the credential itself: is it wrong, expired or revoked? */
  readonly isRefused: boolean
  /** A 401, or a 403 whose words name no right: the host may be overloaded or restarting. */
  readonly isUnexplained?: true
  /** The host did not show the key that was pinned. */
  readonly isOtherHost?: true
  /** A sentence for the person who connected the repository. It quotes the host. */
  readonly detail: string
}

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

export type ChangedFile = Pick<FileDiff, 'path' | 'previousPath' | 'status'>

export type TreeEntry = {
  /** A name that is not UTF-8 is shown escaped; such an entry cannot be addressed. */
  readonly path: string
  readonly kind: 'file' | 'symlink' | 'submodule' | 'unnameable'
  /** Bytes; 0 for a submodule. */
  readonly size: number
  readonly mode: string
  readonly oid: Oid
}

export type SearchQuery = {
  readonly pattern: string
  /** `literal`: the exact text. `regex`: POSIX extended, with `\d \w \s \b` and `(?:…)`, a line at a time. */
  readonly syntax: 'literal' | 'regex'
  readonly ignoreCase: boolean
  /** Only files whose path matches one of these globs (`**` crosses folders); empty: all files. */
  readonly globs: readonly string[]
  /** No file whose path fits one of these. */
  readonly exclude?: readonly string[]
  /** Returns the text files without a matching line instead, each as a match of line 0. */
  readonly without?: boolean
  /** The most matching lines to return, in order of path and line. */
  readonly limit: number
}

export type SearchMatch = { readonly path: string; readonly line: number; readonly text: string }
export type SearchResult = { readonly matches: readonly SearchMatch[]; readonly truncated: boolean }

/** One commit's files. Immutable; the listing is in memory, contents are read from git. */
export interface Tree {
  readonly commit: Oid
  /** All files in byte order of their paths; folders are not listed. */
  entries(): readonly TreeEntry[]
  /** The file, symlink or submodule at this path. */
  entry(path: string): TreeEntry | undefined
  /** Returns undefined when the path is free. Throws `path_refused` for links, submodules and files over the limit. */
  read(path: string): Promise<Uint8Array | undefined>
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>
}

/**
 * Whether a file of a source may be seen, by its path at the commit in question: paths that the project names, without
 * secret-looking ones. Must not throw.
 */
export type IsVisible = (path: string) => boolean

/** `isFetched` false: the content is not in the mirror, and `size` is 0. */
export type SourceEntry = TreeEntry & { readonly isFetched: boolean }

/** `notSearched`: files that the query names and whose content is not in the mirror, or over the limit. */
export type SourceSearchResult = SearchResult & { readonly notSearched: number }

/** The visible files of one commit of a source. No other file is listed, read or searched. */
export interface SourceTree {
  readonly commit: Oid
  /** All visible files in byte order of their paths; folders are not listed. */
  entries(): readonly SourceEntry[]
  entry(path: string): SourceEntry | undefined
  /**
   * Returns undefined when there is no such visible path. Throws `path_refused` for links, submodules, files over the limit
   * and files whose content is not in the mirror. Never connects to the host.
   */
  read(path: string): Promise<Uint8Array | undefined>
  search(query: SearchQuery, signal: AbortSignal): Promise<SourceSearchResult>
}

/** `branch` null: the branch that the remote's HEAD points to. */
export type WantedSource = { readonly branch: string | null; readonly isVisible: IsVisible }

export type SourceRefs = {
  readonly branch: string
  readonly commit: Oid
  /** As in `RemoteRefs`. */
  readonly tags: RemoteRefs['tags']
}

/**
 * A repository of the product, which is read and never written: no function that writes to a remote takes one, and its
 * mirror is never one that is written through. A pin is a ref of the mirror that keeps a commit for a run.
 */
export interface SourceRepository extends Ancestry, Past {
  readonly maxFileBytes: number
  /**
   * Lists the refs of the remote with the credential of this source, and then fetches what is missing: the newest commit,
   * its folders, and the contents of visible files up to `maxFileBytes`. Everything of the newest commit if the host cannot
   * leave out the rest. Throws `repository_too_large`, and the other failures of a fetch.
   */
  fetch(wanted: WantedSource, signal: AbortSignal): Promise<SourceRefs>
  /**
   * Fetches a commit and its visible files if they are not in the mirror, such as a pinned one after the mirror was made
   * again. Throws `not_found` if the host does not have it any more.
   */
  ensure(commit: Oid, wanted: WantedSource, signal: AbortSignal): Promise<void>
  /** Pins a commit of the mirror, and returns it. A pin never moves: if there is one, returns the commit that it keeps. */
  pin(name: string, commit: Oid): Promise<Oid>
  pinned(name: string): Promise<Oid | undefined>
  /** The commits by the names of their pins. */
  pins(): Promise<ReadonlyMap<string, Oid>>
  /** Succeeds if there is no such pin. */
  unpin(name: string): Promise<void>
  tree(commit: Oid, isVisible: IsVisible): Promise<SourceTree>
  /** Its visible files at a commit, and how they changed before. Waits for the history while that arrives. */
  pastOf(pin: SourcePin): SourcePast
  /** Begins to fetch the commits and folders of the history in the background, without contents of files. */
  bringHistory(): void
  /** Fetches contents that are not in the mirror, in one request. Throws `not_found` if the host does not give one of them. */
  bringBlobs(oids: readonly Oid[], signal: AbortSignal): Promise<void>
  probe: Repository['probe']
  /** As `probeAccess` of a repository, but asks nothing about a push. */
  probeRead(signal: AbortSignal): Promise<RepositoryAccess>
  /** Whether the host offers the repository to a request without a credential; undefined if that is not known. */
  isPublic(signal: AbortSignal): Promise<boolean | undefined>
}

/** `isWanted`: the files whose earlier contents may be fetched. */
export type SourcePin = Pick<GitPast, 'name' | 'commit'> & {
  readonly isVisible: IsVisible
  readonly isWanted: (path: string) => boolean
}

/**
 * `changes` fetches the contents that are not in the mirror, in one request, and at most 5,000. The fetch continues when the signal
 * fires. `read` fetches nothing: a content that is not here is undefined.
 */
export type SourcePast = GitPast & {
  /** Waits for such fetches. Returns whether something came that `changes` did not wait for. */
  settled(signal: AbortSignal): Promise<boolean>
}

/** A commit by the first parent. `tags`: the names that it has. */
export type Revision = { readonly commit: Oid; readonly date: Date; readonly tags: readonly string[] }
export type Span = { readonly from: Oid; readonly to: Oid }
/** `before` null: the file was added. `after` null: it was deleted. */
export type FileChange = { readonly path: string; readonly before: Oid | null; readonly after: Oid | null }

/** A repository of the product at one commit. See `checks/drift/sources/source.ts`, which this satisfies. */
export type GitPast = {
  readonly name: string
  readonly commit: Oid
  files(signal: AbortSignal): Promise<readonly TreeEntry[]>
  read<File extends { readonly oid: Oid }>(
    files: readonly File[],
    onFile: (file: File, content: Buffer | undefined) => void,
    signal: AbortSignal,
  ): Promise<void>
  history(limit: number, signal: AbortSignal): Promise<readonly Revision[]>
  changes(spans: readonly Span[], signal: AbortSignal, path?: string): Promise<readonly (readonly FileChange[])[]>
}

export type GitCredential = LoginCredential | KeyCredential

/** Git sends it if the origin of the address requires a login. Neither text may contain a line break or NUL. */
export type LoginCredential = {
  readonly username: string
  readonly password: string
  /** Worth another try although the host refused it: it was made seconds ago, and is not known everywhere yet. */
  readonly isYoung?: boolean
}

/** For ssh, both as `checkKey` returned them. `hostKey`: lines of `<type> <key>`. */
export type KeyCredential = { readonly privateKey: string; readonly hostKey: string }

export type CredentialRequest = { readonly id: string; readonly origin: string; readonly isRefused: boolean }

export type DateReport = (response: { readonly url: string; readonly date: string | null }) => void

export type GitOptions = {
  /** The folder of the mirrors; created when missing. */
  readonly directory: string
  /** Whether an address may be a folder of this machine. */
  readonly allowLocal: boolean
  /** `host` or `host:port` that may be private, an IP literal, or plain http. */
  readonly privateHosts: readonly string[]
  readonly maxRepositoryBytes: number
  readonly maxRepositoryFiles: number
  readonly maxFileBytes: number
  /** The time limit of one git process. */
  readonly timeoutMs: number
  readonly identity: Identity
  readonly log: Log
  /**
   * Returns the credential for the origin of a repository (`https://host:port`, `ssh://host`); undefined if there is no
   * credential. `isRefused`: the host refused the previous one. Called for each command that connects to a host.
   */
  readonly credentialOf?: (ask: CredentialRequest, signal: AbortSignal) => Promise<GitCredential | undefined>
  /** Signs a commit that names its author. Undefined: the repository has no key. The same content gives the same signature. */
  readonly signatureOf?: (id: string, content: Uint8Array) => Promise<string | undefined>
  /** Returns a function while the `Date` of https responses of hosts is wanted. */
  readonly dateReport?: () => DateReport | undefined
  /** Resolves a host name. Default: the operating system. */
  readonly resolve?: (host: string) => Promise<string[]>
  /** The PATH on which git is found. Default: the usual folders. */
  readonly path?: string
}

export interface Git {
  readonly version: string
  /** The author and committer of commits that name no other. */
  readonly identity: Identity
  /** The normal form of an address. Throws `invalid_input` with a message that says what is allowed. */
  checkAddress(address: string): string
  /** Returns a key for ssh in the form that it needs. Throws `invalid_input` with the reason. */
  checkKey(given: KeyCredential): Promise<KeyCredential>
  /**
   * Returns one instance per id. A different address replaces the mirror. `fork`: the address of the repository that has the
   * branches of jobs, if it is another one: they are pushed there and read from there. Throws the errors of `checkAddress`.
   */
  repository(id: string, address: string, fork?: string | null): Repository
  /**
   * Returns one instance per id, for a repository that is only read. Its id must not be that of a repository that is written:
   * they do not share a mirror. Throws the errors of `checkAddress`.
   */
  source(id: string, address: string): SourceRepository
  /** The ids of the mirrors on disk. */
  mirrors(): Promise<readonly string[]>
  /** Deletes the mirror after the fetch that is running. */
  remove(id: string): Promise<void>
  /** Ends all child processes. */
  close(): Promise<void>
}

export type LogQuery = {
  /** The newest commit. */
  readonly to: Oid
  /** Only commits that are not in the history of this one. */
  readonly from?: Oid | undefined
  /** Only commits that change this file, or a file in this folder. */
  readonly path?: string | undefined
  /** In a line of the message: the `regex` of a search, in any case of letters. */
  readonly pattern?: string | undefined
  readonly limit: number
  /** A commit that changes files, and no visible one, is left out. */
  readonly isVisible: IsVisible
  /** false: no `counts`, which need the contents of all files. */
  readonly countsLines?: boolean
}

/** Texts are of people and programs outside, without control characters; paths are as they are. */
export type LoggedCommit = {
  readonly commit: Oid
  /** The committer may write anything. */
  readonly date: Date
  readonly author: string
  /** At most 300 characters. */
  readonly subject: string
  /** At most 10,000 characters. */
  readonly body: string
  readonly tags: readonly string[]
  /** From the subject of a merge or squash, as forges write it. */
  readonly pullRequests: readonly number[]
  /** The visible files that differ from the first parent, at most 200; a rename only without a change. */
  readonly files: readonly ChangedFile[]
  /** How many there are. */
  readonly fileCount: number
  /** Lines of visible files; undefined if a content that the commit changes is not in the mirror, or nobody asked. */
  readonly counts: { readonly additions: number; readonly deletions: number } | undefined
}

/** `isCut`: there are more commits, or finding them took too long. The newest first. */
export type CommitLog = { readonly commits: readonly LoggedCommit[]; readonly isCut: boolean }

/** A commit against its first parent, or one commit against another one. */
export type ChangeQuery = ({ readonly commit: Oid } | { readonly from: Oid; readonly to: Oid }) & {
  /** Only this file, or the files in this folder. */
  readonly path?: string | undefined
  readonly isVisible: IsVisible
  /** Programs write this file: it has no patch, unless it is the `path`. */
  readonly isGenerated: (path: string) => boolean
  /** Limit on all patches together. */
  readonly maxBytes: number
}

/**
 * `patch` null, and why: `generated`; `not_fetched`: a content is not in the mirror; `over_limit`: a content is over
 * `maxFileBytes`; `submodule`; `unnameable`: the name is not UTF-8; `later`: the patches before it reach the limit, so ask for this path alone. `cut`: the patch
 * is the beginning.
 */
export type ShownFile = ChangedFile & {
  readonly patch: string | null
  readonly left: 'generated' | 'not_fetched' | 'over_limit' | 'submodule' | 'unnameable' | 'later' | 'cut' | null
}

/** `isCut`: more files differ than are listed. */
export type ShownChange = { readonly files: readonly ShownFile[]; readonly isCut: boolean }

/** All commits, or those that are not in the history of `from`. */
export type MainlineQuery = { readonly to: Oid; readonly from?: Oid | undefined }
/** `parent`: the first one; null: the first commit of all. */
export type MainlineEntry = { readonly commit: Oid; readonly parent: Oid | null }
/** `paths`: of the files that differ from the first parent, old names included. `ending`: the last 2,000 characters of the message. */
export type MainlineCommit = Pick<LoggedCommit, 'author' | 'body' | 'commit' | 'date' | 'pullRequests' | 'subject'> & {
  readonly paths: readonly string[]
  readonly ending: string
}

/** All wait for the history if it is missing. */
export interface Past {
  /** The commits of a branch by their first parents, the oldest first. Undefined: `to` or `from` is not in the mirror. */
  mainline(query: MainlineQuery, signal: AbortSignal): Promise<readonly MainlineEntry[] | undefined>
  /** In the order of `commits`, which are in the mirror. */
  describe(commits: readonly Oid[], signal: AbortSignal): Promise<readonly MainlineCommit[]>
  /** Takes at most 10 seconds. */
  log(query: LogQuery, signal: AbortSignal): Promise<CommitLog>
  /** A source fetches the contents that it needs in one request. */
  showChange(query: ChangeQuery, signal: AbortSignal): Promise<ShownChange>
  /**
   * The commit that a name means, if it is in the mirror: `last-tag` (the newest tagged commit in the history of `at`), a
   * tag, a branch, an id of 7 to 40 digits, or a date (the newest commit of `at` before it). Tags are those of the last
   * `fetch` of this process; a source fetches the commit of one that no branch here has.
   */
  resolve(name: string, at: Oid, signal: AbortSignal): Promise<Oid | undefined>
  /** The names of the tags of a commit, in the order of the host; those of the last `fetch` of this process. */
  tagsOf(commit: Oid): readonly string[]
}

/** How commits follow each other. */
export interface Ancestry {
  /** This one and the next two wait for the history only if what is here does not decide. */
  isAncestor(ancestor: Oid, descendant: Oid, signal: AbortSignal): Promise<boolean>
  /** Returns the best common ancestor; null when there is no common ancestor. */
  mergeBase(one: Oid, other: Oid, signal: AbortSignal): Promise<Oid | null>
  /** How many commits of `of` are not in the history of `inside`. */
  countMissing(of: Oid, inside: Oid, signal: AbortSignal): Promise<number>
  /** The commit and those before it, the newest first; at most `limit`. Undefined: they have not arrived yet. */
  history(commit: Oid, limit: number): Promise<readonly PastCommit[] | undefined>
}

export interface Repository extends Ancestry, Past {
  readonly maxFileBytes: number
  /** A file in the folder of the mirror, deleted with it, for what others keep of its content. May not exist. */
  readonly factsFile: string
  /**
   * Updates the mirror. Waiting callers share one fetch; aborting one does not affect the others. A new mirror gets the
   * newest commits only, if the host can leave out their history.
   */
  fetch(wanted: WantedRefs, signal: AbortSignal): Promise<RemoteRefs>
  /** Begins to fetch the history in the background, if it is missing. A failure is logged, and the next call tries again. */
  bringHistory(): void
  /** Queries the remote without a mirror: the branch (null: its default branch), and its commit if it exists. */
  probe(
    branch: string | null,
    signal: AbortSignal,
  ): Promise<{ readonly branch: string | null; readonly commit: Oid | null }>
  /** Queries the remote without a mirror: throws `forge_refused` if another branch makes this one impossible. */
  refuseBlocked(planned: string, signal: AbortSignal): Promise<void>
  /**
   * Finds out the rights of the credential without changing anything. Throws failures that do not concern rights:
   * `repository_unreachable`, `repository_moved` and `forge_rate_limited`.
   */
  probeAccess(signal: AbortSignal): Promise<RepositoryAccess>
  isPublic: SourceRepository['isPublic']
  /** Its files at a commit, and how they changed before. Waits for the history while that arrives. */
  pastOf(commit: Oid): GitPast
  tree(commit: Oid): Promise<Tree>
  /** Reads a commit of the mirror. */
  commitFacts(commit: Oid): Promise<CommitFacts>
  /** Returns `parent` itself when the edits change nothing. Throws `path_refused`. */
  commit(input: CommitInput): Promise<Oid>
  /** Applies the change that `commit` makes to its first parent to `onto`, three-way. */
  transplant(commit: Oid, onto: Oid): Promise<Applied>
  /**
   * Returns `from` when that is a fast-forward, otherwise a merge commit whose first parent is `into`. Waits for the history
   * if it is missing.
   */
  merge(input: MergeInput, signal: AbortSignal): Promise<Applied>
  /** Whether the object is in the mirror now. */
  has(oid: Oid): Promise<boolean>
  /** Waits for the history before it says no. */
  contains(oid: Oid, signal: AbortSignal): Promise<boolean>
  /** Whether the two commits contain the same files. */
  sameTree(one: Oid, other: Oid): Promise<boolean>
  /**
   * Fetches when a commit is not in the mirror, its history too if necessary, or the mirror is damaged. Throws `not_found`
   * when a commit is gone.
   */
  ensure(commits: readonly Oid[], wanted: WantedRefs): Promise<void>
  /** Never forces. `expected` null: the branch must be absent. May be called again after any failure. */
  push(input: PushInput, signal: AbortSignal): Promise<Pushed>
  /** Takes back what this service pushed: the branch must be at `expected`. Succeeds if the branch does not exist. */
  restoreBranch(input: Restored, signal: AbortSignal): Promise<void>
  /** Pushes a commit to a temporary ref, from which the host can create its own commit. May be called again. */
  pushObject(input: PushedObject, signal: AbortSignal): Promise<void>
  /** Deletes a temporary ref of the remote. Succeeds if the ref does not exist. */
  deleteRef(ref: string, signal: AbortSignal): Promise<void>
  /**
   * Fetches a commit that the host created on the branch into the mirror. Throws `repository_unreachable` when the branch
   * does not contain it yet.
   */
  fetchCommit(commit: Oid, branch: string, signal: AbortSignal): Promise<CommitFacts>
  /** At most 5 MB; when it was cut, the last line says so. */
  diff(from: Oid, to: Oid): Promise<string>
  diffFiles(from: Oid, to: Oid): Promise<readonly FileDiff[]>
  /** As `diffFiles`, without counts and patches: one process instead of two. */
  changedFiles(from: Oid, to: Oid): Promise<readonly ChangedFile[]>
}
