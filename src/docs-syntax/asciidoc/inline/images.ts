// Reads `image::path[alt,link=…]`, `video::` and `audio::`, in a line of their own or inside a text.

import type { Prose } from '../../page.ts'
import type { Range } from '../../text.ts'
import { substitute } from '../attributes.ts'
import { type BlockAttributes, readAttributeList } from '../block-attributes.ts'
import { type AsciidocState, addLink } from '../state.ts'
import { isFilmOfService, readXrefTarget } from './targets.ts'

type Image = {
  readonly name: string
  readonly kind: Prose['kind']
  readonly whole: Range
  readonly target: Range
  readonly url: string
  readonly list: Range
}

/** All ranges are in the source. */
export function readImage(state: AsciidocState, { name, kind, whole, target, url, list }: Image): void {
  const written = state.source.slice(list.start, list.end)
  const attributes = readAttributeList(written, list.start)
  const alt = name === 'image' ? alternativeText(written, list.start, attributes) : undefined
  const isFilm = name === 'video' && isFilmOfService(attributes.positional)
  if (!isFilm) addLink(state, { ...target, kind: 'image', url, whole, label: alt })
  if (alt) state.prose.push({ ...alt, kind })
  const title = attributes.named.get('title')
  if (title && title.end > title.start) state.prose.push({ start: title.start, end: title.end, kind: 'attribute' })
  readLinks(state, attributes, whole)
}

function alternativeText(written: string, offset: number, { positional, named }: BlockAttributes): Range | undefined {
  const own = named.get('alt')
  const [first = ''] = positional
  const text = own?.text ?? first
  const start = own?.start ?? offset + written.indexOf(first)
  return text === '' ? undefined : { start, end: start + text.length }
}

function readLinks(state: AsciidocState, { named }: BlockAttributes, whole: Range): void {
  const link = named.get('link')
  const xref = named.get('xref')
  for (const [value, isXref] of [
    [link, false],
    [xref, true],
  ] as const) {
    if (!value || value.text === '' || value.text === 'self') continue
    const { kind, skip } = isXref ? readXrefTarget(value.text) : ({ kind: 'link', skip: 0 } as const)
    const url = substitute(value.text.slice(skip), state.attributes)
    addLink(state, { start: value.start + skip, end: value.end, kind, url, whole, label: undefined })
  }
}
