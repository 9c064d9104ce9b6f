// Translations that are behind: the text of the source page has changed after the last commit that touched the translation. Text is
// what readers see, code included, without its markup, and the title and the description; where a link leads is not.
//
// The history is read in one go for all pages, from the newest commit on, until each translation was met. A commit that touches both
// brings them up to date together.

import type { PageSyntax } from '../../docs-syntax/page.ts'
import { type Coverage, nothingJudged } from '../../sites/coverage.ts'
import type { SiteTree } from '../../sites/tree.ts'
import type { CheckResult } from '../check-tree.ts'
import type { Revision, Source } from '../drift/sources/source.ts'
import type { PageFacts } from '../facts/page-facts.ts'
import type { SiteFacts } from '../facts/reader.ts'
import type { SitePage } from '../rules/site-page.ts'
import { pairTranslations } from './pairs.ts'

/** `since`: the last commit that touched the translation. */
export type OutdatedTranslation = { readonly path: string; readonly source: string; readonly since: Revision }

export type Translations = {
  /** In order of their paths. */
  readonly outdated: readonly OutdatedTranslation[]
  /** Counts each translation once. */
  readonly coverage: Coverage
}

type Checked = { readonly tree: SiteTree; readonly result: Pick<CheckResult, 'index'> }
type Options = {
  /** The repository of the documentation, at the commit on which the tree is. Undefined: it is in no repository. */
  readonly docs: Source | undefined
  /** Where the tree is in the repository: empty, or with a slash at the end. */
  readonly prefix?: string
  readonly facts: Pick<SiteFacts, 'page'>
  readonly signal: AbortSignal
}

const mostRevisions = 20_000
/** Revisions whose changes are read together. */
const step = 500

/** Throws only the reason of the signal. */
export async function findOutdated({ tree, result: { index } }: Checked, options: Options): Promise<Translations> {
  const { sources, open } = pairTranslations(index)
  const unclear = notJudged('translation', open)
  if (sources.size === 0) return { outdated: [], coverage: { judged: 0, notJudged: unclear } }
  const pages = [...sources.keys()]
  const met = options.docs && (await readTouches(options.docs, sources, options).catch(() => undefined))
  options.signal.throwIfAborted()
  if (!met || !options.docs)
    return { outdated: [], coverage: { judged: 0, notJudged: [...notJudged('commits', pages), ...unclear] } }
  const outdated: OutdatedTranslation[] = []
  const unknown: SitePage[] = []
  for (const [page, source] of sources) {
    const touch = met.touches.get(page)
    if (touch === 'now') continue
    const before = touch && met.textAt(source, touch.at)
    if (!touch || before === undefined) {
      unknown.push(page)
      continue
    }
    if (before === null) continue
    const old = await readFacts({ oid: before, page: source }, options.docs, options)
    if (old === undefined) unknown.push(page)
    else if (
      old.text !== null &&
      source.facts.text !== null &&
      textOf(old) !== textOf(source.facts) &&
      !(await met.isEdited(page, tree))
    )
      outdated.push({ path: page.path, source: source.path, since: touch.revision })
  }
  options.signal.throwIfAborted()
  const judged = sources.size - unknown.length
  return { outdated, coverage: { judged, notJudged: [...notJudged('commits', unknown), ...unclear] } }
}

function notJudged(reason: 'translation' | 'commits', pages: readonly SitePage[]): Coverage['notJudged'] {
  const [first] = pages
  return first ? [{ reason, count: pages.length, example: first.path }] : nothingJudged.notJudged
}

type Touch = { readonly at: number; readonly revision: Revision }
/** `textAt`: the content of the page after the revision; null: it is the same now. Undefined: not known. */
type Touches = {
  /** `now`: it was changed and not committed. */
  readonly touches: ReadonlyMap<SitePage, Touch | 'now'>
  textAt(page: SitePage, at: number): string | null | undefined
  /** Whether the page was changed and not committed. */
  isEdited(page: SitePage, tree: SiteTree): Promise<boolean>
}

async function readTouches(
  docs: Source,
  sources: ReadonlyMap<SitePage, SitePage>,
  { prefix = '', signal }: Options,
): Promise<Touches | undefined> {
  const revisions = await docs.history(mostRevisions, signal)
  const root = revisions.at(-1)
  if (!root) return undefined
  const committed = new Map((await docs.files(signal)).map(({ path, oid }) => [path, oid]))
  const waiting = new Map([...sources.keys()].map((page) => [prefix + page.path, page]))
  const sourcePaths = new Set([...sources.values()].map(({ path }) => prefix + path))
  const touches = new Map<SitePage, Touch | 'now'>()
  const changes = new Map<string, { readonly at: number; readonly before: string | null }[]>()
  for (const [path, page] of waiting) {
    if (committed.has(path)) continue
    touches.set(page, 'now')
    waiting.delete(path)
  }
  for (let start = 0; start + 1 < revisions.length && waiting.size > 0 && !signal.aborted; start += step) {
    const some = revisions.slice(start, start + step + 1)
    const spans = some.slice(1).map((older, at) => ({ from: older.commit, to: some[at]?.commit ?? '' }))
    const changed = await docs.changes(spans, signal)
    if (changed.length < spans.length) return undefined
    for (const [offset, files] of changed.entries()) {
      const at = start + offset
      const revision = revisions[at]
      for (const { path, before } of files) {
        const page = waiting.get(path)
        if (page && revision) touches.set(page, { at, revision })
        waiting.delete(path)
        if (sourcePaths.has(path)) changes.set(path, [...(changes.get(path) ?? []), { at, before }])
      }
    }
  }
  // Those that the first commit brought. A history that is cut says nothing of them.
  if (revisions.length < mostRevisions)
    for (const page of waiting.values()) touches.set(page, { at: revisions.length - 1, revision: root })
  return {
    touches,
    isEdited: async ({ path }, tree) => {
      const now = await tree.read(path)
      const then = await readContent(docs, committed.get(prefix + path) ?? '', signal)
      return now === undefined || then === undefined || Buffer.compare(now, then) !== 0
    },
    textAt: ({ path }, at) => {
      // The oldest change after it has what the page was then. A page that came only afterwards is no older source.
      const later = (changes.get(prefix + path) ?? []).filter((change) => change.at < at)
      const oldest = later.at(-1)
      if (!oldest) return null
      return oldest.before ?? undefined
    },
  }
}

type Old = { readonly oid: string; readonly page: SitePage }

async function readFacts({ oid, page }: Old, docs: Source, { facts, signal }: Options): Promise<PageFacts | undefined> {
  const bytes = await readContent(docs, oid, signal)
  if (!bytes) return undefined
  const syntax: PageSyntax = page.site.syntaxOf(page.name)
  const tree = { entries: () => [], read: async () => await Promise.resolve(bytes) }
  return await facts.page({ path: page.path, kind: 'file', size: bytes.length, oid }, syntax, tree)
}

async function readContent(docs: Source, oid: string, signal: AbortSignal): Promise<Buffer | undefined> {
  let content: Buffer | undefined
  await docs.read([{ oid }], (_, found) => (content = found), signal)
  return content
}

function textOf({ text, frontmatter }: PageFacts): string {
  const { title = '', description = '' } = frontmatter?.strings ?? {}
  return JSON.stringify([text?.whole, title, description])
}
