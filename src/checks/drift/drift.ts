// Drift: what documentation still says and the product no longer has. Compares the terms of pages with sources at their pins and
// with their history, within a few seconds. The coverage has everything that was not compared.

import type { Coverage, NotJudged } from '../../sites/coverage.ts'
import type { SiteTree } from '../../sites/tree.ts'
import type { CheckResult } from '../check-tree.ts'
import { compareFindings, type Finding } from '../finding.ts'
import type { SitePage } from '../rules/site-page.ts'
import { documentedIn } from './documented.ts'
import { isCurrent, type PageLines, readLines } from './excused.ts'
import { type Looked, missingOf } from './looked.ts'
import { createDocsPast } from './sources/docs-past.ts'
import { locate, type Past, readPast, type Removal } from './sources/past.ts'
import { type Pins, readPins } from './sources/pins.ts'
import type { OtherLines, Removed } from './sources/removed.ts'
import type { Source } from './sources/source.ts'
import { findStaleTerms } from './stale-terms.ts'
import { findUnknownTerms } from './unknown-terms.ts'
import { createValueLines, type DocumentedValue, type ValueLines, valuesIn } from './values.ts'

export type DriftOptions = {
  readonly sources: readonly Source[]
  /** The repository of the documentation itself, at the commit that is checked: what it had, and when. */
  readonly docs?: Source | undefined
  /** Names of sources that cannot be read at all: nothing is then known to be gone. */
  readonly missing?: readonly string[]
  /** Milliseconds in all. Default: `usualTimeMs`. */
  readonly timeMs?: number
  readonly signal: AbortSignal
}

/** The ground of the findings. */
export type DriftBasis = {
  readonly sources: readonly SourceBasis[]
  /** The names of those that could not be read at all. */
  readonly missing: readonly string[]
  /** The files of the sources at their pins. */
  readonly files: number
  readonly pages: number
  readonly terms: number
}

/** `revisions`: how many of the history were compared; `since`: the date of the oldest. `isWhole`: nothing of it is left. */
export type SourceBasis = {
  readonly name: string
  readonly commit: string
  readonly revisions: number
  readonly since: Date | null
  readonly isWhole: boolean
}

/** `coverage`: counts each documented term once. */
export type Drift = { readonly findings: readonly Finding[]; readonly coverage: Coverage; readonly basis: DriftBasis }

export const usualTimeMs = 5_000
/** Shares of the time: reading the pins, then the history; the rest is for the commits of what was found. */
const untilPins = 0.5
const untilPast = 0.8
const untilExtra = 0.6

/** Throws only the reason of the signal: a source that cannot be read is said in the coverage. */
export async function findDrift(
  { tree, result }: { readonly tree: SiteTree; readonly result: CheckResult },
  options: DriftOptions,
): Promise<Drift> {
  const [drift] = await findDriftIn([{ tree, pages: result.index.pages }], options)
  if (!drift) throw new Error('Each documentation has its drift.')
  return drift
}

/** Some pages of a documentation, which are in the tree. */
export type DocsPages = { readonly tree: SiteTree; readonly pages: readonly SitePage[] }

/**
 * Does the same for several states of a documentation, in their order, and reads the sources once: time that ends early hides
 * the same from all of them, so what differs between them is theirs. Throws only the reason of the signal.
 */
export async function findDriftIn(
  states: readonly DocsPages[],
  { sources, docs, missing = [], timeMs = usualTimeMs, signal }: DriftOptions,
): Promise<readonly Drift[]> {
  const start = performance.now()
  const within = (share: number) => {
    const left = Math.ceil(start + timeMs * share - performance.now())
    return AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, left))])
  }
  const lines = createValueLines()
  const known: KnownLines = new Map()
  const all: Awaited<ReturnType<typeof readDocs>>[] = []
  for (const state of states) all.push(await readDocs(state, known))
  const others: OtherLines = {
    keys: new Set(all.flatMap(({ values }) => values.map(({ key }) => key))),
    take: (line) => lines.take(line),
  }
  const found = await readPins(missing.length > 0 ? [] : sources, others, within(untilPins))
  const pins = { ...found, unread: [...missing, ...found.unread] }
  signal.throwIfAborted()
  const gone = all.flatMap(({ terms }) => [...terms.values()].flatMap((term) => missingOf(term, pins)))
  const keys = new Set(gone.flatMap((segment) => segment.keys))
  const pasts: Past[] = []
  const untilThen = { signal: within(untilPast), extra: within(untilExtra) }
  if (pins.unread.length === 0)
    for (const source of sources) pasts.push(await readPast(source, { keys, others }, untilThen))
  signal.throwIfAborted()
  const untilEnd = within(1)
  const shared = { pins, pasts, locate: createLocate(pins, untilEnd), docsPast: createDocsPast(docs, untilEnd) }
  const drifts: Drift[] = []
  for (const { pages, terms, values, linesOf } of all) {
    const looked: Looked = { ...shared, terms, linesOf }
    const findings =
      pins.unread.length > 0
        ? []
        : [
            ...(await findStaleTerms(looked)),
            ...staleValues(values, lines, sources),
            ...(await findUnknownTerms(looked)),
          ]
    signal.throwIfAborted()
    drifts.push({
      findings: findings.toSorted(compareFindings),
      coverage: coverageOf(looked, findings),
      basis: {
        sources: sources.map((source) => toBasis(source, pasts)),
        missing,
        files: pins.files,
        pages: pages.length,
        terms: terms.size,
      },
    })
  }
  return drifts
}

/** Pages that are read at once: one after the other, 2,000 of a mirror take half of the time. */
const pagesAtOnce = 100

async function readDocs({ tree, pages: given }: DocsPages, known: KnownLines) {
  const linesOf = createLinesOf(tree, known)
  const pages = given.filter(isCurrent)
  const stating = pages.filter(({ facts }) => facts.terms.inline !== '')
  const values: DocumentedValue[] = []
  for (let at = 0; at < stating.length; at += pagesAtOnce) {
    const some = stating.slice(at, at + pagesAtOnce)
    const texts = await Promise.all(some.map(async (page) => ({ page, lines: await linesOf(page) })))
    values.push(...texts.flatMap(({ page, lines }) => valuesIn(page, lines)))
  }
  return { pages, terms: documentedIn(pages), values, linesOf }
}

/** Finds each commit once: whatever time is left, the same name went the same way. */
function createLocate(pins: Pins, signal: AbortSignal): Looked['locate'] {
  const known = new WeakMap<Removed, Map<string, Promise<Removal | undefined>>>()
  return async (past, wanted) => {
    const same = known.get(wanted.removed) ?? new Map<string, Promise<Removal | undefined>>()
    known.set(wanted.removed, same)
    const found = same.get(wanted.written) ?? locate(past, wanted, pins, signal)
    same.set(wanted.written, found)
    return await found
  }
}

function staleValues(values: readonly DocumentedValue[], lines: ValueLines, sources: readonly Source[]): Finding[] {
  const names = sources.map(({ name }) => name).join(', ')
  return values.flatMap((value) => {
    const now = lines.valueNow(value)
    if (!now) return []
    const { page, line, name, literal } = value
    const message = `says ${literal} of ${name}, which was so in ${names} and is ${now.literal} now (${now.path})`
    return [
      { kind: 'stale-value', path: page.path, line, target: `${name} ${literal}`, message, suggestion: now.literal },
    ]
  })
}

/** A term that no source has is judged if a finding says where it went, or if nothing of the history is left to be compared. */
function coverageOf({ terms, pins, pasts }: Looked, findings: readonly Finding[]): Coverage {
  const known = new Set(findings.map(({ target }) => target))
  const isWhole = pasts.every((past) => past.isWhole)
  const all = [...terms.values()]
  const open =
    pins.unread.length > 0
      ? all
      : isWhole
        ? []
        : all.filter((term) => !known.has(term.text) && missingOf(term, pins).length > 0)
  const [first] = open
  const place = first?.places[0]
  if (!first || !place) return { judged: terms.size, notJudged: [] }
  const reason: NotJudged['reason'] = pins.unread.length > 0 ? 'source' : 'history'
  const example = `${place.page.path}:${place.line} ${first.text}`
  return { judged: terms.size - open.length, notJudged: [{ reason, count: open.length, example }] }
}

function toBasis({ name, commit }: Source, pasts: readonly Past[]): SourceBasis {
  const past = pasts.find(({ source }) => source.name === name)
  const { compared = 0, oldest = null, isWhole = false } = past ?? {}
  return { name, commit, revisions: compared, since: oldest?.date ?? null, isWhole }
}

/** By the facts, which the same content has in all states. */
type KnownLines = Map<SitePage['facts'], Promise<PageLines>>

function createLinesOf(tree: SiteTree, known: KnownLines) {
  const read = async (page: SitePage) => readLines(page, new TextDecoder().decode(await tree.read(page.path)))
  return async (page: SitePage) => {
    const found = known.get(page.facts) ?? read(page)
    known.set(page.facts, found)
    return await found
  }
}
