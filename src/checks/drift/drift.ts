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
import { type Past, readPast } from './sources/past.ts'
import { readPins } from './sources/pins.ts'
import type { OtherLines } from './sources/removed.ts'
import type { Source } from './sources/source.ts'
import { findStaleTerms } from './stale-terms.ts'
import { findUnknownTerms } from './unknown-terms.ts'
import { createValueLines, type DocumentedValue, type ValueLines, valuesIn } from './values.ts'

export type DriftOptions = {
  readonly sources: readonly Source[]
  /** The repository of the documentation itself, at the commit that is checked: what it had, and when. */
  readonly docs?: Source | undefined
  /** Milliseconds in all. Default: `usualTimeMs`. */
  readonly timeMs?: number
  readonly signal: AbortSignal
}

/** The ground of the findings. */
export type DriftBasis = {
  readonly sources: readonly SourceBasis[]
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
  { sources, docs, timeMs = usualTimeMs, signal }: DriftOptions,
): Promise<Drift> {
  const start = performance.now()
  const within = (share: number) => {
    const left = Math.ceil(start + timeMs * share - performance.now())
    return AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, left))])
  }
  const linesOf = createLinesOf(tree)
  const pages = result.index.pages.filter(isCurrent)
  const terms = documentedIn(pages)
  const { values, lines, others } = await readValues(pages, linesOf)
  const pins = await readPins(sources, others, within(untilPins))
  signal.throwIfAborted()
  const gone = [...terms.values()].map((term) => ({ term, segments: missingOf(term, pins) }))
  const keys = new Set(gone.flatMap(({ segments }) => segments.flatMap((segment) => segment.keys)))
  const pasts: Past[] = []
  const untilThen = { signal: within(untilPast), extra: within(untilExtra) }
  if (pins.unread.length === 0)
    for (const source of sources) pasts.push(await readPast(source, { keys, others }, untilThen))
  signal.throwIfAborted()
  const untilEnd = within(1)
  const looked: Looked = { terms, pins, pasts, linesOf, docsPast: createDocsPast(docs, untilEnd), signal: untilEnd }
  const findings =
    pins.unread.length > 0
      ? []
      : [...(await findStaleTerms(looked)), ...staleValues(values, lines, sources), ...(await findUnknownTerms(looked))]
  signal.throwIfAborted()
  return {
    findings: findings.toSorted(compareFindings),
    coverage: coverageOf(looked, findings),
    basis: {
      sources: sources.map((source) => toBasis(source, pasts)),
      files: pins.files,
      pages: pages.length,
      terms: terms.size,
    },
  }
}

async function readValues(pages: readonly SitePage[], linesOf: (page: SitePage) => Promise<PageLines>) {
  const values: DocumentedValue[] = []
  for (const page of pages) if (page.facts.terms.inline !== '') values.push(...valuesIn(page, await linesOf(page)))
  const lines = createValueLines()
  const others: OtherLines = { keys: new Set(values.map(({ key }) => key)), take: (line) => lines.take(line) }
  return { values, lines, others }
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

function createLinesOf(tree: SiteTree) {
  const known = new Map<SitePage, Promise<PageLines>>()
  const read = async (page: SitePage) => readLines(page, new TextDecoder().decode(await tree.read(page.path)))
  return async (page: SitePage) => {
    const found = known.get(page) ?? read(page)
    known.set(page, found)
    return await found
  }
}
