// Checks the documentation in a tree of files: finds the sites, reads the facts of their pages and data files, and applies
// the rules. Everything that is expensive is reading facts, which depend on one file alone and may be kept.

import type { DataFacts } from './facts/data-facts.ts'
import type { PageFacts } from './facts/page-facts.ts'
import type { SiteFacts } from './facts/reader.ts'
import { type FilesToCheck, findFilesToCheck, type PlacedFile } from './files-to-check.ts'
import { compareFindings, type Finding } from './finding.ts'
import { findGround, type Ground } from './ground.ts'
import { checkData } from './rules/data-rules.ts'
import { type CheckedPages, checkPages } from './rules/outcomes.ts'
import { createSiteIndex, type SiteIndex, type UnjudgedPages } from './rules/site-index.ts'
import type { SitePage } from './rules/site-page.ts'
import { checkSite } from './rules/site-rules.ts'
import type { NamedSite } from '../sites/find-sites.ts'
import type { Site } from '../sites/site.ts'
import { labelId, objectId } from '../sites/names.ts'
import { namesOf, type SitePlace } from '../sites/site-map.ts'
import type { SiteTree, TreeFile } from '../sites/tree.ts'

export type CheckResult = {
  readonly sites: readonly Site[]
  readonly pages: number
  /** In order of path and line. */
  readonly findings: readonly Finding[]
  /** The pages that were checked, with their facts. */
  readonly index: SiteIndex
  /** The files that pages insert. They are no pages, and are not checked. */
  readonly parts: ReadonlyMap<string, PageFacts>
  /** For a later check. */
  readonly ground: Ground
  readonly checked: CheckedPages
}

export type CheckOptions = {
  readonly facts: SiteFacts
  /** The sites that the settings name. */
  readonly sites?: readonly NamedSite[]
  /** An earlier check of the repository, at any commit, with facts from the same reader. */
  readonly previous?: CheckResult | undefined
  /** Called after each file that was read. */
  readonly onProgress?: (done: number, total: number) => void
  readonly signal: AbortSignal
}

export async function checkTree(tree: SiteTree, options: CheckOptions): Promise<CheckResult> {
  const { previous } = options
  const ground = await findGround(tree, options, previous?.ground)
  const known = previous?.ground === ground ? previous : undefined
  const files = findFilesToCheck(tree, ground.sites, (path) => known?.index.page(path))
  const { pages, parts, data } = files
  const progress = createProgress(pages.length + parts.length + data.length, options)
  const readPage = ({ file, place }: PlacedFile) =>
    progress(options.facts.page(file, place.site.syntaxOf(place.name), tree))
  const readData = (file: TreeFile) => progress(options.facts.data(file, tree))
  const read = await readFiles(files, { readPage, readData })
  return judge(ground, read, { known })
}

/** The facts of the files that a check reads. */
export type FactsOfFiles = {
  readonly pages: readonly (PlacedFile & { readonly facts: PageFacts })[]
  readonly parts: ReadonlyMap<string, PageFacts>
  readonly data: ReadonlyMap<string, DataFacts>
}

type Reading = {
  readonly readPage: (page: PlacedFile) => PageFacts | Promise<PageFacts>
  readonly readData: (file: TreeFile) => DataFacts | Promise<DataFacts>
}

export async function readFiles(
  { pages, parts, data }: FilesToCheck,
  { readPage, readData }: Reading,
): Promise<FactsOfFiles> {
  return {
    pages: await Promise.all(pages.map(async (page) => ({ ...page, facts: await readPage(page) }))),
    parts: new Map(await Promise.all(parts.map(async (part) => [part.file.path, await readPage(part)] as const))),
    data: new Map(await Promise.all(data.map(async (file) => [file.path, await readData(file)] as const))),
  }
}

type Judging = {
  /** An earlier check on the same ground. */
  readonly known?: CheckResult | undefined
  /** Pages that are not judged. */
  readonly unjudged?: UnjudgedPages
}

/** Applies the rules. */
export function judge(ground: Ground, { pages, parts, data }: FactsOfFiles, { known, unjudged }: Judging): CheckResult {
  const { sites } = ground
  const sitePages = pages.map(({ file: { path }, place, facts }) => {
    const before = known?.index.page(path)
    return before?.facts === facts ? before : toPage(path, place, facts)
  })
  const index = createSiteIndex({ ...ground, unjudged }, sitePages, known?.index)
  const checked = checkPages(index, known?.checked)
  const configs = new Set(sites.flatMap(({ problems }) => problems.map(({ file }) => file)))
  const findings = [
    ...checked.findings,
    ...sites.flatMap((site) => checkSite(index, site)),
    ...checkData(index, new Map([...data].filter(([path]) => !configs.has(path)))),
  ].toSorted(compareFindings)
  return { sites, pages: pages.length, findings, index, parts, ground, checked }
}

function createProgress(total: number, { onProgress, signal }: CheckOptions) {
  let done = 0
  const count = () => onProgress?.((done += 1), total)
  const later = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    signal.throwIfAborted()
    count()
    return result
  }
  // Most facts are known at once, and thousands of promises would take longer than everything else.
  return <T extends object>(work: T | Promise<T>): T | Promise<T> => {
    if (work instanceof Promise) return later(work)
    count()
    return work
  }
}

function toPage(path: string, { site, mount, name }: SitePlace, facts: PageFacts): SitePage {
  const { routes, ids } = namesOf({ site, mount, name }, facts.frontmatter)
  const { labels = [], described = [] } = facts.rst ?? {}
  return { path, site, mount, name, facts, routes, ids: [...ids, ...labels.map(labelId), ...described.map(objectId)] }
}
