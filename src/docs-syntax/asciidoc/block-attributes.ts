// Reads the list in `[source,java,id=main]`: style, id, roles and options by their short forms, and named values.

import type { Range } from '../text.ts'

export type BlockAttributes = {
  readonly style: string
  readonly id: string | undefined
  readonly options: ReadonlySet<string>
  readonly positional: readonly string[]
  readonly named: ReadonlyMap<string, AttributeValue>
}

/** The range covers the value without its quotes. */
export type AttributeValue = Range & { readonly text: string }

export const noAttributes: BlockAttributes = {
  style: '',
  id: undefined,
  options: new Set(),
  positional: [],
  named: new Map(),
}

/** One entry of the list, with or without a name. Every repetition ends at a character that only it can reach. */
const entry =
  /[ \t\n]*(?:([\p{L}\p{N}_][\p{L}\p{N}_\-:.]*)[ \t]*=[ \t]*)?(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|([^,]*))[^,]*(?:,|$)/gsuy

/** `text` is between the brackets; `offset` is its position in the source. */
export function readAttributeList(text: string, offset = 0): BlockAttributes {
  const positional: AttributeValue[] = []
  const named = new Map<string, AttributeValue>()
  for (const found of text.matchAll(entry)) {
    if (found[0] === '') break
    const written = found[2] ?? found[3] ?? found[4] ?? ''
    const value = found[4] === undefined ? written : written.trimEnd()
    const lead = found[0].length - found[0].trimStart().length
    const from = found.index + (found[1] === undefined ? lead : found[0].indexOf('=', lead) + 1)
    const quote = found[4] === undefined ? 1 : 0
    const start = offset + (quote ? text.indexOf(found[2] === undefined ? "'" : '"', from) + 1 : skipBlanks(text, from))
    const range = { start, end: start + value.length, text: value }
    if (found[1] === undefined) positional.push(range)
    else named.set(found[1], range)
    if (!found[0].endsWith(',')) break
  }
  return { ...readShorthand(positional[0]?.text ?? '', named), positional: positional.map((one) => one.text), named }
}

/** The first entry may have short forms: `style#id.role%option`. */
function readShorthand(
  first: string,
  named: BlockAttributes['named'],
): Pick<BlockAttributes, 'style' | 'id' | 'options'> {
  const options = new Set((named.get('options') ?? named.get('opts'))?.text.split(/[ ,]+/) ?? [])
  let id = named.get('id')?.text
  const hasForms = !/[\s"']/.test(first)
  const parts = hasForms ? (first.match(/[#.%]?[^#.%]+/g) ?? []) : [first]
  for (const part of parts) {
    if (part.startsWith('%')) options.add(part.slice(1))
    if (part.startsWith('#') && hasForms) id = part.slice(1)
  }
  const style = named.get('style')?.text ?? (/^[#.%]/.test(first) ? '' : (parts[0] ?? ''))
  return { style, id, options }
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\n'.includes(text.charAt(at))) at += 1
  return at
}

/** No page for people has more values, and merging them again and again would take more than linear time. */
const maxNamed = 50

/** Attribute lines that follow each other describe the same block. */
export function mergeAttributes(first: BlockAttributes, second: BlockAttributes): BlockAttributes {
  return {
    style: second.style || first.style,
    id: second.id ?? first.id,
    options: new Set([...[...first.options].slice(0, maxNamed), ...second.options]),
    positional: second.positional.length > 0 ? second.positional : first.positional,
    named: new Map([...[...first.named].slice(0, maxNamed), ...second.named]),
  }
}
