// Counts the pages of a repository by site, language and folder, for the brief. Reads only the configurations of the sites,
// within limits and not in the threads of the checks: a brief never waits for a check.

import { createTranslations } from '../../../sites/translations.ts'
import type { SiteBrief } from '../../../agent/guidance/brief.ts'
import { siteTitles } from '../../../sites/kinds.ts'
import { findSites, type NamedSite } from '../../../sites/find-sites.ts'
import type { Mount, Site } from '../../../sites/site.ts'
import { createPlaceOf } from '../../../sites/site-map.ts'
import type { SiteTree, TreeFile } from '../../../sites/tree.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import { openLightFiles } from '../../../sites/light-files.ts'

export type Survey = {
  /** Those with pages, the largest first. */
  readonly sites: readonly SiteBrief[]
  /** The folders of the pages of all sites. */
  readonly roots: readonly string[]
  /** The pages that people write first: of the main language and the newest version. */
  readonly mainPages: readonly string[]
}

type Page = { readonly path: string; readonly name: string; readonly mount: Mount; readonly language: string }

export async function surveyTree(tree: SiteTree, named: readonly NamedSite[]): Promise<Survey> {
  const files = openLightFiles(tree)
  const sites = await findSites(files, named)
  const pages = placePages(tree.entries(), sites)
  const filled = sites
    .flatMap((site) => {
      const own = pages.get(site) ?? []
      return own.length === 0 ? [] : [{ site, own }]
    })
    .toSorted((a, b) => b.own.length - a.own.length)
  const mainPages = filled.flatMap(({ own }) => own.filter(isMain).map(({ path }) => path))
  return {
    sites: filled.map(({ site, own }) => describeSite(site, own, (path) => files.has(path))),
    roots: filled.flatMap(({ own }) => foldersOf(own)),
    mainPages,
  }
}

function placePages(files: readonly TreeFile[], sites: readonly Site[]): ReadonlyMap<Site, readonly Page[]> {
  const placeOf = createPlaceOf(sites)
  const translations = createTranslations(files.map(({ path }) => path))
  const found = new Map<Site, Page[]>()
  for (const { path, kind } of files) {
    const place = kind === 'file' && isPagePath(path) ? placeOf(path) : undefined
    if (!place || place.mount.isPart || place.site.isIgnored(place.name, place.mount)) continue
    const page = {
      path,
      name: place.name,
      mount: place.mount,
      language: localeIn(translations(path) ?? ''),
    }
    const pages = found.get(place.site)
    if (pages) pages.push(page)
    else found.set(place.site, [page])
  }
  return found
}

function describeSite(site: Site, pages: readonly Page[], has: (path: string) => boolean): SiteBrief {
  const { entries, list } = site.navigation
  const main = pages.filter(isMain)
  const translated = countBy(pages.filter(({ language }) => language !== '').map(({ language }) => language))
  const parts = findParts(main.map(({ name }) => name.split('/')))
  return {
    kind: siteTitles[site.kind],
    config: site.config,
    folders: foldersOf(pages),
    pages: pages.length,
    languages: translated.length === 0 ? [] : [['main', main.length], ...translated],
    parts: parts.length < 2 ? [] : parts,
    copies: pages.filter(({ mount, language }) => mount.isCopy === true && language === '').length,
    navigation: unique([...(list === undefined ? [] : [list]), ...entries.map(({ file }) => file)]).filter(has),
    redirects: unique(site.redirects.map(({ file }) => file)),
  }
}

function isMain({ mount, language }: Page): boolean {
  return mount.isCopy !== true && language === ''
}

function foldersOf(pages: readonly Page[]): string[] {
  return unique(pages.filter(({ mount }) => mount.isCopy !== true).map(({ mount }) => mount.folder))
}

/** The folders of one level: of the first that does not hold nearly all pages in one folder. */
function findParts(names: readonly (readonly string[])[], depth = 1): (readonly [string, number])[] {
  const counts = countBy(names.map((parts) => parts.slice(0, Math.min(depth, parts.length - 1)).join('/')))
  const hasOne = (counts[0]?.[1] ?? 0) >= names.length * 0.9
  return hasOne && depth < 4 && names.some((parts) => parts.length > depth + 1) ? findParts(names, depth + 1) : counts
}

/** `de` for `docs/de` and for `docs/install.de.md`. */
function localeIn(translation: string): string {
  const name = translation.slice(translation.lastIndexOf('/') + 1)
  return /\.([^.]+)\.\w+$/.exec(name)?.[1] ?? name
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}

/** The most frequent first, then in the order of their names. */
export function countBy(values: readonly string[]): (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
