// Reads the navigation of an Antora site (`nav.adoc`): lists of cross references under titles. Knows no files.

import type { PageLink } from '../page.ts'
import type { Range } from '../text.ts'
import { readState } from './asciidoc.ts'
import type { SiteAttributes } from './attributes.ts'
import { readTitle } from './inline/read-run.ts'
import { type AsciidocState, createState } from './state.ts'

/** The range is the item with its marker, without the line break and without the items below it. */
export type NavItem = Range & {
  /** From 1. Items below an item have a greater depth. */
  readonly depth: number
  readonly text: string
  readonly textRange: Range
  /** Undefined for an item that is only text. */
  readonly link: PageLink | undefined
}

export type NavGroup = {
  /** The title above the list (`.Title`). The range is its line; it may be a link. */
  readonly title: (Range & { readonly text: string; readonly link: PageLink | undefined }) | undefined
  readonly items: readonly NavItem[]
}

/** In the order of the file. Never throws; text that is no list is skipped. */
export function readNavList(text: string, site?: SiteAttributes): NavGroup[] {
  const state = readState(text, site)
  const links = state.links.toSorted((a, b) => a.start - b.start)
  const groups: { title: NavGroup['title']; items: NavItem[] }[] = []
  let markers: string[] = []
  let at = 0
  for (const item of state.items) {
    while ((links[at]?.whole.start ?? Infinity) < item.start) at += 1
    const first = links[at]
    const link = first && first.whole.end <= item.end ? first : undefined
    const shown = textOf(state, item)
    if (item.marker === '') {
      groups.push({ title: { ...item.line, text: shown, link }, items: [] })
      markers = []
      continue
    }
    const known = markers.indexOf(item.marker)
    markers = known === -1 ? [...markers, item.marker] : markers.slice(0, known + 1)
    const group = groups.at(-1) ?? { title: undefined, items: [] }
    if (groups.length === 0) groups.push(group)
    const { start, end } = item
    group.items.push({ ...item.line, depth: markers.length, text: shown, textRange: { start, end }, link })
  }
  return groups
}

/** The text that readers see. Reads the item again, beside the page that it is part of. */
function textOf({ source, attributes }: AsciidocState, { start, end, holes }: AsciidocState['items'][number]): string {
  return readTitle(createState(source, attributes), { start, end, holes, kind: 'text' })
}
