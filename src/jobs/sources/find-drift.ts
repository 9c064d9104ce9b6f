// Compares documentation with the sources of a run, at their pins: what it still says and the product no longer has.

import { type AddedNames, areAllPresent, changedPages, findAddedNames } from '../../checks/drift/changed.ts'
import { type DocsPages, type Drift, type DriftOptions, findDriftIn, usualTimeMs } from '../../checks/drift/drift.ts'
import { isManifest } from '../../checks/drift/sources/packages.ts'
import { isProduct, isRead } from '../../checks/drift/sources/product-files.ts'
import { termKeys } from '../../docs-syntax/terms/term-keys.ts'
import type { Git, Oid, Repository, SourcePast, SourceRepository } from '../../git/types.ts'
import type { Db } from '../../postgres/types.ts'
import type { RunSource } from './run-sources.ts'
import { createIsVisible } from './visible.ts'

/**
 * `docs`: states of a documentation, the earliest first. `change`: compares the pages that they differ in; undefined if the later
 * ones add nothing that the sources could lack. Throws only the reason of the signal: a source that cannot be read is said in the coverage.
 */
export type FindDrift = (
  docs: readonly DocsPages[],
  extent: 'all' | 'change',
  signal: AbortSignal,
) => Promise<readonly Drift[] | undefined>

type Context = {
  readonly db: Db
  readonly git: Pick<Git, 'source'>
  readonly projectId: string
  /** The repository of the documentation, at the base of the run: what it named, and when. */
  readonly docs: { readonly repository: Pick<Repository, 'pastOf'>; readonly commit: Oid }
  /** Whether the run has ended, so that nobody waits: the history and contents that come late are waited for. */
  readonly isOver: boolean
}

/** Undefined: the run reads no source. */
export function createFindDrift(context: Context, sources: readonly RunSource[]): FindDrift | undefined {
  if (sources.length === 0) return undefined
  return async (docs, extent, signal) => {
    const opened = await openAll(context, sources, signal)
    const changed = changedPages(docs)
    if (extent === 'all') return await findKept(docs, changed, { opened, context, signal })
    if (!(await mayBring(changed, opened, signal))) return undefined
    return await find(changed, opened, context, { timeMs: usualTimeMs, signal })
  }
}

type Finding = { readonly opened: Opened; readonly context: Context; readonly signal: AbortSignal }

/** By the pages of the earliest state, which the next runs on the same commit have, too. `pins`: what they were compared with. */
const kept = new WeakMap<DocsPages['pages'], { readonly pins: string; readonly drift: Drift }>()

/** A change that adds no name that the sources lack, and touches no page with a finding, leaves everything as it was. */
async function findKept(
  docs: readonly DocsPages[],
  changed: readonly DocsPages[],
  { opened, context, signal }: Finding,
): Promise<readonly Drift[]> {
  const [first] = docs
  const pins = JSON.stringify([opened.sources.map(({ source }) => source), opened.missing])
  const known = first && kept.get(first.pages)
  if (known?.pins === pins) {
    const paths = new Set(changed.flatMap(({ pages }) => pages.map(({ path }) => path)))
    const isTouched = known.drift.findings.some(({ path }) => paths.has(path))
    if (!isTouched && !(await mayBring(changed, opened, signal))) return docs.map(() => known.drift)
  }
  const found = await find(docs, opened, context, { timeMs: wholeTimeMs, signal })
  const drift = found[0]
  if (first && drift?.basis.sources.every(({ isWhole }) => isWhole)) kept.set(first.pages, { pins, drift })
  return found
}

type Opened = { readonly sources: readonly OpenSource[]; readonly missing: readonly string[] }
type OpenSource = { readonly source: RunSource; readonly repository: SourceRepository; readonly past: SourcePast }

/** A source of the project that the run does not read may have any name, too. */
async function openAll(context: Context, sources: readonly RunSource[], signal: AbortSignal): Promise<Opened> {
  const { db, projectId } = context
  const found = await Promise.all(sources.map((source) => openOne(context, source, signal)))
  const opened = found.filter((one) => one !== undefined)
  const rows = await db.selectFrom('sources').select('name').where('project_id', '=', projectId).execute()
  const read = new Set(opened.map(({ source }) => source.name))
  const names = new Set([...sources, ...rows].map(({ name }) => name))
  return { sources: opened, missing: [...names].filter((name) => !read.has(name)).toSorted() }
}

async function openOne(
  { git, isOver }: Context,
  source: RunSource,
  signal: AbortSignal,
): Promise<OpenSource | undefined> {
  const { id, name, repository: address, branch, paths, commit } = source
  if (commit === null) return undefined
  const isVisible = createIsVisible(paths)
  try {
    const repository = git.source(id, address)
    // The pin of a run that has ended may be gone.
    if (isOver) await repository.ensure(commit, { branch, isVisible }, signal)
    return { source, repository, past: repository.pastOf({ name, commit, isVisible, isWanted }) }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function isWanted(path: string): boolean {
  return isProduct(path) || isManifest(path)
}

/** After each look, contents of the past that came late are compared, too: once for each distance of revisions. */
const mostLooks = 4
/** The history of a source that takes longer is there for the next check. */
const longestMs = 60_000
/** A check of all pages is there to find what is stale: a term that there was no time for would look like one that is not. */
const wholeTimeMs = 20_000

async function find(
  docs: readonly DocsPages[],
  { sources, missing }: Opened,
  { docs: { repository, commit }, isOver }: Context,
  { timeMs, signal }: Required<Pick<DriftOptions, 'timeMs' | 'signal'>>,
): Promise<readonly Drift[]> {
  const pasts = sources.map(({ past }) => past)
  const options = { sources: pasts, docs: repository.pastOf(commit), missing, timeMs, signal }
  const look = async () => await findDriftIn(docs, options)
  if (!isOver || missing.length > 0) return await look()
  // A failure is that of the source: the coverage has it.
  const soon = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  await Promise.all(pasts.map((past) => past.history(1, soon).catch(() => [])))
  for (let looks = 1; ; looks += 1) {
    const found = await look()
    const isMore = await Promise.all(pasts.map((past) => past.settled(signal)))
    if (looks === mostLooks || !isMore.includes(true)) return found
  }
}

/** A search takes so many names, and finds so many lines. */
const mostNames = 40
const mostLines = 2_000

/** Whether a later state adds a name that no source has, as far as quick searches tell, or a value. */
async function mayBring(docs: readonly DocsPages[], opened: Opened, signal: AbortSignal): Promise<boolean> {
  const { terms, hasValues } = await findAddedNames(docs)
  if (hasValues || (terms.length > 0 && opened.missing.length > 0)) return true
  const names = terms.flatMap(({ segments }) => segments.map(({ text }) => text))
  if (names.length > mostNames) return true
  const present = new Set<string>()
  for (const source of opened.sources) {
    if (areAllPresent(terms, present)) return false
    for (const key of await searchNames(source, names, signal)) present.add(key)
  }
  return !areAllPresent(terms, present)
}

async function searchNames(
  { repository, source: { commit, paths } }: OpenSource,
  names: AddedNames['terms'][number]['text'][],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const keys = names.map((name) => termKeys(name))
  const pattern = keys.map(({ whole, words }) => (words.length > 1 ? words.join('[-_]*') : whole)).join('|')
  if (commit === null || pattern === '') return []
  const query = { pattern, syntax: 'regex', ignoreCase: true, globs: [], limit: mostLines } as const
  try {
    const { matches } = await (await repository.tree(commit, createIsVisible(paths))).search(query, signal)
    const lines = matches.filter(({ path }) => isRead({ path, kind: 'file', size: 0, oid: '' }))
    return lines
      .flatMap(({ text }) => text.match(/[\w-]+/g) ?? [])
      .flatMap((run) => {
        return [run, ...run.split('-')].map((name) => termKeys(name).whole)
      })
  } catch {
    signal.throwIfAborted()
    return []
  }
}
