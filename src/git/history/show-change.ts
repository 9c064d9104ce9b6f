// Shows a change file by file. Which files differ is known from trees; contents are read only for files that get a patch, and
// only if they are in the mirror.

import { Failure } from '../../lib/failure.ts'
import { failureOf, type Mirror } from '../cache/mirror.ts'
import { splitPatches } from '../read/diff.ts'
import { sizesOf } from '../read/sizes.ts'
import { patchFlags } from '../read/tree-flags.ts'
import { isDone } from '../transport/run.ts'
import type { ChangeQuery, Oid, ShownChange, ShownFile } from '../types.ts'
import { readCommit } from '../write/commit-object.ts'
import { changesBetween, emptyTree, isWithin, type RawChange, treeOf, visibleOf } from './changes.ts'

/** `bring`: fetches contents; without it, all of them should be here. */
export type ShowContext = {
  readonly mirror: Mirror
  readonly bring?: (oids: readonly Oid[], signal: AbortSignal) => Promise<void>
}

const mostListed = 1_000
/** For one process of git, whose arguments they are. */
const mostPatches = 300
const timeoutMs = 10_000
/** For the long-lived process. */
const [mostSmall, maxSmallBytes] = [50, 1_000_000]

export async function showChange(context: ShowContext, query: ChangeQuery, signal: AbortSignal): Promise<ShownChange> {
  const { mirror } = context
  const { from, to } = await endsOf(mirror, query)
  const { files, isCut } = await changesBetween(mirror, from, to, signal)
  const visible = visibleOf(files, query.isVisible).filter(
    ({ path, previousPath }) => isWithin(path, query.path) || isWithin(previousPath ?? path, query.path),
  )
  const listed = visible.slice(0, mostListed)
  const wanted = listed.filter((file) => needsPatch(file, query)).slice(0, mostPatches)
  const sizes = await bringContents(context, wanted.flatMap(contentsOf), signal)
  const readable = wanted.filter((file) => sizeReason(mirror, file, sizes) === null)
  const change = { from, to, maxBytes: query.maxBytes }
  const mayBeSmall = !isCut && readable.length > 0 && readable.length === wanted.length
  const patches =
    (mayBeSmall ? await patchesOfSmall(mirror, { ...change, files }) : undefined) ??
    (await patchesOf(mirror, { ...change, files: readable }, signal))
  const shown = listed.map((file): ShownFile => {
    const { path, previousPath, status } = file
    // Its content is the same.
    if (status === 'renamed') return { path, previousPath, status, patch: '', left: null }
    const reason = reasonOf(file, query) ?? (wanted.includes(file) ? sizeReason(mirror, file, sizes) : 'later')
    const found = reason === null ? patches.get(file) : undefined
    return { path, previousPath, status, ...(found ?? { patch: null, left: reason ?? 'later' }) }
  })
  return { files: shown, isCut: isCut || visible.length > mostListed }
}

async function endsOf(mirror: Mirror, query: ChangeQuery): Promise<{ readonly from: Oid; readonly to: Oid }> {
  if ('commit' in query) {
    const { parents } = await readCommit(mirror, query.commit)
    return { from: parents[0] ?? emptyTree, to: query.commit }
  }
  await Promise.all([readCommit(mirror, query.from), readCommit(mirror, query.to)])
  return query
}

function reasonOf({ path, isSubmodule, isNameable }: RawChange, query: ChangeQuery): ShownFile['left'] {
  if (!isNameable) return 'unnameable'
  if (isSubmodule) return 'submodule'
  return query.isGenerated(path) && query.path !== path ? 'generated' : null
}

function needsPatch(file: RawChange, query: ChangeQuery): boolean {
  return file.status !== 'renamed' && reasonOf(file, query) === null
}

function sizeReason({ options }: Mirror, file: RawChange, sizes: ReadonlyMap<Oid, number>): ShownFile['left'] {
  const found = contentsOf(file).map((oid) => sizes.get(oid))
  if (found.includes(undefined)) return 'not_fetched'
  return found.some((size = 0) => size > options.maxFileBytes) ? 'over_limit' : null
}

function contentsOf({ before, after }: RawChange): Oid[] {
  return [before, after].filter((oid) => oid !== null)
}

/** Contents that cannot be fetched are missing, which the result says. */
async function bringContents(
  { mirror, bring }: ShowContext,
  oids: readonly Oid[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Oid, number>> {
  const sizes = await sizesOf(mirror, oids)
  if (bring === undefined || oids.every((oid) => sizes.has(oid))) return sizes
  await bring(oids, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) throw error
    mirror.options.log.warn({ mirror: mirror.gitDir, reason: error.message }, 'contents of a change were not fetched')
  })
  return await sizesOf(mirror, oids)
}

type Wanted = {
  readonly from: Oid
  readonly to: Oid
  readonly files: readonly RawChange[]
  readonly maxBytes: number
}
type Patch = Pick<ShownFile, 'patch' | 'left'>

/** The patches that fit into the limit, by their files; the last one may be cut. */
async function patchesOf(
  mirror: Mirror,
  { from, to, files, maxBytes }: Wanted,
  signal: AbortSignal,
): Promise<ReadonlyMap<RawChange, Patch>> {
  if (files.length === 0) return new Map()
  const specs = files.map(({ path }) => `:(top,literal)${path}`)
  const args = ['diff-tree', ...patchFlags, '--end-of-options', from, to, '--', ...specs]
  const result = await mirror.runner.run({ args, maxBytes, timeoutMs, gitDir: mirror.gitDir }, signal)
  const isCut = result.ended === 'full' || result.ended === 'timeout'
  if (!isCut && !isDone(result)) throw failureOf(mirror, result, { args })
  return readPatches(files, result.stdout.subarray(0, maxBytes), isCut)
}

/**
 * The patches of all files, also of those that are not shown, by the long-lived process. Undefined: they are too many or too large,
 * or a content is not here.
 */
async function patchesOfSmall(
  mirror: Mirror,
  { from, to, files, maxBytes }: Wanted,
): Promise<ReadonlyMap<RawChange, Patch> | undefined> {
  if (files.length > mostSmall || files.some(({ status, isSubmodule }) => status === 'renamed' || isSubmodule))
    return undefined
  const sizes = await sizesOf(mirror, files.flatMap(contentsOf))
  if (files.some((file) => sizeReason(mirror, file, sizes) !== null)) return undefined
  if ([...sizes.values()].reduce((sum, size) => sum + size, 0) > maxSmallBytes) return undefined
  const [before, after] = [await treeOf(mirror, from), await treeOf(mirror, to)]
  const bytes = before && after && (await mirror.comparisons.patches.ofTrees(before, after))
  return bytes && bytes.length <= maxBytes ? readPatches(files, bytes, false) : undefined
}

/** Both are in the order of paths. */
function readPatches(files: readonly RawChange[], bytes: Buffer, isCut: boolean): ReadonlyMap<RawChange, Patch> {
  const texts = splitPatches(isCut ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes)
  const patches = new Map<RawChange, Patch>()
  // A file that becomes a link has two patches.
  let next = 0
  for (const [index, text] of texts.entries()) {
    const file = files[next]
    if (file === undefined) break
    const before = patches.get(file)?.patch ?? ''
    const isLast = index === texts.length - 1
    patches.set(file, { patch: before + text, left: isCut && isLast ? 'cut' : null })
    if (!isFirstOfTwo(text, texts[index + 1])) next += 1
  }
  return patches
}

function isFirstOfTwo(text: string, following: string | undefined): boolean {
  const [first = ''] = text.split('\n', 1)
  return following?.split('\n', 1)[0] === first && text.includes('\ndeleted file mode ')
}
