// Counts what a check judged, and what it could not judge, by reason: of everything, and of what a change touches.

import { posix } from 'node:path'
import { type Coverage, reasonNames, type Reason } from '../sites/coverage.ts'
import type { Site } from '../sites/site.ts'
import type { SiteTree } from '../sites/tree.ts'
import type { CheckResult } from './check-tree.ts'
import { importedPath, includedBy } from './rules/imported.ts'
import type { PageOutcome } from './rules/page-rules.ts'
import { navigationEntries, pagesOf } from './rules/navigation-entries.ts'
import { resolveOf } from './rules/resolve.ts'
import type { SiteIndex } from './rules/site-index.ts'
import { unlistedPages } from './rules/unlisted.ts'

type Place = { readonly reason: Reason; readonly path: string; readonly line: number; readonly url: string }

/** Documentation in a syntax that nothing here reads, as far as the name tells. */
const unread = /\.(?:org|textile|rdoc|ipynb|qmd|rmd|mdoc|markdoc|pod|typ|wiki)$/i
const notOurs =
  /(?:^|\/)(?:\.[^/]*|node_modules|vendor|third_party|(?:__)?(?:fixtures?|tests?|templates?|examples?)(?:__)?)\//i

/** Covers everything that was checked. */
export function coverageOf(result: CheckResult): Coverage {
  return sum(countAll(result))
}

/**
 * Returns the reason by which `coverageOf` counts that very link, image or entry of the navigation as not judged. Everything
 * on a page that cannot be read is not judged, and neither is any entry in a part of the navigation that code makes.
 */
export function reasonOf(result: CheckResult, asked: Omit<Place, 'reason'>): Reason | undefined {
  const places = countAll(result).flatMap(({ unjudged }) => unjudged)
  const here = places.filter(({ path }) => path === asked.path)
  const exact = here.find(({ line, url }) => line === asked.line && url === asked.url)
  return (exact ?? here.find(({ url, reason }) => url === '' && reason !== 'navigation'))?.reason
}

function countAll(result: CheckResult): Counted[] {
  const { index, sites, checked } = result
  const navigation = sites.map((site) => entriesOf(index, site))
  const pages = [...checked.pages].map(([page, outcome]) => withPath(page.path, outcome))
  return [
    ...pages,
    ...navigation,
    { judged: 0, unjudged: [...linksOf(result), ...unreadFiles(index.paths), ...leftOut(result)] },
  ]
}

/** A check with the tree that it read. */
type Checked = { readonly tree: SiteTree; readonly result: CheckResult }

/** `references`: places that may still name a page that the change moved or deleted. They count in the coverage, too. */
export type ChangeCoverage = Coverage & { readonly references: readonly Reference[] }
export type Reference = { readonly path: string; readonly line: number; readonly name: string }

/**
 * Covers what a change touches: the links of its pages, the entries of a navigation that it changed, files that it added and
 * nothing reads, and what may still name a page that it moved or deleted.
 */
export function coverageOfChange(before: Checked, after: Checked): ChangeCoverage {
  const { index, sites, checked } = after.result
  const old = new Map(before.tree.entries().map(({ path, oid }) => [path, oid]))
  const changed = new Set(after.tree.entries().flatMap(({ path, oid }) => (old.get(path) === oid ? [] : [path])))
  const gone = before.result.index.pages.filter(({ path }) => !index.page(path)).map(({ path }) => nameOf(path))
  const naming = (places: readonly Place[]) => places.filter(({ url }) => gone.some((name) => mentions(url, name)))
  const references: Place[] = []
  const parts = [...checked.pages].map(([page, outcome]) => {
    const own = withPath(page.path, outcome)
    const named = naming(own.unjudged)
    references.push(...named)
    return changed.has(page.path) ? own : { judged: 0, unjudged: named }
  })
  const navigation = sites.map((site) => {
    const own = entriesOf(index, site)
    const named = naming(own.unjudged)
    references.push(...named)
    const known = before.result.sites.find(({ kind, root }) => kind === site.kind && root === site.root)
    const isSame = known === site || configured(known) === configured(site)
    return isSame ? { judged: 0, unjudged: named } : own
  })
  const inserted = linksOf(after.result)
  const namedInParts = naming(inserted)
  references.push(...namedInParts)
  const added = index.paths.filter((path) => !old.has(path))
  const files = {
    judged: 0,
    unjudged: [
      ...inserted.filter((one) => changed.has(one.path) || namedInParts.includes(one)),
      ...unreadFiles(added),
      ...(added.length === 0 ? [] : leftOut(after.result).filter(({ path }) => !old.has(path))),
    ],
  }
  return {
    ...sum([...parts, ...navigation, files]),
    references: references.map(({ path, line, url }) => ({ path, line, name: url })),
  }
}

type Counted = { readonly judged: number; readonly unjudged: readonly Place[] }

function withPath(path: string, { judged, unjudged }: PageOutcome): Counted {
  return { judged, unjudged: unjudged.map((one) => ({ ...one, path })) }
}

function entriesOf(index: SiteIndex, site: Site): Counted {
  const { computed } = site.navigation
  const entries = navigationEntries(index, site)
  const unjudged = entries.flatMap((entry): Place[] => {
    const named = pagesOf(index, site, entry)
    return typeof named === 'string' ? [{ reason: named, path: entry.file, line: entry.line, url: entry.name }] : []
  })
  const targets = site.redirects.flatMap(({ file, line, destination = '', target }) => {
    const found = target && resolveOf(index, site, target)
    return found === undefined ? [] : [{ found, path: file, line, url: destination }]
  })
  const unread = targets.flatMap(({ found, ...place }): Place[] =>
    typeof found === 'object' && 'reason' in found ? [{ reason: found.reason, ...place }] : [],
  )
  return {
    judged: entries.length + targets.length - unjudged.length - unread.length,
    unjudged: [
      ...unjudged,
      ...unread,
      ...computed.map(({ file, line }): Place => ({ reason: 'code', path: file, line, url: '' })),
    ],
  }
}

function configured(site: Site | undefined): string {
  return JSON.stringify([site?.navigation, site?.redirects])
}

/** Links of files that pages insert: each page decides where they lead. */
function linksOf({ index, parts }: CheckResult): Place[] {
  if (parts.size === 0) return []
  const inserted = new Set(
    index.pages.flatMap((page) => {
      if (index.unjudged?.has(page)) return []
      const imported = page.facts.links.flatMap(({ kind, url }) =>
        kind === 'import' ? (importedPath(index, page, url) ?? []) : [],
      )
      return [...includedBy(page), ...imported]
    }),
  )
  return [...parts].flatMap(([path, { links }]) =>
    (inserted.has(path) ? links : []).map(({ line, url }): Place => ({ reason: 'context', path, line, url })),
  )
}

function unreadFiles(paths: readonly string[]): Place[] {
  return paths
    .filter((path) => unread.test(path) && !notOurs.test(path))
    .map((path) => ({ reason: 'syntax', path, line: 1, url: '' }))
}

/** Pages of which nobody knows whether the navigation should name them. */
function leftOut({ index, sites }: CheckResult): Place[] {
  return sites.flatMap((site) =>
    unlistedPages(index, site).flatMap(({ path, isExpected }): Place[] =>
      isExpected ? [] : [{ reason: 'navigation', path, line: 1, url: '' }],
    ),
  )
}

/** The last part of the path that tells it from others. */
function nameOf(path: string): string {
  const { dir, name } = posix.parse(path)
  return /^(?:index|readme|_index)$/i.test(name) ? posix.basename(dir) : name
}

/** Whether a part of the address has the name. */
function mentions(url: string, name: string): boolean {
  return name !== '' && url.split(/[/?#.:]/).includes(name)
}

function sum(all: readonly Counted[]): Coverage {
  const counts = new Map<Reason, { count: number; readonly example: string }>()
  for (const { unjudged } of all)
    for (const place of unjudged) {
      const known = counts.get(place.reason)
      if (known) known.count += 1
      else counts.set(place.reason, { count: 1, example: `${place.path}:${place.line} ${place.url}`.trimEnd() })
    }
  const notJudged = reasonNames.flatMap((reason) => {
    const found = counts.get(reason)
    return found ? [{ reason, ...found }] : []
  })
  const judged = all.reduce((total, one) => total + one.judged, 0)
  return { judged, notJudged: notJudged.toSorted((a, b) => b.count - a.count) }
}
