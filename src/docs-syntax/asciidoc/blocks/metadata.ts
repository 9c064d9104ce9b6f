// Reads the lines that describe what follows: entries of attributes, lists of attributes, ids, titles of blocks, comments.

import { substitute } from '../attributes.ts'
import { mergeAttributes, noAttributes, readAttributeList } from '../block-attributes.ts'
import { readRun } from '../inline/read-run.ts'
import { addId } from '../state.ts'
import type { Blocks } from './block-state.ts'
import { type Line, attributeEntry, blockAnchor, blockAttributes, blockTitle } from './lines.ts'

/** Attributes whose values readers see in the browser, the navigation or search results. */
const shown: ReadonlySet<string> = new Set(['description', 'doctitle', 'title', 'navtitle'])

/** Whether the line is one of these. */
export function readMetadata(blocks: Blocks, line: Line): boolean {
  const { text, start } = line
  if (readEntry(blocks, line)) return true
  if (text.startsWith('//') && !text.startsWith('///')) return true
  const anchor = blockAnchor.exec(text)
  const list = anchor ? null : blockAttributes.exec(text)
  if (!anchor && !list && !blockTitle.test(text)) return false
  blocks.pendingStart ??= start
  if (anchor || list) {
    const added = list ? readAttributeList(list[1] ?? '', start + 1) : { ...noAttributes, id: anchor?.[1] }
    if (added.id) addId(blocks.state, added.id)
    blocks.pending = mergeAttributes(blocks.pending, added)
    return true
  }
  const range = { start: start + 1, end: line.end }
  readRun(blocks.state, { ...range, holes: [], kind: blocks.kind })
  blocks.state.items.push({ ...range, marker: '', line: { start, end: line.end }, holes: [] })
  return true
}

export function readEntry(blocks: Blocks, line: Line): boolean {
  const found = line.text.startsWith(':') ? attributeEntry.exec(line.text) : null
  if (!found) return false
  const [, written = '', value = ''] = found
  const isUnset = written.startsWith('!') || written.endsWith('!')
  const name = written.replace(/[^\p{L}\p{N}_-]/gu, '').toLowerCase()
  if (isUnset) setAttribute(blocks, name, null)
  else if (value.endsWith(' \\')) blocks.entry = { name, value: value.slice(0, -2) }
  else {
    const range = { start: line.end - value.length, end: line.end }
    if (shown.has(name) && value !== '') readRun(blocks.state, { ...range, holes: [], kind: blocks.kind })
    else blocks.state.entries.push({ name, value: range })
    setAttribute(blocks, name, value)
  }
  return true
}

/** The rest of a value that continues in this line. */
export function continueEntry(blocks: Blocks, { text }: Line): void {
  const { entry } = blocks
  if (!entry) return
  const isOpen = text.endsWith(' \\')
  const value = `${entry.value} ${(isOpen ? text.slice(0, -2) : text).trimStart()}`
  // Values of more than a few lines are not substituted anyway.
  if (isOpen) blocks.entry = { ...entry, value: entry.value.length > 10_000 ? entry.value : value }
  else {
    blocks.entry = undefined
    setAttribute(blocks, entry.name, value)
  }
}

/** Under a condition the value is known only for `ifndef::name[]` of the same name, which gives it a default. */
function setAttribute({ state: { attributes }, conditions }: Blocks, name: string, value: string | null): void {
  const pass = value === null ? null : /^pass:(?:[a-z]+(?:,[a-z-]+)*)?\[([^]*)\]$/.exec(value)
  const resolved = value === null ? null : substitute(pass?.[1] ?? value, attributes)
  const condition = conditions.at(-1)
  const known = attributes.get(name) ?? undefined
  if (condition === undefined) attributes.set(name, resolved)
  else if (conditions.length > 1 || condition.kind !== 'ifndef' || condition.name !== name) attributes.forget(name)
  else if (known === undefined) attributes.set(name, resolved)
}
