// Shares one fetch among many callers. A caller that arrives during a fetch waits for the next one, which fetches the
// branches of all waiting callers. A fetch is aborted only when its last caller has given up.

import { abortable } from '../../lib/abortable.ts'
import { branchesAbove, refuseBlocked } from '../../lib/push-rules/blocked-branch.ts'
import { Failure } from '../../lib/failure.ts'
import type { Lock } from './lock.ts'
import { branchesOf, type Mirror, git, localRefs, removeOversize, withMirror } from './mirror.ts'
import { damaged } from '../transport/errors.ts'
import { branchProblem, branchRef } from '../write/refname.ts'
import { type Listing, fetchRefs, fetchTips, listRemote, listWithTags } from '../transport/remote.ts'
import { type Packing, repackWhenNeeded } from './repack.ts'
import type { Oid, RemoteRefs, WantedRefs } from '../types.ts'

/** The refs that one fetch updates. `bases` are the branches whose whole tree is checked; null is the remote's HEAD. */
type Wanted = { readonly branches: Set<string>; readonly bases: Set<string | null>; readonly planned: Set<string> }

/** `listed`: also the branches that make a planned one impossible, which are not fetched. */
type Brought = Listing & { readonly listed: Listing['branches'] }

type Batch = {
  readonly wanted: Wanted
  readonly controller: AbortController
  readonly done: Promise<Brought>
  callers: number
}

export type FetchOptions = {
  readonly mirror: Mirror
  /** The mirror at the address of the repository that has the branches of jobs. */
  readonly published: Mirror
  readonly lock: Lock
  /** Reads the listing of a commit. Throws `repository_too_large`, and damage. */
  readonly inspect: (commit: Oid) => Promise<unknown>
  /** Default: everything that the branches need, except their history if the mirror is empty. */
  readonly bring?: BringBranches
  readonly packing?: Packing
}

/** Sets branches of the mirror to what the remote has. `isFirst`: the mirror is empty. */
export type BringBranches = (branches: readonly string[], isFirst: boolean, signal: AbortSignal) => Promise<void>

export type Fetch = (wanted: WantedRefs, signal: AbortSignal) => Promise<RemoteRefs>

export function createFetch(options: FetchOptions): Fetch {
  const state: { next: Batch | null } = { next: null }

  function waitingBatch(): Batch {
    if (state.next !== null && !state.next.controller.signal.aborted) return state.next
    const wanted: Wanted = { branches: new Set(), bases: new Set(), planned: new Set() }
    const controller = new AbortController()
    const done = options.lock(async () => {
      if (state.next === batch) state.next = null
      return await update(options, wanted, controller.signal)
    })
    // The last caller may have left before the fetch fails.
    done.catch(() => {})
    const batch: Batch = { wanted, controller, done, callers: 0 }
    state.next = batch
    return batch
  }

  return async (wanted, signal) => {
    signal.throwIfAborted()
    for (const branch of [...wanted.branches, ...(wanted.branch === null ? [] : [wanted.branch])]) branchRef(branch)
    const batch = waitingBatch()
    for (const branch of wanted.branches) batch.wanted.branches.add(branch)
    batch.wanted.bases.add(wanted.branch)
    if (wanted.planned !== undefined) batch.wanted.planned.add(wanted.planned)
    const listing = await join(batch, signal)
    return await pick(options, wanted, listing, signal)
  }
}

/** Fetches the wanted branches. The caller holds the lock. */
export async function update(options: FetchOptions, wanted: Wanted, signal: AbortSignal): Promise<Brought> {
  signal.throwIfAborted()
  try {
    return await withMirror(options.mirror, async () => {
      const listing = await bringRefs(options, wanted, signal)
      for (const base of wanted.bases) await inspectBase(options, listing.branches.get(base ?? listing.head ?? ''))
      await repackWhenNeeded(options.mirror, signal, options.packing)
      return listing
    })
  } catch (error) {
    if (error instanceof Failure && error.code === 'repository_too_large') await removeOversize(options.mirror)
    throw error
  }
}

async function join(batch: Batch, signal: AbortSignal): Promise<Brought> {
  batch.callers += 1
  try {
    return await abortable(batch.done, signal)
  } finally {
    batch.callers -= 1
    if (batch.callers === 0) batch.controller.abort(signal.reason)
  }
}

/**
 * Updates the mirror to the remote's refs. Transfers nothing when they are equal. Leaves the history out if the mirror has
 * no branch yet; to a mirror without history, a later fetch only adds what came after.
 */
async function bringRefs(remotes: Remotes, wanted: Wanted, signal: AbortSignal): Promise<Brought> {
  const { mirror, published, bring = bringWhole(mirror) } = remotes
  const bases = [...wanted.bases].filter((base) => base !== null)
  const asked = [...wanted.branches, ...bases]
  const planned = [...wanted.planned].flatMap((name) => [name, ...branchesAbove(name)])
  const isForked = mirror !== published
  const listing = await listWithTags(mirror, isForked ? bases : [...asked, ...planned], signal)
  const listed = isForked ? await listBranches(published, [...wanted.branches, ...planned], signal) : listing.branches
  const isForks = (name: string): boolean => isForked && listed.has(name) && !listing.branches.has(name)
  const isWanted = (name: string): boolean => asked.includes(name) || name === listing.head
  const all = [...listed, ...listing.branches]
  const branches = new Map(all.filter(([name]) => isWanted(name) && branchProblem(name) === null))
  const local = await readLocal(mirror, asked, [...branches.keys()])
  await dropRefs(mirror, staleRefs([...local.keys()], asked, branches), signal)
  const changed = [...branches].filter(([name, oid]) => local.get(name) !== oid).map(([name]) => name)
  const [theirs, ours] = [changed.filter(isForks), changed.filter((name) => !isForks(name))]
  if (ours.length > 0) await bring(ours, local.size === 0, signal)
  if (theirs.length > 0) await fetchRefs(published, theirs, signal)
  const after = changed.length > 0 ? await branchesOf(mirror, branches.keys()) : local
  for (const name of branches.keys()) branches.set(name, await presentCommit(mirror, after.get(name)))
  return { ...listing, branches, listed }
}

/** The branches of the mirror; only those that are named if it has all that were found: no other one is in their way then. */
async function readLocal(
  mirror: Mirror,
  asked: readonly string[],
  found: readonly string[],
): Promise<Map<string, Oid>> {
  const named = await branchesOf(mirror, [...asked, ...found])
  return found.every((name) => named.has(name)) ? named : await localRefs(mirror)
}

type Remotes = Pick<FetchOptions, 'mirror' | 'published' | 'bring'>

function bringWhole(mirror: Mirror): BringBranches {
  return async (branches, isFirst, signal) => await (isFirst ? fetchTips : fetchRefs)(mirror, branches, signal)
}

/** A branch of the repository itself comes before one of the same name in the fork. */
async function listBranches(
  published: Mirror,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Oid>> {
  if (names.length === 0) return new Map()
  const { branches } = await listRemote(published, names, signal)
  // The listing also has the fork's default branch.
  return new Map([...branches].filter(([name]) => names.includes(name)))
}

async function pick(
  options: FetchOptions,
  wanted: WantedRefs,
  listing: Brought,
  signal: AbortSignal,
): Promise<RemoteRefs> {
  if (wanted.planned !== undefined) refuseBlocked(wanted.planned, listing.listed)
  const branch = wanted.branch ?? listing.head
  const commit = branch === null ? undefined : listing.branches.get(branch)
  if (branch === null || commit === undefined) throw await missingBase(options.mirror, wanted, listing, signal)
  await options.inspect(commit)
  const heads = wanted.branches.flatMap((name) => {
    const oid = listing.branches.get(name)
    return oid === undefined ? [] : [[name, oid] as const]
  })
  return { base: { branch, commit }, heads: new Map(heads), tags: listing.tags }
}

async function missingBase(
  mirror: Mirror,
  wanted: WantedRefs,
  listing: Listing,
  signal: AbortSignal,
): Promise<Failure> {
  const all = await listRemote(mirror, null, signal)
  const names = [...all.branches.keys()]
  if (names.length === 0) return new Failure('repository_empty', 'The repository has no branch yet.')
  const missing = wanted.branch ?? all.head
  if (missing !== null && branchProblem(missing) === null && all.branches.has(missing)) {
    const message = `The host lists the branch ${missing}, which it left out a moment ago.`
    return new Failure('repository_unreachable', message)
  }
  const some = names.slice(0, 10).join(', ') + (names.length > 10 ? ', …' : '')
  if (wanted.branch !== null) {
    return new Failure('base_not_found', `There is no branch ${wanted.branch} in the repository. It has: ${some}.`)
  }
  const head = listing.head === null ? 'The HEAD of the repository names no branch that exists' : 'Its HEAD is unusable'
  return new Failure('base_not_found', `${head}; set the base branch of the project. It has: ${some}.`)
}

/** Finds refs that the remote deleted, and refs that block a new one: `a` cannot exist beside `a/b`. */
function staleRefs(local: readonly string[], asked: readonly string[], found: ReadonlyMap<string, Oid>): string[] {
  const isInTheWay = (name: string): boolean =>
    [...found.keys()].some((other) => other.startsWith(`${name}/`) || name.startsWith(`${other}/`))
  return local.filter((name) => (asked.includes(name) && !found.has(name)) || isInTheWay(name))
}

async function dropRefs(mirror: Mirror, names: readonly string[], signal: AbortSignal): Promise<void> {
  if (names.length === 0) return
  const input = names.map((name) => `delete refs/heads/${name}\n`).join('')
  await git(mirror, { args: ['update-ref', '--stdin'], input }, signal)
}

async function presentCommit(mirror: Mirror, oid: Oid | undefined): Promise<Oid> {
  const found = oid === undefined ? undefined : await mirror.objects.read(oid)
  if (oid === undefined || found?.type !== 'commit') throw damaged('a fetched commit is missing')
  return oid
}

/** Checks the base for damage. `pick` reports a base that is too large, to the callers who asked for that base. */
async function inspectBase(options: FetchOptions, commit: Oid | undefined): Promise<void> {
  if (commit === undefined) return
  await options.inspect(commit).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'repository_too_large') throw error
  })
}
