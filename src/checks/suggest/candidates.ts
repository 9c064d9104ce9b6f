// The pages, files and anchors of a check among which a suggestion is chosen. Each list is made once, when it is asked for.

import { inside } from '../../docs-syntax/links.ts'
import { writtenAnchors } from '../rules/own-anchors.ts'
import type { SiteIndex } from '../rules/site-index.ts'
import type { SitePage } from '../rules/site-page.ts'
import { navigationEntries } from '../rules/navigation-entries.ts'
import { pagesOf } from '../rules/navigation-entries.ts'
import type { Site } from '../../sites/site.ts'
import { type Candidate, toParts } from './choose.ts'

export type Candidates = {
  readonly index: SiteIndex
  readonly sites: readonly Site[]
  pages(site: Site): readonly Candidate<SitePage>[]
  /** The pages that the navigation could name and does not. */
  unlisted(site: Site): readonly Candidate<SitePage>[]
  /** Files that are no pages, within the folders of the site. */
  files(site: Site): readonly Candidate<string>[]
  /** The page that alone in the site has an anchor. */
  pageWithAnchor(site: Site, anchor: string): SitePage | undefined
}

export function createCandidates(index: SiteIndex, sites: readonly Site[]): Candidates {
  const pages = keep((site: Site) => index.pages.filter((page) => page.site === site).map(toCandidate))
  const files = keep((site: Site) => {
    const folders = [...site.assets, ...site.mounts.map(({ folder }) => folder)]
    const within = index.paths.filter(
      (path) => !index.page(path) && folders.some((folder) => inside(folder, path) !== undefined),
    )
    return within.map((path) => ({ value: path, name: toParts(withoutAnyExtension(path)) }))
  })
  const unlisted = keep((site: Site) => {
    const listed = new Set(
      navigationEntries(index, site)
        .map((entry) => pagesOf(index, site, entry))
        .flatMap((named) => (typeof named === 'string' ? [] : named)),
    )
    return pages(site).filter(({ value }) => value.mount === site.mounts[0] && !listed.has(value.path))
  })
  const byAnchor = keep((site: Site) => {
    const all = pages(site).flatMap(({ value }) =>
      [...writtenAnchors(value.facts, site.slugs)].map((anchor) => ({ anchor, page: value })),
    )
    return Map.groupBy(all, ({ anchor }) => anchor)
  })
  return {
    index,
    sites,
    pages,
    unlisted,
    files,
    pageWithAnchor: (site, anchor) => {
      const found = byAnchor(site).get(anchor) ?? []
      return found.length === 1 ? found[0]?.page : undefined
    },
  }
}

export function withoutAnyExtension(path: string): string {
  return path.replace(/\.[a-z\d]{1,8}$/i, '')
}

function toCandidate(page: SitePage): Candidate<SitePage> {
  const { name, facts } = page
  return { value: page, name: toParts(name), title: facts.frontmatter?.strings['title'] ?? facts.headings[0]?.text }
}

function keep<Value>(make: (site: Site) => Value): (site: Site) => Value {
  const kept = new Map<Site, { readonly value: Value }>()
  return (site) => {
    const found = kept.get(site) ?? { value: make(site) }
    kept.set(site, found)
    return found.value
  }
}
