// The addresses of a page's links, parsed. This depends on the page alone, so the result is kept with its facts: a later
// check of an unchanged page only looks it up.

import { posix } from 'node:path'
import { type Address, parseAddress } from '../../sites/address.ts'
import type { PageFacts } from '../facts/page-facts.ts'
import type { Site } from '../../sites/site.ts'
import type { SitePage } from './site-page.ts'

type Kept = { readonly folder: string; readonly site: Site; readonly addresses: readonly Address[] }

const kept = new WeakMap<PageFacts, Kept>()

/** Returns the addresses of the links of a page, in their order. */
export function addressesOf({ path, site, facts }: SitePage): readonly Address[] {
  const folder = posix.dirname(path)
  const known = kept.get(facts)
  if (known?.folder === folder && known.site === site) return known.addresses
  const addresses = facts.links.map((link) => site.addressOf(link, path) ?? parseAddress({ site, path }, link.url))
  kept.set(facts, { folder, site, addresses })
  return addresses
}
