// The addresses of a page's links, parsed. This depends on the page alone, so the result is kept with its facts: a later
// check of an unchanged page only looks it up.

import { posix } from 'node:path'
import { type Address, parseAddress } from '../../sites/address.ts'
import type { PageFacts } from '../facts/page-facts.ts'
import type { SitePage } from './site-page.ts'

type Kept = { readonly folder: string; readonly base: string; readonly addresses: readonly Address[] }

const kept = new WeakMap<PageFacts, Kept>()

/** Returns the addresses of the links of a page, in their order. */
export function addressesOf({ path, site, facts }: SitePage): readonly Address[] {
  const { base } = site
  const folder = posix.dirname(path)
  const known = kept.get(facts)
  if (known?.folder === folder && known.base === base) return known.addresses
  const addresses = facts.links.map(({ url }) => parseAddress({ site, path }, url))
  kept.set(facts, { folder, base, addresses })
  return addresses
}
