// Suggests the page that an entry of a navigation means: one that the navigation does not name yet.

import { posix } from 'node:path'
import type { Finding } from '../finding.ts'
import { navigationEntries } from '../rules/navigation-entries.ts'
import { resolveOf } from '../rules/resolve.ts'
import type { SiteIndex } from '../rules/site-index.ts'
import type { SitePage } from '../rules/site-page.ts'
import { decodePercent } from '../../lib/plain-text.ts'
import { withoutExtension } from '../../sites/names.ts'
import type { NavigationEntry, Site } from '../../sites/site.ts'
import type { Candidates } from './candidates.ts'
import { choose, toParts } from './choose.ts'

const extension = /\.(?:mdx?|markdown|html?)$/i

export function suggestEntry(known: Candidates, { path, line, target }: Finding): string | undefined {
  for (const site of known.sites) {
    const entry = navigationEntries(known.index, site).find(
      (one) => one.file === path && one.line === line && one.name === target,
    )
    const page = entry && choose(toParts(nameOf(site, entry)), known.unlisted(site), true)
    const name = page && writeName(known.index, site, entry, page)
    if (name !== undefined) return name
  }
  return undefined
}

function nameOf({ base }: Site, { name }: NavigationEntry): string {
  const plain = base !== '' && name.startsWith(`${base}/`) ? name.slice(base.length) : name
  return decodePercent(plain.replace(/[?#].*$/, '')).replace(/^\.?\//, '')
}

function writeName(index: SiteIndex, site: Site, entry: NavigationEntry, page: SitePage): string | undefined {
  const { name, target } = entry
  if ('id' in target) return page.ids.find((id) => index.withId(site, id).includes(page))
  const found = extension.exec(name)?.[0] ?? ''
  if ('paths' in target) {
    // A toctree names pages from the folder of its own.
    if (index.page(entry.file)) return withoutExtension(posix.relative(posix.dirname(entry.file), page.path))
    const start = /^\.?\//.exec(name)?.[0] ?? ''
    return start + (found === '' ? withoutExtension(page.name) : page.name)
  }
  const base = site.base !== '' && name.startsWith(`${site.base}/`) ? site.base : ''
  const route = `${base}${page.routes[0] ?? ''}${found}`
  const address = name.endsWith('/') || route === '' ? `${route}/` : route
  return resolveOf(index, site, address) === page ? address : undefined
}
