// The anchors that a page has by itself. They depend on its facts and on the rule of its site, so they are kept with the
// facts.

import type { PageFacts } from '../facts/page-facts.ts'
import type { SlugRule } from '../../sites/slugs.ts'

type Kept = { readonly slugs: SlugRule; readonly anchors: ReadonlySet<string> }

const kept = new WeakMap<PageFacts, Kept>()

export function ownAnchors(facts: PageFacts, slugs: SlugRule): ReadonlySet<string> {
  const known = kept.get(facts)
  if (known?.slugs === slugs) return known.anchors
  const anchors = withNormalised(writtenAnchors(facts, slugs), slugs)
  kept.set(facts, { slugs, anchors })
  return anchors
}

/** Only the forms that the generator writes. */
export function writtenAnchors({ ids, titles, headings }: PageFacts, slugs: SlugRule): Set<string> {
  const found = new Set(ids)
  for (const title of titles) {
    const [heading = '', tab] = title.split('\n')
    if (tab === undefined || !slugs.tab) found.add(slugs.slug(title))
    else found.add(slugs.tab(tab)).add(`${slugs.slug(heading)}-${slugs.tab(tab)}`)
  }
  const counts = new Map<string, number>(slugs.numbersEmpty ? [['', 1]] : [])
  for (const { text } of headings) {
    const plain = slugs.slug(text)
    const count = counts.get(plain) ?? 0
    counts.set(plain, count + 1)
    found.add(count === 0 ? plain : `${plain}${slugs.separator}${count - 1 + (slugs.second ?? 1)}`)
  }
  return found
}

/** Adds the forms that a fragment is compared in. */
export function withNormalised(anchors: Set<string>, { normalise }: SlugRule): ReadonlySet<string> {
  if (normalise) for (const anchor of Array.from(anchors)) anchors.add(normalise(anchor))
  return anchors
}
