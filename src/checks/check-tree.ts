// Checks the documentation in a tree of files: finds the sites, reads the facts of their pages and data files, and applies
// the rules. Everything that is expensive is reading facts, which depend on one file alone and may be kept.

import { posix } from 'node:path'
import { inside } from '../docs-syntax/links.ts'
import { isPagePath } from '../docs-syntax/markdown.ts'
import type { PageFacts } from './facts/page-facts.ts'
import type { SiteFacts } from './facts/reader.ts'
import { compareFindings, type Finding } from './finding.ts'
import { findGround, type Ground } from './ground.ts'
import { checkData } from './rules/data-rules.ts'
import { type CheckedPages, checkPages } from './rules/outcomes.ts'
import { createSiteIndex, type SiteIndex } from './rules/site-index.ts'
import type { SitePage } from './rules/site-page.ts'
import { checkSite } from './rules/site-rules.ts'
import type { NamedSite } from '../sites/find-sites.ts'
import type { Site } from '../sites/site.ts'
import { labelId, objectId } from '../sites/names.ts'
import { createPlaceOf, namesOf, type SitePlace } from '../sites/site-map.ts'
import type { SiteTree } from '../sites/tree.ts'

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

/** Larger files are data of another kind. */
const maxBytes = 5_000_000
const dataFile = /\.(?:json|ya?ml|toml)$/i
const notOurs =
  /(?:^|\/)(?:node_modules|vendor|(?:__)?(?:fixtures?|tests?|templates?)(?:__)?|_includes|_?layouts|archetypes)\/|(?:^|\/)(?:package-lock|tsconfig[^/]*)\.json$/i

export async function checkTree(tree: SiteTree, options: CheckOptions): Promise<CheckResult> {
  const { previous } = options
  const entries = tree.entries().filter(({ kind, size }) => kind === 'file' && size <= maxBytes)
  const ground = await findGround(tree, options, previous?.ground)
  const { sites } = ground
  const known = previous?.ground === ground ? previous : undefined
  const placeOf = createPlaceOf(sites)
  const placed = entries.flatMap((file) => {
    const place = isPagePath(file.path) ? (known?.index.page(file.path) ?? placeOf(file.path)) : undefined
    return place ? [{ file, place }] : []
  })
  const pages = placed.filter(({ place }) => !place.site.isIgnored(place.name, place.mount))
  const partFiles = placed.filter(({ place }) => isPart(place))
  const data = entries.filter(({ path }) => dataFile.test(path) && sites.some((site) => isDataOf(site, path)))
  const progress = createProgress(pages.length + partFiles.length + data.length, options)
  const readPage = ({ file, place }: (typeof placed)[number]) =>
    progress(options.facts.page(file, place.site.syntaxOf(place.name), tree))
  const facts = await Promise.all(pages.map(async (page) => readPage(page)))
  const parts = new Map(
    await Promise.all(partFiles.map(async (part) => [part.file.path, await readPage(part)] as const)),
  )
  const read = await Promise.all(
    data.map(async (file) => [file.path, await progress(options.facts.data(file, tree))] as const),
  )
  const sitePages = pages.flatMap(({ file: { path }, place }, at) => {
    const [found, before] = [facts[at], known?.index.page(path)]
    if (!found) return []
    return before?.facts === found ? before : toPage(path, place, found)
  })
  const index = createSiteIndex(ground, sitePages, known?.index)
  const checked = checkPages(index, known?.checked)
  const configs = new Set(sites.flatMap(({ problems }) => problems.map(({ file }) => file)))
  const findings = [
    ...checked.findings,
    ...sites.flatMap((site) => checkSite(index, site)),
    ...checkData(index, new Map(read.filter(([path]) => !configs.has(path)))),
  ].toSorted(compareFindings)
  return { sites, pages: pages.length, findings, index, parts, ground, checked }
}

/** A file between the pages that is no page of its own: a snippet, but not what a tool installed. */
function isPart({ site, name }: SitePlace): boolean {
  return site.hasGenerator && site.isIgnored(name) && !/(?:^|\/)(?:\.|node_modules\/)/.test(name)
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

/** Data beside the pages, in the folders that are served, and beside the configuration; what pages insert is text. */
function isDataOf(site: Site, path: string): boolean {
  if (!site.hasGenerator || notOurs.test(path)) return false
  if (posix.dirname(path) === (site.root === '' ? '.' : site.root)) return true
  const served = site.mounts.flatMap((mount) => (mount.isPart ? [] : mount.folder))
  return [...served, ...site.assets].some((folder) => inside(folder, path) !== undefined)
}

function toPage(path: string, { site, mount, name }: SitePlace, facts: PageFacts): SitePage {
  const { routes, ids } = namesOf({ site, mount, name }, facts.frontmatter)
  const { labels = [], described = [] } = facts.rst ?? {}
  return { path, site, mount, name, facts, routes, ids: [...ids, ...labels.map(labelId), ...described.map(objectId)] }
}
