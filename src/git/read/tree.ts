// Lists the files of a commit and reads their contents. Symbolic links and submodules are listed, never followed. A name
// that is not UTF-8 is shown in escaped form and cannot be used as a path, so no edit can change the file by mistake.

import { Failure } from '../../lib/failure.ts'
import { readCommit } from '../write/commit-object.ts'
import { type Mirror, failureOf, tryGit } from '../cache/mirror.ts'
import { comparePaths, decodePath, escapePath, refusePath, shapeProblem } from '../write/path.ts'
import { damaged } from '../transport/errors.ts'
import { searchTree } from './search.ts'
import type { Oid, Tree, TreeEntry } from '../types.ts'

export interface Trees {
  /** Throws `repository_too_large` when the commit has more files than the limit. */
  load(commit: Oid): Promise<Tree>
}

/** The number of listings kept in memory: 5,000 files take about 1 MB. */
const keptListings = 8
/** The longest path that file systems allow. */
const maxPathLength = 4096
const lfsHead = 'version https://git-lfs.github.com/spec/'

export function createTrees(mirror: Mirror): Trees {
  return { load: keepByCommit(mirror, (commit) => loadTree(mirror, commit)) }
}

/** Keeps what was last read of commits, until the mirror is made again. A failure is not kept. */
export function keepByCommit<T>(
  mirror: Pick<Mirror, 'state'>,
  load: (commit: Oid) => Promise<T>,
): (commit: Oid) => Promise<T> {
  const kept = new Map<Oid, Promise<T>>()
  const state = { generation: 0 }
  return async (commit) => {
    if (state.generation !== mirror.state.generation) kept.clear()
    state.generation = mirror.state.generation
    const found = kept.get(commit) ?? load(commit)
    kept.delete(commit)
    kept.set(commit, found)
    for (const old of [...kept.keys()].slice(0, Math.max(0, kept.size - keptListings))) kept.delete(old)
    return await found.catch((error: unknown) => {
      if (kept.get(commit) === found) kept.delete(commit)
      throw error
    })
  }
}

/** Whether this is a Git LFS pointer: the content that it points to is not in the repository. */
export function isLfsPointer(content: Uint8Array): boolean {
  return content.length < 1024 && Buffer.from(content).toString('latin1').startsWith(lfsHead)
}

async function loadTree(mirror: Mirror, commit: Oid): Promise<Tree> {
  const { generation } = mirror.state
  await readCommit(mirror, commit)
  const entries = await listEntries(mirror, commit, ['-l'])
  const byPath = new Map(entries.filter((entry) => entry.kind !== 'unnameable').map((entry) => [entry.path, entry]))
  const { maxFileBytes } = mirror.options
  return {
    commit,
    entries: () => entries,
    entry: (path) => byPath.get(path),
    read: async (path) => {
      const entry = byPath.get(path)
      if (entry === undefined) return missing(path)
      checkReadable(entry, maxFileBytes)
      const found = await mirror.objects.read(entry.oid)
      if (found?.type === 'blob') return found.content
      // Either the mirror was replaced after this listing was made, or the current mirror has lost the object.
      if (mirror.state.generation === generation) mirror.state.isDamaged = true
      throw damaged('a file of the commit is missing')
    },
    search: async (query, signal) => {
      const tooLarge = entries.filter((entry) => entry.kind === 'file' && entry.size > maxFileBytes)
      const skipped = tooLarge.map((entry) => entry.path)
      return await searchTree(mirror, { ...query, commit, skipped }, signal)
    },
  }
}

/** Throws `path_refused` for every entry that cannot be read as a file. */
export function checkReadable(entry: Pick<TreeEntry, 'path' | 'kind' | 'size'>, maxFileBytes: number): void {
  if (entry.kind === 'symlink') refusePath(entry.path, 'it is a symbolic link, and links are not followed')
  if (entry.kind === 'submodule') refusePath(entry.path, 'it is a submodule, which is another repository')
  if (entry.size > maxFileBytes) refusePath(entry.path, `it has ${entry.size} bytes, more than ${maxFileBytes}`)
}

/** The result of reading a free path. Throws `path_refused` for one that can name no file. */
export function missing(path: string): undefined {
  const problem = shapeProblem(path)
  if (problem !== null) refusePath(path, problem)
  return undefined
}

/** `flags`: `-l` for the sizes, `-t` for the folders, too. Throws `repository_too_large`. */
export async function listEntries(
  mirror: Mirror,
  commit: Oid,
  flags: readonly string[],
): Promise<readonly TreeEntry[]> {
  const { maxRepositoryFiles } = mirror.options
  const args = ['ls-tree', '-r', '-z', ...flags, '--full-tree', '--end-of-options', commit]
  // Enough for `maxRepositoryFiles` paths of usual length, plus some very long ones.
  const result = await tryGit(mirror, { args, maxBytes: 4_000_000 + maxRepositoryFiles * 300 })
  if (result.ended === 'full') throw tooManyFiles(maxRepositoryFiles)
  if (result.ended !== 'exit' || result.code !== 0) throw failureOf(mirror, result, { args })
  const entries = parseListing(result.stdout)
  if (entries.some((entry) => entry.path.length > maxPathLength)) throw tooManyFiles(maxRepositoryFiles)
  if (entries.filter((entry) => !isFolder(entry)).length > maxRepositoryFiles) throw tooManyFiles(maxRepositoryFiles)
  // Git sorts by the bytes of the names, so only escaped names can be out of order.
  const isSorted = entries.every((entry) => entry.kind !== 'unnameable')
  return isSorted ? entries : entries.toSorted((a, b) => comparePaths(a.path, b.path))
}

/** Only a listing with `-t` has folders. */
export function isFolder({ mode }: Pick<TreeEntry, 'mode'>): boolean {
  return mode === '040000'
}

function tooManyFiles(limit: number): Failure {
  return new Failure('repository_too_large', `The repository has more than ${limit} files, or very long paths.`)
}

/** Lines of `<mode> <type> <oid> <size padded>\t<path>\0`; the size only with `-l`. */
export function parseListing(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start)
    entries.push(parseEntry(bytes.subarray(start, end)))
    start = end + 1
  }
  return entries
}

function parseEntry(line: Buffer): TreeEntry {
  const tab = line.indexOf(9)
  const [mode = '', type = '', oid = '', size = '0'] = line.toString('latin1', 0, tab).split(/ +/)
  const name = line.subarray(tab + 1)
  const path = decodePath(name)
  if (path === null) return { path: escapePath(name), kind: 'unnameable', size: Number(size) || 0, mode, oid }
  const kind = type === 'commit' ? 'submodule' : mode === '120000' ? 'symlink' : 'file'
  return { path, kind, size: Number(size) || 0, mode, oid }
}
