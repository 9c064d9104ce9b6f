// Reads the title of the page, the lines of its header, and the titles of sections with their ids.

import { type IdRule, defaultIds, toFreeId, toSectionId } from '../ids.ts'
import type { AttributeTable } from '../attributes.ts'
import { readTitle } from '../inline/read-run.ts'
import { type AsciidocState, addId } from '../state.ts'
import { type Blocks, takePending } from './block-state.ts'
import { type Line, type SectionTitle, readSectionTitle, readUnderlinedTitle } from './lines.ts'
import { readEntry } from './metadata.ts'

const closingId = /^ \[\[([\p{L}_:][\p{L}\p{N}_\-:.]*)(?:, *.+)?\]\]$/u

/** Whether the line, or with the next one (`underlined`), is a heading. */
export function readHeading(blocks: Blocks, line: Line, next: Line | undefined): 'line' | 'underlined' | undefined {
  const { pending, header, stack, isAttached } = blocks
  const isDiscrete = pending.style === 'discrete' || pending.style === 'float'
  const isInside = stack.length > 0 || isAttached
  if (header === 'before') blocks.header = 'over'
  if (isInside && !isDiscrete) return undefined
  const plain = readSectionTitle(line)
  const found = plain ?? (blocks.isInList ? undefined : readUnderlinedTitle(line, next))
  if (!found) return undefined
  takeHeading(blocks, found, {
    line,
    end: plain ? line.end : (next?.end ?? line.end),
    isPage: header === 'before' && !isDiscrete,
  })
  return plain ? 'line' : 'underlined'
}

type Found = { readonly line: Line; readonly end: number; readonly isPage: boolean }

function takeHeading(blocks: Blocks, { depth, title }: SectionTitle, { line, end, isPage }: Found): void {
  const { state, pendingStart } = blocks
  const pending = takePending(blocks)
  const written = state.source.slice(title.start, title.end)
  const at = written.lastIndexOf(' [[')
  const closing = pending.id === undefined && at > 0 ? closingId.exec(written.slice(at))?.[1] : undefined
  if (closing !== undefined) addId(state, closing)
  const run = {
    start: title.start,
    end: closing === undefined ? title.end : title.start + at,
    holes: [],
    kind: blocks.kind,
  }
  const id = pending.id ?? closing
  const whole = { start: pendingStart ?? line.start, end }
  blocks.isInList = false
  if (isPage && depth === 1) {
    blocks.titleRun = { run, whole, id }
    blocks.header = 'author'
    return
  }
  const text = readTitle(state, run)
  const offset = Number(state.attributes.get('leveloffset') ?? 0) || 0
  state.headings.push({ ...whole, ...idOf(state, text, id), text, depth: Math.max(1, depth + offset) })
}

function idOf(state: AsciidocState, text: string, own: string | undefined): { slug: string; id?: string } {
  if (own !== undefined) return { slug: own, id: own }
  if (state.attributes.get('sectids') === null) return { slug: '', id: '' }
  const rule = idRule(state.attributes)
  const plain = toSectionId(text, rule)
  const slug = toFreeId(plain, rule.separator, state.usedIds)
  const number = slug === plain ? 0 : Number(slug.slice(plain.length + rule.separator.slice(0, 1).length))
  if (number > 0) state.usedIds.set(plain, number + 1)
  if (!state.usedIds.has(slug)) state.usedIds.set(slug, 0)
  return { slug }
}

function idRule(attributes: AttributeTable): IdRule {
  return {
    prefix: attributes.get('idprefix') ?? defaultIds.prefix,
    separator: attributes.get('idseparator') ?? defaultIds.separator,
  }
}

/** Whether the line belongs to the header of the page, which a blank line ends. */
export function readHeaderLine(blocks: Blocks, line: Line): boolean {
  if (blocks.header === 'before' || blocks.header === 'over') return false
  const isComment = line.text.startsWith('//') && !line.text.startsWith('///')
  if (line.text !== '' && (isComment || readEntry(blocks, line))) return true
  const isNamed = line.text !== '' && blocks.header !== 'attributes' && !line.text.startsWith('/')
  if (isNamed) {
    blocks.header = blocks.header === 'author' ? 'revision' : 'attributes'
    return true
  }
  if (line.text.startsWith('////')) return false
  endHeader(blocks)
  return false
}

/** Records the title of the page: it may use attributes from the lines after it. */
export function endHeader(blocks: Blocks): void {
  const { state, titleRun } = blocks
  blocks.header = 'over'
  if (!titleRun) return
  blocks.titleRun = undefined
  const text = readTitle(state, titleRun.run)
  // The title of a table cell is not shown.
  if (blocks.depth > 0) return
  const id = titleRun.id ?? ''
  state.title = text
  state.headings.push({ ...titleRun.whole, slug: id, id, text, depth: 1 })
}
