// The rules for a whole site: its navigation, the fields of its pages, and its addresses.

import { posix } from 'node:path'
import type { Finding } from '../finding.ts'
import type { Site } from '../../sites/site.ts'
import { isPattern } from '../../sites/redirects/match.ts'
import { routeOf } from '../../sites/address.ts'
import { navigationEntries, pagesOf } from './navigation-entries.ts'
import { resolveOf } from './resolve.ts'
import type { SiteIndex } from './site-index.ts'
import type { SitePage } from './site-page.ts'
import { isIndex, unlistedPages } from './unlisted.ts'

/** The pages of a folder that have a field, and their share, for the field to be expected of the others. */
const fewestWithField = 10
const shareWithField = 0.95
/** Fields whose text readers meet. Others tune the site (`keywords`, `boost`, `sidebar`), and a page may well do without. */
const shownFields = ['title', 'description', 'summary', 'excerpt', 'author', 'authors', 'date']

export function checkSite(index: SiteIndex, site: Site): Finding[] {
  const pages = index.pages.filter((page) => page.site === site)
  const problems = site.problems.map(({ file, line, message }): Finding => {
    return { kind: 'config', path: file, line, target: message, message: `the file does not parse: ${message}` }
  })
  return [...problems, ...checkNavigation(index, site), ...checkFields(site, pages), ...checkRoutes(index, site, pages)]
}

function checkNavigation(index: SiteIndex, site: Site): Finding[] {
  const entries = navigationEntries(index, site)
  const found: Finding[] = []
  for (const entry of entries) {
    const named = pagesOf(index, site, entry)
    if (typeof named === 'string' || named.length > 0) continue
    const { file: path, line, name } = entry
    const message = `the navigation names ${name}, which does not exist`
    found.push({ kind: 'navigation', path, line, target: name, message })
  }
  const unlisted = unlistedPages(index, site).filter(({ isExpected }) => isExpected)
  const message = 'the navigation does not name this page'
  return [...found, ...unlisted.map(({ path }): Finding => ({ kind: 'unlisted', path, line: 1, target: '', message }))]
}

function checkFields(site: Site, pages: readonly SitePage[]): Finding[] {
  const missing = (page: SitePage, field: string, why: string): Finding[] => {
    if (!lacks(page, field)) return []
    const { frontmatter } = page.facts
    const message = `the frontmatter has no ${field}, which ${why}`
    return [{ kind: 'field', path: page.path, line: frontmatter?.line ?? 1, target: field, message }]
  }
  const required = pages.flatMap((page) =>
    site.requiredFields.flatMap((field) => missing(page, field, 'every page of this site needs')),
  )
  if (!site.hasGenerator) return required
  const alike = pages.filter(({ name }) => !isIndex(name))
  const usual = [...Map.groupBy(alike, ({ path }) => posix.dirname(path)).values()].flatMap((group) =>
    usualFields(group)
      .filter((field) => shownFields.includes(field) && !site.requiredFields.includes(field))
      .flatMap((field) =>
        group
          // The name of a post has its date.
          .filter(({ path }) => field !== 'date' || !/^\d{4}-\d\d?-\d\d?-/.test(posix.basename(path)))
          // A heading takes the place of the title.
          .filter((page) => field !== 'title' || (lacks(page, field) && page.facts.headings.length === 0))
          .flatMap((page) => missing(page, field, 'the other pages of its folder have')),
      ),
  )
  return [...required, ...usual]
}

/** A frontmatter that does not parse is a finding of its own. */
function lacks({ facts: { frontmatter } }: SitePage, field: string): boolean {
  return !frontmatter?.problem && frontmatter?.names.includes(field) !== true
}

/** The fields that a page lacks although the others have them; a page does not count among the others. */
function usualFields(pages: readonly SitePage[]): string[] {
  const counts = new Map<string, number>()
  for (const { facts } of pages)
    for (const name of new Set(facts.frontmatter?.names)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const others = pages.length - 1
  return [...counts].flatMap(([name, count]) =>
    count <= others && count >= fewestWithField && count / others >= shareWithField ? [name] : [],
  )
}

function checkRoutes(index: SiteIndex, site: Site, pages: readonly SitePage[]): Finding[] {
  const duplicates = pages.flatMap((page): Finding[] => {
    const [route = ''] = page.routes
    const same = index
      .at(site, route)
      .filter((one) => one.mount === page.mount && (!site.keepsFileNames || isIndex(one.name) === isIndex(page.name)))
    // A placeholder that a plugin fills.
    if (same.length < 2 || same[0] === page || /\/:\w/.test(route)) return []
    const message = `the page has the address ${route || '/'}, as ${same[0]?.path} has`
    return [{ kind: 'duplicate-route', path: page.path, line: 1, target: route, message }]
  })
  const shadows = site.redirects.flatMap(({ file, line, source, destination = '', isConditional }): Finding[] => {
    // From `/a/` to `/a`: the page has both.
    if (routeOf(destination) === routeOf(source)) return []
    const page = isPattern(source) || isConditional ? undefined : index.at(site, routeOf(source))[0]
    if (!page) return []
    // `/a.html` is not `/a/index.html`.
    const isFirst = source.endsWith('/index.html')
    const isOther = isFirst
      ? site.keepsFileNames && !isIndex(page.name)
      : source.endsWith('.html') && isIndex(page.name)
    if (isOther) return []
    const message = `the redirect from ${source} has the address of ${page.path}`
    return [{ kind: 'redirect', path: file, line, target: source, message }]
  })
  const dead = site.redirects.flatMap(({ file, line, source, destination = '', target }): Finding[] => {
    if (!target || resolveOf(index, site, target) !== 'missing') return []
    const message = `the redirect from ${source} leads to ${destination}, which does not exist`
    return [{ kind: 'redirect', path: file, line, target: destination, message }]
  })
  return [...duplicates, ...shadows, ...dead]
}
