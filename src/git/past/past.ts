// Reads a repository of the product at one commit: its files, and what its history removed. Changes nothing, and fetches
// nothing: an object that is not here is said to be missing.

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { Failure } from '../../lib/failure.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { toDate } from '../read/history.ts'
import { createObjects, type Objects } from '../read/objects.ts'
import { searchTree } from '../read/search.ts'
import { parseListing } from '../read/tree.ts'
import { usualPath } from '../transport/env.ts'
import { createRunner, type GitResult, isDone, type Runner } from '../transport/run.ts'
import type { FileChange, GitPast, Oid, Revision, SearchQuery, SearchResult } from '../types.ts'
import { decodePath } from '../write/path.ts'

/** A source in a folder of this machine. */
export type Clone = GitPast & {
  readonly gitDir: string
  /** Whether the repository has this commit. */
  has(commit: Oid): Promise<boolean>
  /** Searches the files of the commit, except those at the paths `skipped`. Throws `invalid_input` if it takes too long. */
  search(query: SearchQuery, skipped: readonly string[], signal: AbortSignal): Promise<SearchResult>
  close(): Promise<void>
}

/** Where the objects are, and who reads them: a mirror has all of these. */
export type SourcePlace = { readonly runner: Runner; readonly gitDir: string; readonly objects: Objects }

const timeoutMs = 60_000
const maxListing = 512 * 1024 * 1024
/** So many are asked for at a time. */
const batch = 500
const colon = 58

/** Reads the repository at a commit that is there. */
export function readPast(place: SourcePlace, { name, commit }: Pick<GitPast, 'name' | 'commit'>): GitPast {
  const { runner, gitDir, objects } = place
  const git = async (signal: AbortSignal, ...args: readonly string[]) => {
    const result = await runner.run({ gitDir, args, maxBytes: maxListing }, signal)
    if (!isDone(result)) throw toFailure(result)
    return result.stdout
  }
  return {
    name,
    commit,
    files: async (signal) => parseListing(await git(signal, 'ls-tree', '-r', '-z', '-l', '--full-tree', commit)),
    read: async (files, onFile, signal) => {
      for (let at = 0; at < files.length && !signal.aborted; at += batch) {
        const some = files.slice(at, at + batch)
        const reads = some.map((file) => objects.read(file.oid).catch(() => undefined))
        for (const [place, file] of some.entries()) {
          const found = await reads[place]
          if (!signal.aborted) onFile(file, found?.type === 'blob' ? found.content : undefined)
        }
      }
    },
    history: async (limit, signal) => {
      const line = ['log', '--first-parent', '--format=%H %ct', `--max-count=${limit}`, '--end-of-options', commit]
      const [commits, tags] = await Promise.all([
        git(signal, ...line),
        git(signal, 'for-each-ref', '--format=%(objectname) %(*objectname) %(refname:short)', 'refs/tags'),
      ])
      return readHistory(commits.toString('utf8'), readTags(tags.toString('utf8')))
    },
    changes: async (spans, signal, path) => {
      const trees = await readTrees(
        place,
        spans.flatMap(({ from, to }) => [from, to]),
        signal,
      )
      const input = spans.map((_, at) => `${trees[at * 2]} ${trees[at * 2 + 1]}\n`).join('')
      const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-abbrev']
      const within = path === undefined ? [] : ['--', `:(literal)${path}`]
      const result = await runner.run({ gitDir, args: [...args, ...within], input, maxBytes: maxListing }, signal)
      if (!isDone(result)) throw toFailure(result)
      return readChanges(result.stdout, spans.length)
    },
  }
}

/**
 * Opens a clone in a folder of this machine at its `HEAD`, or at `commit`. Throws `invalid_input` if there is no repository with
 * a commit. `close` ends what it started.
 */
export async function openClone(
  folder: string,
  given: { readonly name?: string; readonly commit?: string; readonly path?: string } = {},
): Promise<Clone> {
  const home = await mkdtemp(join(tmpdir(), 'docent-source-'))
  const runner = createRunner({ home, path: given.path ?? usualPath, timeoutMs })
  const end = async () => {
    await runner.close()
    await rm(home, { recursive: true, force: true })
  }
  try {
    const gitDir = await findGitDir(runner, resolve(folder))
    const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${given.commit ?? 'HEAD'}^{commit}`]
    const found = await runner.run({ gitDir, args: named })
    if (!isDone(found)) throw new Failure('invalid_input', `The repository in ${folder} has no such commit.`)
    const objects = createObjects(runner, gitDir, () => undefined)
    const commit = found.stdout.toString('utf8').trim()
    const name = given.name ?? basename(resolve(folder)).replace(/\.git$/, '')
    return {
      ...readPast({ runner, gitDir, objects }, { name, commit }),
      gitDir,
      has: async (other) => (await objects.read(other).catch(() => undefined))?.type === 'commit',
      search: async (query, skipped, signal) =>
        await searchTree(
          { runner, gitDir, options: { timeoutMs }, state: { isDamaged: false } },
          { ...query, commit, skipped },
          signal,
        ),
      close: async () => {
        await objects.end()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function findGitDir(runner: Runner, folder: string): Promise<string> {
  const isBare = await stat(join(folder, 'objects')).then(
    (found) => found.isDirectory(),
    () => false,
  )
  // A bare repository is found only when it is named.
  const place = isBare ? [`--git-dir=${folder}`] : ['-C', folder]
  const found = await runner.run({ args: [...place, 'rev-parse', '--path-format=absolute', '--git-dir'] })
  if (!isDone(found)) throw new Failure('invalid_input', `There is no git repository in ${folder}.`)
  return found.stdout.toString('utf8').trim()
}

async function readTrees({ runner, gitDir }: SourcePlace, commits: readonly Oid[], signal: AbortSignal) {
  const input = commits.map((commit) => `${commit}^{tree}\n`).join('')
  const result = await runner.run({ gitDir, args: ['cat-file', '--batch-check=%(objectname)'], input }, signal)
  if (!isDone(result)) throw toFailure(result)
  return result.stdout.toString('utf8').split('\n')
}

/** For each pair a line with its two ids; then `:mode mode id id M\\0path\\0` for each file. */
function readChanges(bytes: Buffer, count: number): FileChange[][] {
  const found: FileChange[][] = []
  const none = /^0+$/
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === colon) {
      const middle = bytes.indexOf(0, at)
      const end = bytes.indexOf(0, middle + 1)
      const [, , before = '', after = ''] = bytes.toString('latin1', at, middle).split(' ')
      const path = decodePath(bytes.subarray(middle + 1, end))
      const toOid = (oid: Oid) => (none.test(oid) ? null : oid)
      if (path !== null) found.at(-1)?.push({ path, before: toOid(before), after: toOid(after) })
      at = end + 1
    } else {
      found.push([])
      at = bytes.indexOf(10, at) + 1
    }
  }
  return found.length === count ? found : []
}

function readTags(listing: string): ReadonlyMap<Oid, readonly string[]> {
  const tags = new Map<Oid, string[]>()
  for (const line of listing.split('\n')) {
    const [object = '', peeled = '', ...name] = line.split(' ')
    if (object === '') continue
    const commit = peeled === '' ? object : peeled
    tags.set(commit, [...(tags.get(commit) ?? []), name.join(' ')])
  }
  return tags
}

function readHistory(listing: string, tags: ReadonlyMap<Oid, readonly string[]>): Revision[] {
  return listing.split('\n').flatMap((line) => {
    const [commit = '', seconds] = line.split(' ')
    return commit === '' ? [] : [{ commit, date: toDate(seconds), tags: tags.get(commit) ?? [] }]
  })
}

function toFailure({ stderr }: GitResult): Failure {
  return new Failure('unavailable', `git could not read the source: ${sanitise(stderr).trim()}`)
}
