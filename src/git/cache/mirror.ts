// The bare mirror of one repository on disk. It is a cache: deleting it at any moment costs one fetch.
//
//   absent ──ensureMirror──► fit ──something reads damage──► damaged ──next fetch──► swept, then made again ──► fit
//
// A mirror is created next to its final place and renamed into it. A mark in it contains its address; a mirror with another
// address is replaced. It also contains commits that were not pushed yet; only `repack` rewrites objects.

import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf } from '../../lib/errno.ts'
import { randomString } from '../../lib/id.ts'
import { Failure, type FailureCode } from '../../lib/failure.ts'
import type { Address } from '../transport/address.ts'
import { type Comparisons, createComparisons } from '../read/comparisons.ts'
import { type Objects, createObjects } from '../read/objects.ts'
import { patchFlags, rawFlags } from '../read/tree-flags.ts'
import { gitFailure, isDamage } from '../transport/errors.ts'
import type { GitCall, GitResult, Runner } from '../transport/run.ts'
import type { GitOptions, Oid } from '../types.ts'

export type Mirror = {
  /** The id of the repository. */
  readonly id: string
  readonly gitDir: string
  readonly address: Address
  readonly options: GitOptions
  readonly runner: Runner
  readonly objects: Objects
  readonly comparisons: { readonly raw: Comparisons; readonly patches: Comparisons }
  readonly state: MirrorState
}

export type MirrorState = {
  /** A read found damage: the next fetch makes the mirror again. */
  isDamaged: boolean
  /** Grows whenever the mirror is deleted or created again: objects that it contained may be gone. */
  generation: number
  /** The stamp of the mirror on disk when the current work began; null: there was no mirror. */
  stamp: string | null
}

type Command = Omit<GitCall, 'gitDir' | 'protocol'>

/** Holds two lines: the address, and a random stamp that differs for every mirror. */
const markFile = 'docent-mirror'
export const factsFile = 'docent-facts'
/** Refs of runs that read a commit of a source, which must not go before they do. */
export const pinsPrefix = 'refs/docent/pins/'
/** No process holds a ref this long: an older lock was left by a process that was killed. */
const staleLockMs = 1000
const alphabet = '0123456789abcdef'

export function createMirror(runner: Runner, options: GitOptions, id: string, address: Address): Mirror {
  const gitDir = join(options.directory, `${id}.git`)
  const state: MirrorState = { isDamaged: false, generation: 0, stamp: null }
  const objects = createObjects(runner, gitDir, () => (state.isDamaged = true))
  const comparisons = {
    raw: createComparisons(runner, gitDir, rawFlags, objects),
    patches: createComparisons(runner, gitDir, patchFlags, objects),
  }
  return { id, gitDir, address, options, runner, objects, comparisons, state }
}

/** Ends the long-lived processes that read the mirror; a later read starts them again. */
export async function endReading({ objects, comparisons: { raw, patches } }: Mirror): Promise<void> {
  await Promise.all([objects.end(), raw.end(), patches.end()])
}

/** Runs a local command in the mirror and returns its output. Throws the failure that git's message means. */
export async function git(mirror: Mirror, command: Command, signal?: AbortSignal): Promise<Buffer> {
  const result = await tryGit(mirror, command, signal)
  if (result.ended === 'exit' && result.code === 0) return result.stdout
  throw failureOf(mirror, result, command)
}

/** Does the same for commands whose exit code carries the result. */
export async function tryGit(mirror: Mirror, command: Command, signal?: AbortSignal): Promise<GitResult> {
  return await mirror.runner.run({ ...command, gitDir: mirror.gitDir }, signal)
}

/** `unknown`: the code when git's message is not in the table. */
export function failureOf(
  mirror: { readonly state: Pick<MirrorState, 'isDamaged'> },
  result: GitResult,
  { args }: Pick<Command, 'args'>,
  unknown?: FailureCode,
): Failure {
  const what = `git ${args[0] ?? ''}`
  if (result.ended === 'timeout') return new Failure('unavailable', `${what} took longer than the limit.`)
  if (result.ended === 'full') return new Failure('repository_too_large', `${what} answered with too much.`)
  const failure = gitFailure(result.stderr, result.ended === 'signal' ? `${what} (killed)` : what, unknown)
  if (isDamage(failure)) mirror.state.isDamaged = true
  return failure
}

/**
 * Runs `work` on a usable mirror; the caller holds the mirror's lock. If the work finds damage, removes leftovers of
 * killed processes and tries again, then recreates the mirror and tries a last time. Also recreates a mirror over its
 * size limit once, since old drafts may fill it, unless a run has a pin in it.
 */
export async function withMirror<T>(mirror: Mirror, work: () => Promise<T>): Promise<T> {
  const isFresh = await ensureMirror(mirror)
  return await attempt(mirror, work, isFresh ? [] : [sweep, makeMirror])
}

/** Frees the space of a mirror over its size limit. A run may still read what it has pinned: then a later fetch does. */
export async function removeOversize(mirror: Mirror): Promise<void> {
  if (!(await isPinned(mirror))) await removeMirror(mirror)
}

async function isPinned(mirror: Mirror): Promise<boolean> {
  const found = await tryGit(mirror, { args: ['for-each-ref', '--count=1', '--format=%(refname)', pinsPrefix] })
  return found.stdout.byteLength > 0
}

export async function removeMirror(mirror: Mirror): Promise<void> {
  await forget(mirror)
  await removeDirectory(mirror.gitDir)
}

/** Renames the folder before deleting it, so that no process sees a half-deleted mirror. */
export async function removeDirectory(gitDir: string): Promise<void> {
  const discarded = `${gitDir}.old-${randomString(alphabet, 12)}`
  await rename(gitDir, discarded).catch(ignoreMissing)
  await rm(discarded, { recursive: true, force: true })
}

/** The stamp of the mirror on disk; undefined if there is no mirror of the address. */
export async function readStamp(mirror: Mirror): Promise<string | undefined> {
  const mark = await readMark(mirror)
  return mark?.address === mirror.address.href ? mark.stamp : undefined
}

/** Those of the branches that the mirror has, without a process of their own. */
export async function branchesOf({ objects }: Mirror, names: Iterable<string>): Promise<Map<string, Oid>> {
  const found = await Promise.all([...new Set(names)].map(async (name) => [name, await objects.branch(name)] as const))
  return new Map(found.flatMap(([name, oid]) => (oid === undefined ? [] : [[name, oid] as const])))
}

/** The branches that the mirror has. */
export async function localRefs(mirror: Mirror): Promise<Map<string, Oid>> {
  const format = '--format=%(objectname) %(refname)'
  const lines = (await git(mirror, { args: ['for-each-ref', format, 'refs/heads/'] })).toString('utf8').split('\n')
  return new Map(
    lines.filter((line) => line !== '').map((line) => [line.slice(line.indexOf(' ') + 12), line.split(' ')[0] ?? '']),
  )
}

/** Returns the size of all objects in bytes, including objects that are still arriving. */
export async function mirrorBytes(mirror: Mirror): Promise<number> {
  const objects = join(mirror.gitDir, 'objects')
  const names = await readdir(objects, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(names.map((name) => fileSize(join(objects, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function forget(mirror: Mirror): Promise<void> {
  mirror.state.generation += 1
  mirror.state.isDamaged = false
  await endReading(mirror)
}

type Remedy = (mirror: Mirror) => Promise<void>

async function attempt<T>(mirror: Mirror, work: () => Promise<T>, remedies: readonly Remedy[]): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOversize = error instanceof Failure && error.code === 'repository_too_large'
    if ((!isDamage(error) && !isOversize) || (isOversize && (await isPinned(mirror)))) throw error
    const [remedy, ...others] = isOversize ? remedies.filter((candidate) => candidate !== sweep) : remedies
    if (remedy === undefined) throw isDamage(error) ? await sourceIsBroken(mirror, error) : error
    mirror.options.log.warn({ mirror: mirror.gitDir, reason: String(error), remedy: remedy.name }, 'repairing a mirror')
    await remedy(mirror)
    mirror.state.isDamaged = false
    return await attempt(mirror, work, others)
  }
}

/**
 * Explains damage in a mirror that was just created: it comes from the remote, unless another process replaced the
 * mirror.
 */
async function sourceIsBroken(mirror: Mirror, cause: unknown): Promise<Failure> {
  const mark = await readMark(mirror)
  if (mark?.stamp !== mirror.state.stamp) {
    return new Failure('unavailable', 'The mirror is being made again.', { cause })
  }
  return new Failure('repository_invalid', 'The repository itself seems to be damaged.', { cause })
}

/** Creates the mirror when it does not fit. Returns true when it did. */
async function ensureMirror(mirror: Mirror): Promise<boolean> {
  const mark = await readMark(mirror)
  mirror.state.stamp = mark?.stamp ?? null
  if (mark?.address === mirror.address.href && !mirror.state.isDamaged && (await hasFolders(mirror))) {
    await sweep(mirror)
    return false
  }
  await makeMirror(mirror)
  return true
}

/** A long-lived process continues to read files that were deleted. */
async function hasFolders({ gitDir }: Mirror): Promise<boolean> {
  const names = ['HEAD', 'refs', 'objects/pack']
  const found = await Promise.all(names.map((name) => stat(join(gitDir, name)).catch(() => undefined)))
  return !found.includes(undefined)
}

/** Creates the mirror beside its place and renames it. When another process was faster, that mirror is used. */
async function makeMirror(mirror: Mirror): Promise<void> {
  const stamp = randomString(alphabet, 12)
  const fresh = `${mirror.gitDir}.new-${stamp}`
  try {
    await mkdir(fresh, { recursive: true })
    const args = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', '--', fresh]
    const made = await mirror.runner.run({ args })
    if (made.code !== 0) throw gitFailure(made.stderr, 'git init')
    await writeFile(join(fresh, markFile), `${mirror.address.href}\n${stamp}\n`)
    await putInPlace(mirror, fresh)
    mirror.state.stamp = (await readMark(mirror))?.stamp ?? null
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function putInPlace(mirror: Mirror, fresh: string): Promise<void> {
  const mark = await readMark(mirror)
  await forget(mirror)
  if (isOfAnother(mirror, mark)) return
  if (mark !== null) await removeDirectory(mirror.gitDir)
  try {
    await rename(fresh, mirror.gitDir)
  } catch (error) {
    if (!isExisting(error)) throw error
    // Another process was faster, or the folder has no mark and never was a mirror.
    if (isOfAnother(mirror, await readMark(mirror))) return
    await removeDirectory(mirror.gitDir)
    await rename(fresh, mirror.gitDir)
  }
}

type Mark = { readonly address: string; readonly stamp: string }

/** Checks whether another process created the mirror after the current work began. */
function isOfAnother(mirror: Mirror, mark: Mark | null): boolean {
  return mark?.address === mirror.address.href && mark.stamp !== mirror.state.stamp
}

async function readMark(mirror: Mirror): Promise<Mark | null> {
  const text = await readFile(join(mirror.gitDir, markFile), 'utf8').catch(() => '')
  const [address, stamp] = text.split('\n')
  return address === undefined || stamp === undefined || stamp === '' ? null : { address, stamp }
}

/** Removes locks, half-written packs and crash reports of processes that were killed. */
async function sweep(mirror: Mirror): Promise<void> {
  const { gitDir, options } = mirror
  const names = await Promise.all([
    readdir(gitDir),
    readdir(join(gitDir, 'refs'), { recursive: true }).then((found) => found.map((name) => join('refs', name))),
    readdir(join(gitDir, 'objects/pack')).then((found) => found.map((name) => join('objects/pack', name))),
  ]).catch(() => [])
  await Promise.all(
    names.flat().map(async (name) => {
      const limit = name.endsWith('.lock') ? staleLockMs : isLeftover(name) ? options.timeoutMs : Infinity
      if (limit === Infinity) return
      const path = join(gitDir, name)
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined && Date.now() - found.mtimeMs > limit) await rm(path, { recursive: true, force: true })
    }),
  )
}

function isLeftover(name: string): boolean {
  return /^(objects\/pack\/tmp_|fast_import_crash_|docent-facts\.new-|docent-index-)/.test(name)
}

async function fileSize(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() === true ? found.size : 0
}

function ignoreMissing(error: unknown): void {
  if (errnoOf(error) !== 'ENOENT') throw error
}

function isExisting(error: unknown): boolean {
  const errno = errnoOf(error)
  return errno === 'ENOTEMPTY' || errno === 'EEXIST'
}
