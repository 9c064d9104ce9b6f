// Lists which files commits change, from trees alone: no content is read, so a missing one is not met. A file counts as renamed
// only if its content is the same. A long-lived process compares the trees of some commits; those of many have their own.

import { comparePaths, decodePath, escapePath } from '../write/path.ts'
import { failureOf, type Mirror } from '../cache/mirror.ts'
import { rawFlags } from '../read/tree-flags.ts'
import { isDone } from '../transport/run.ts'
import type { ChangedFile, IsVisible, Oid } from '../types.ts'
import { findCommit } from '../write/commit-object.ts'

export type RawChange = ChangedFile & {
  /** Null: there is no content on this side. */
  readonly before: Oid | null
  readonly after: Oid | null
  readonly isSubmodule: boolean
  /** The name is UTF-8, so that the path leads to the file. */
  readonly isNameable: boolean
}

export type Changes = { readonly files: readonly RawChange[]; readonly isCut: boolean }

export type Limits = { readonly timeoutMs: number }

/** The tree without files, which git knows everywhere. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

const ofCommits = ['--stdin', '--root', '--always', '--diff-merges=first-parent']
/** About 100,000 files. */
const maxBytes = 16_000_000
/** So many take as long as the start of a process. */
const mostOneByOne = 20

/**
 * The changes of commits against their first parents. Has the first commits only if all of them would be too much; at least
 * one.
 */
export async function changesOf(
  mirror: Mirror,
  commits: readonly Oid[],
  { timeoutMs }: Limits,
  signal: AbortSignal,
): Promise<ReadonlyMap<Oid, Changes>> {
  if (commits.length <= mostOneByOne) {
    const found = await changesOfFew(mirror, commits, { timeoutMs }, signal)
    if (found) return found
  }
  const args = ['diff-tree', ...rawFlags, ...ofCommits]
  const input = commits.map((commit) => `${commit}\n`).join('')
  const call = { args, input, maxBytes, timeoutMs, gitDir: mirror.gitDir }
  const result = await mirror.runner.run(call, signal)
  if (!isDone(result) && result.ended !== 'full') throw failureOf(mirror, result, { args })
  const isCut = result.ended === 'full'
  const found = new Map<Oid, RawChange[]>()
  let files: RawChange[] = []
  for (const part of readParts(result.stdout)) {
    if (typeof part === 'string') found.set(part, (files = []))
    else files.push(part)
  }
  const all = [...found]
  // The last one is not complete.
  const whole = isCut && all.length > 1 ? all.slice(0, -1) : all
  return new Map(whole.map(([commit, files]) => [commit, { files, isCut: isCut && all.length === 1 }]))
}

/** The changes between two commits; either may be the empty tree. */
export async function changesBetween(mirror: Mirror, from: Oid, to: Oid, signal: AbortSignal): Promise<Changes> {
  const compared = await compare(mirror, await treeOf(mirror, from), await treeOf(mirror, to))
  if (compared !== undefined) return compared
  const args = ['diff-tree', ...rawFlags, '--end-of-options', from, to]
  const result = await mirror.runner.run({ args, maxBytes, gitDir: mirror.gitDir }, signal)
  if (!isDone(result) && result.ended !== 'full') throw failureOf(mirror, result, { args })
  return { files: filesOf(result.stdout), isCut: result.ended === 'full' }
}

/** The id of a commit's tree; undefined if it cannot be read. The empty tree is its own. */
export async function treeOf(mirror: Mirror, oid: Oid): Promise<Oid | undefined> {
  return oid === emptyTree ? oid : (await findCommit(mirror, oid))?.tree
}

/** One by one. Undefined: the long-lived process does not tell of one of them, or takes half of the time for some. */
async function changesOfFew(
  mirror: Mirror,
  commits: readonly Oid[],
  { timeoutMs }: Limits,
  signal: AbortSignal,
): Promise<ReadonlyMap<Oid, Changes> | undefined> {
  const end = performance.now() + timeoutMs / 2
  const found = new Map<Oid, Changes>()
  for (const commit of commits) {
    signal.throwIfAborted()
    const parts = performance.now() < end ? await findCommit(mirror, commit) : undefined
    const changes = parts && (await compare(mirror, await treeOf(mirror, parts.parents[0] ?? emptyTree), parts.tree))
    if (changes === undefined) return undefined
    found.set(commit, changes)
  }
  return found
}

/** Undefined: the long-lived process does not tell. */
async function compare(mirror: Mirror, before: Oid | undefined, after: Oid | undefined): Promise<Changes | undefined> {
  if (before === undefined || after === undefined) return undefined
  const bytes = await mirror.comparisons.raw.ofTrees(before, after)
  return bytes && { files: filesOf(bytes), isCut: false }
}

function filesOf(bytes: Buffer): readonly RawChange[] {
  return [...readParts(bytes)].filter((part) => typeof part !== 'string')
}

/** The visible part of a change. A rename from or to a file that is not visible is an addition, or a deletion. */
export function visibleOf(changes: readonly RawChange[], isVisible: IsVisible): readonly RawChange[] {
  return changes
    .flatMap((change): RawChange[] => {
      const { path, previousPath } = change
      if (previousPath === null) return isVisible(path) ? [change] : []
      if (isVisible(path) && isVisible(previousPath)) return [change]
      if (isVisible(path)) return [{ ...change, status: 'added', previousPath: null, before: null }]
      if (!isVisible(previousPath)) return []
      return [{ ...change, status: 'deleted', path: previousPath, previousPath: null, after: null }]
    })
    .toSorted((a, b) => comparePaths(a.path, b.path))
}

/** Whether this is the path, or in the folder of that name. */
export function isWithin(path: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true
  const plain = wanted.replace(/^(?:\.?\/)+|\/+$/g, '')
  return plain === '' || plain === '.' || path === plain || path.startsWith(`${plain}/`)
}

const statuses: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', D: 'deleted', R: 'renamed' }

/** Ids of commits, and `:modes oids status\0path\0[new path\0]` for each file; the last one may be incomplete. */
function* readParts(bytes: Buffer): Generator<Oid | RawChange> {
  const fields = readFields(bytes)
  for (let field = fields.next(); field.done !== true; field = fields.next()) {
    const text = field.value.toString('latin1')
    if (!text.startsWith(':')) {
      yield text
      continue
    }
    const [beforeMode = '', afterMode = '', before = '', after = '', letters = ''] = text.slice(1).split(' ')
    const first = fields.next()
    const second = /^[RC]/.test(letters) ? fields.next() : undefined
    if (first.done === true || second?.done === true) return
    yield {
      path: toPath(second?.value ?? first.value),
      previousPath: second === undefined ? null : toPath(first.value),
      status: statuses[letters[0] ?? ''] ?? 'modified',
      before: /^0+$/.test(before) ? null : before,
      after: /^0+$/.test(after) ? null : after,
      isSubmodule: beforeMode === '160000' || afterMode === '160000',
      isNameable: decodePath(second?.value ?? first.value) !== null,
    }
  }
}

function* readFields(bytes: Buffer): Generator<Buffer, undefined> {
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start)
    if (end < 0) return
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

function toPath(name: Buffer): string {
  return decodePath(name) ?? escapePath(name)
}
