// Reads what the history of a source had: it is compared at each tag and every 50th commit, until the time is over. The commit that removed
// something is then looked for by halves.

import { readTerms } from '../../../docs-syntax/terms/code-terms.ts'
import { termKeys } from '../../../docs-syntax/terms/term-keys.ts'
import { imported, definitionOf } from './definition.ts'
import { dependenciesIn, isManifest, packageKeysOf } from './packages.ts'
import type { Pins } from './pins.ts'
import { isProduct } from './product-files.ts'
import { createRemovedNames, type OtherLines, type PastFile, type Removed, type RemovedNames } from './removed.ts'
import { createRenamed } from './renamed.ts'
import type { FileChange, Revision, Source, Span } from './source.ts'

export type Past = {
  readonly source: Source
  readonly revisions: readonly Revision[]
  readonly names: RemovedNames
  /** The revisions that were compared. */
  readonly compared: number
  /** The oldest of them; null: the pin alone. */
  readonly oldest: Revision | null
  /** Whether nothing before them is left. */
  readonly isWhole: boolean
}

/** Where a name went. `name`: what took its place, in the form of the documented one. */
export type Removal = {
  readonly source: Source
  readonly commit: Revision | null
  readonly name: string | undefined
  /** The commit added a dependency, which probably has it now. */
  readonly isMovedOut: boolean
}

/** First the whole history is compared in large steps, then in smaller ones: time that ends early leaves gaps, and no end. */
const steps = [1_000, 200, 50] as const
/** If time is left: most of what was there for a short time only was never released. */
const extraStep = 10
const mostRevisions = 50_000
/** Larger files are data. */
const maxBytes = 500_000
const batch = 100
const mostImporters = 50
const shortestWord = 4

export type PastNames = { readonly keys: ReadonlySet<string>; readonly others: OtherLines }

/** `extra`: for what is better to have. */
export type PastTime = { readonly signal: AbortSignal; readonly extra: AbortSignal }

export async function readPast(source: Source, { keys, others }: PastNames, time: PastTime): Promise<Past> {
  const names = createRemovedNames(keys, others)
  const revisions = await source.history(mostRevisions, time.signal).catch((): Revision[] => [])
  const usual = steps.map((step) => ({ chosen: choose(revisions, step), signal: time.signal }))
  const compared = new Set<number>()
  const known = new Set<string>()
  const large = new Set<string>()
  let missing = 0
  for (const { chosen, signal } of [...usual, { chosen: choose(revisions, extraStep), signal: time.extra }]) {
    const spans = toSpans(revisions, chosen)
    const changes = signal.aborted ? [] : await source.changes(spans, signal).catch((): FileChange[][] => [])
    const files = changes.flatMap((changed, span) =>
      changed.flatMap(({ path, before }) => {
        if (before === null || known.has(before) || !isProduct(path)) return []
        known.add(before)
        return [{ older: chosen[span + 1] ?? 0, path, oid: before }]
      }),
    )
    let done = 0
    const take = (file: PastFile, content: Buffer | undefined) => {
      if (content === undefined) missing += 1
      else if (content.length > maxBytes) large.add(file.path)
      else if (!content.subarray(0, 1_000).includes(0)) names.take(file, content)
    }
    for (; done < files.length; done += batch) {
      if (signal.aborted || missing > 0) break
      const some = files.slice(done, done + batch).filter(({ path }) => !large.has(path))
      await source.read(some, take, signal)
    }
    if (signal.aborted || missing > 0) done = Math.max(0, done - batch)
    const end = changes.length < spans.length ? 0 : (files[done]?.older ?? Infinity)
    for (const at of chosen) if (at < end) compared.add(at)
  }
  const oldest = [...compared].reduce((most, at) => Math.max(most, at), 0)
  return {
    source,
    revisions,
    names,
    compared: compared.size,
    oldest: revisions[oldest] ?? null,
    isWhole:
      usual.every(({ chosen }) => chosen.every((at) => compared.has(at))) &&
      revisions.length > 0 &&
      revisions.length < mostRevisions,
  }
}

/** Places in the list of revisions; the smallest steps have the tags, too. */
function choose(revisions: readonly Revision[], step: number): number[] {
  const isLast = step === steps.at(-1)
  return revisions.flatMap(({ tags }, at) =>
    at % step === 0 || at === revisions.length - 1 || (isLast && tags.length > 0) ? [at] : [],
  )
}

function toSpans(revisions: readonly Revision[], chosen: readonly number[]): Span[] {
  return chosen.slice(1).map((older, at) => ({
    from: revisions[older]?.commit ?? '',
    to: revisions[chosen[at] ?? 0]?.commit ?? '',
  }))
}

export type Wanted = { readonly written: string; readonly key: string; readonly removed: Removed }

/** Finds the commit that removed a definition, and the name that took its place. Undefined: not in time. */
export async function locate(
  { source, revisions }: Past,
  { written, key, removed: { path, older } }: Wanted,
  pins: Pick<Pins, 'hasName' | 'isPackage'>,
  signal: AbortSignal,
): Promise<Removal | undefined> {
  const commits = revisions.slice(0, older + 1)
  const spans = commits.slice(1).map(({ commit }, at) => ({ from: commit, to: commits[at]?.commit ?? '' }))
  const changes = await source.changes(spans, signal, path).catch((): FileChange[][] => [])
  const changed = changes.flatMap(([change], at) => (change === undefined ? [] : [{ ...change, at }]))
  const linesOf = async (oid: string | null) => (await readText(source, oid, signal)).split('\n')
  const has = (lines: readonly string[]) => lines.some((line) => definitionOf(key, line) !== undefined)
  // The newest change is after the removal, the oldest one before it or the removal itself.
  let [low, high] = [0, changed.length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (has(await linesOf(changed[middle]?.before ?? null))) high = middle
    else low = middle + 1
  }
  const change = changed[low]
  if (!change) return undefined
  const [before, after] = [await linesOf(change.before), await linesOf(change.after)]
  if (!has(before) || has(after) || signal.aborted) return undefined
  const renamed = createRenamed(written, key)
  const [old, fresh] = [new Set(before), new Set(after)]
  renamed.take({ removed: before.filter((line) => !fresh.has(line)), added: after.filter((line) => !old.has(line)) })
  const span = spans[change.at]
  const isMovedOut = span !== undefined && (await isMoved(source, { span, path, pins }, signal))
  return { source, commit: commits[change.at] ?? null, name: renamed.name((name) => pins.hasName(name)), isMovedOut }
}

async function readText(source: Source, oid: string | null, signal: AbortSignal): Promise<string> {
  let text = ''
  const take = (_: unknown, content: Buffer | undefined) => (text = content?.toString('utf8') ?? '')
  if (oid !== null) await source.read([{ oid }], take, signal)
  return text
}

/** Whether the word is a part of the name, and not the name of the source itself. */
function isOf(word: string, name: string, pins: Pick<Pins, 'isPackage'>): boolean {
  return word.length >= shortestWord && name.includes(word) && !pins.isPackage(word)
}

/** Whether the commit added a dependency, and what took the place of the file imports it. */
async function isMoved(
  source: Source,
  { span, path, pins }: { readonly span: Span; readonly path: string; readonly pins: Pick<Pins, 'isPackage'> },
  signal: AbortSignal,
): Promise<boolean> {
  const [changed = []] = await source.changes([span], signal).catch((): FileChange[][] => [])
  const fresh = new Set<string>()
  for (const { path, before, after } of changed) {
    if (!isManifest(path) || before === null || after === null) continue
    const old = new Set(dependenciesIn(path, await readText(source, before, signal)))
    for (const name of dependenciesIn(path, await readText(source, after, signal)))
      if (!old.has(name) && !pins.isPackage(name)) fresh.add(name)
  }
  // Packages of the source name each other, too.
  for (const { path } of changed) for (const folder of path.split('/')) fresh.delete(termKeys(folder).whole)
  const isGone = changed.some((one) => one.path === path && one.after === null)
  // A file that is gone moved to a dependency that is named like it: large commits add others.
  if (isGone)
    for (const name of fresh) if (!termKeys(path).words.some((word) => isOf(word, name, pins))) fresh.delete(name)
  if (fresh.size === 0) return false
  const importers = changed.filter((one) => (isGone ? isProduct(one.path) : one.path === path)).slice(0, mostImporters)
  for (const { before, after } of importers) {
    const old = new Set((await readText(source, before, signal)).split('\n'))
    for (const line of (await readText(source, after, signal)).split('\n')) {
      if (old.has(line) || !imported.test(line)) continue
      if (readTerms(line).some(({ text }) => packageKeysOf(text).some((one) => fresh.has(one)))) return true
    }
  }
  return false
}
