// Reads the repository that a folder of this machine belongs to: which of its files git knows, and what they were at an
// earlier commit. Changes nothing, and runs no filter or hook of the repository.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../lib/failure.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { usualPath } from '../transport/env.ts'
import { createRunner, type GitResult, isDone } from '../transport/run.ts'
import type { Oid, SearchQuery, SearchResult, TreeEntry } from '../types.ts'
import { createObjects, type Objects } from './objects.ts'
import { searchTree } from './search.ts'
import { parseListing } from './tree.ts'
import { type CommittedChanges, type Git, readChanges, readRoots } from './work-tree-changes.ts'

export type EarlierTree = {
  readonly commit: Oid
  entries(): readonly TreeEntry[]
  read(path: string): Promise<Uint8Array | undefined>
}

export type WorkTree = {
  /** The files that git tracks or would track; paths are relative to the folder. */
  paths(): Promise<readonly string[]>
  /** Those of the whole repository, relative to `top`. */
  allPaths(): Promise<readonly string[]>
  /** The files of the folder at the merge base of `HEAD` and `ref`. Throws `invalid_input` if there is no merge base. */
  before(ref: string): Promise<EarlierTree>
  /** Its commits since the merge base of `HEAD` and `ref`, in the whole repository. Throws `invalid_input` if there is no merge base. */
  changes(ref: string): Promise<CommittedChanges>
  /** The first commits of the history. */
  roots(): Promise<readonly string[]>
  /** Searches the whole repository as it is on disk: the files that git tracks or would track. Throws `invalid_input` if it takes too long. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>
  /** Where the folder is in its repository: empty, or with a slash at the end. */
  readonly prefix: string
  /** The folder of the repository. */
  readonly top: string
  readonly gitDir: string
  close(): Promise<void>
}

const timeoutMs = 60_000

/** Returns undefined if the folder is in no repository, or git is not installed. */
export async function openWorkTree(folder: string, path = usualPath): Promise<WorkTree | undefined> {
  const home = await mkdtemp(join(tmpdir(), 'docent-check-'))
  const runner = createRunner({ home, path, timeoutMs })
  const git = (...args: readonly string[]) => runner.run({ args: ['-C', folder, ...args], maxBytes: 256 * 1024 * 1024 })
  const end = async () => {
    await runner.close()
    await rm(home, { recursive: true, force: true })
  }
  const asked = ['--path-format=absolute', '--git-dir', '--show-prefix', '--show-toplevel']
  const found = await git('rev-parse', ...asked).catch(() => undefined)
  if (!found || !isDone(found)) {
    await end()
    return undefined
  }
  const [gitDir = '', prefix = '', top = ''] = found.stdout.toString('utf8').split('\n')
  const objects = createObjects(runner, gitDir, () => undefined)
  const list = async (...more: readonly string[]) => {
    const flags = ['--cached', '--others', '--exclude-standard', '--deduplicate', '-z']
    const listed = await git('ls-files', ...flags, ...more)
    if (!isDone(listed)) throw toFailure(listed)
    return listed.stdout
      .toString('utf8')
      .split('\0')
      .filter((name) => name !== '')
  }
  return {
    paths: async () => await list(),
    allPaths: async () => await list('--full-name', '--', ':/'),
    before: async (ref) => await readBefore({ git, objects, prefix }, ref),
    changes: (ref) => readChanges(git, ref),
    roots: () => readRoots(git),
    search: async (query, signal) =>
      await searchTree(
        { runner, gitDir, options: { timeoutMs }, state: { isDamaged: false } },
        { ...query, workTree: top },
        signal,
      ),
    prefix,
    top,
    gitDir,
    close: async () => {
      await objects.end()
      await end()
    },
  }
}

type Read = { readonly git: Git; readonly objects: Objects; readonly prefix: string }

async function readBefore({ git, objects, prefix }: Read, ref: string): Promise<EarlierTree> {
  const base = await git('merge-base', '--end-of-options', ref, 'HEAD')
  if (!isDone(base)) throw new Failure('invalid_input', noBase(ref, base))
  const commit = base.stdout.toString('utf8').trim()
  const listed = await git('ls-tree', '-r', '-z', '-l', '--full-tree', '--end-of-options', commit)
  if (!isDone(listed)) throw toFailure(listed)
  const entries = parseListing(listed.stdout)
    .filter((entry) => entry.path.startsWith(prefix))
    .map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }))
  const oids = new Map<string, Oid>(entries.map((entry) => [entry.path, entry.oid]))
  return {
    commit,
    entries: () => entries,
    read: async (name) => {
      const oid = oids.get(name)
      return oid === undefined ? undefined : (await objects.read(oid))?.content
    },
  }
}

function noBase(ref: string, { stderr }: GitResult): string {
  const words = sanitise(stderr).trim()
  return `HEAD and ${ref} have no common commit${words === '' ? '' : `: ${words}`}. Is the whole history fetched?`
}

function toFailure({ stderr }: GitResult): Failure {
  return new Failure('unavailable', `git could not read the folder: ${sanitise(stderr).trim()}`)
}
