// Everything that is collected while a page of AsciiDoc is read.

import type { Frontmatter, Heading, PageLink, Prose } from '../page.ts'
import type { Range } from '../text.ts'
import type { AttributeTable } from './attributes.ts'

export type AsciidocState = {
  readonly source: string
  readonly attributes: AttributeTable
  readonly prose: Prose[]
  readonly code: Range[]
  readonly links: PageLink[]
  readonly headings: Heading[]
  readonly ids: string[]
  /** Every id of the page so far, with the number that the next section of this id gets at least. */
  readonly usedIds: Map<string, number>
  /** From a condition (`ifdef::name[]`) to its end. */
  readonly conditionals: Range[]
  readonly items: ListItem[]
  readonly entries: AttributeEntry[]
  /** Where attributes are used: their values are prose if only prose uses them. */
  readonly usesInProse: Set<string>
  readonly usesElsewhere: Set<string>
  frontmatter: Frontmatter | undefined
  title: string | undefined
}

export type AttributeEntry = { readonly name: string; readonly value: Range }

/** An entry of a list, or a title of a block (`marker` is empty). The range is its text. */
export type ListItem = Range & { readonly marker: string; readonly line: Range; readonly holes: readonly Range[] }

/** A text in the source. `holes` are lines and signs in it that don't belong to it, in order. */
export type Run = Range & { readonly holes: readonly Range[]; readonly kind: Prose['kind'] }

export function createState(source: string, attributes: AttributeTable): AsciidocState {
  const lists = { prose: [], code: [], links: [], headings: [], ids: [], conditionals: [], items: [], entries: [] }
  const uses = { usedIds: new Map<string, number>(), usesInProse: new Set<string>(), usesElsewhere: new Set<string>() }
  return { source, attributes, ...lists, ...uses, frontmatter: undefined, title: undefined }
}

export function addId(state: AsciidocState, id: string): void {
  state.ids.push(id)
  state.usedIds.set(id, state.usedIds.get(id) ?? 0)
}

type NewLink = Range & Pick<PageLink, 'kind' | 'url' | 'whole' | 'label'>

export function addLink(state: AsciidocState, link: NewLink): void {
  state.links.push({ ...link, element: undefined, identifier: undefined })
}
