// The state at a line of a page: the open blocks and paragraph, the attributes of the next block, and whether the line is
// in a list, in the header or under a condition.

import type { Prose } from '../../page.ts'
import type { Range } from '../../text.ts'
import { type BlockAttributes, noAttributes } from '../block-attributes.ts'
import { readRun } from '../inline/read-run.ts'
import type { AsciidocState, Run } from '../state.ts'

/** An open block. `text`: its content is blocks. The others are read as a whole when they end. */
export type Open = {
  readonly content: 'text' | 'code' | 'comment' | 'table' | 'verse'
  /** The line that ends it. */
  readonly border: string
  readonly start: number
  readonly contentStart: number
  readonly attributes: BlockAttributes
  /** Lines in it that are no text: comments of a table, and directives. */
  readonly holes: Range[]
}

export type Paragraph = {
  readonly content: 'text' | 'code' | 'comment'
  readonly attributes: BlockAttributes
  readonly start: number
  end: number
  readonly holes: Range[]
  /** In a list, an item ends a paragraph. */
  readonly endsAtItem: boolean
  /** Only a blank line or a `+` ends it. */
  readonly isVerbatim: boolean
  readonly isQuote: boolean
  /** For the text of a list item: its marker and the start of its line. */
  readonly item: { readonly marker: string; readonly start: number } | undefined
}

export type Condition = { readonly start: number; readonly kind: string; readonly name: string }

export type Blocks = {
  readonly state: AsciidocState
  readonly kind: Prose['kind']
  /** How many tables the text is in. */
  readonly depth: number
  /** The lines of the header are: what may precede the title, the author, the revision, then only attributes. */
  header: 'before' | 'author' | 'revision' | 'attributes' | 'over'
  /** The title of the page, until the attributes of the header are known. */
  titleRun: { readonly run: Run; readonly whole: Range; readonly id: string | undefined } | undefined
  readonly stack: Open[]
  /** For each border, the number of blocks that are open outside its block. */
  readonly borders: Map<string, number>
  paragraph: Paragraph | undefined
  pending: BlockAttributes
  /** Where the first line about the next block starts. */
  pendingStart: number | undefined
  isInList: boolean
  /** After `term::` without text: the next paragraph is its text, even if it is indented. */
  needsText: boolean
  /** After `+`: the next block belongs to the list. */
  isAttached: boolean
  /** The entry of an attribute whose value continues in the next line. */
  entry: { readonly name: string; readonly value: string } | undefined
  readonly conditions: Condition[]
}

type Place = Pick<Blocks, 'kind' | 'depth' | 'header'>

export function createBlocks(state: AsciidocState, place: Place): Blocks {
  return {
    state,
    ...place,
    titleRun: undefined,
    stack: [],
    borders: new Map(),
    paragraph: undefined,
    pending: noAttributes,
    pendingStart: undefined,
    isInList: false,
    needsText: false,
    isAttached: false,
    entry: undefined,
    conditions: [],
  }
}

/** The attributes that the lines before a block gave it. Called when a block starts. */
export function takePending(blocks: Blocks): BlockAttributes {
  const { pending } = blocks
  blocks.pending = noAttributes
  blocks.pendingStart = undefined
  blocks.needsText = false
  blocks.isAttached = false
  return pending
}

export function endParagraph(blocks: Blocks): void {
  const { paragraph, state, kind } = blocks
  if (!paragraph) return
  blocks.paragraph = undefined
  const { start, end, content, item } = paragraph
  const holes = paragraph.holes
    .filter((hole) => hole.start < end)
    .map((hole) => ({ ...hole, end: Math.min(hole.end, end) }))
  if (content === 'code') state.code.push({ start, end })
  else if (content === 'text') readRun(state, { start, end, holes, kind })
  if (item) state.items.push({ start, end, marker: item.marker, line: { start: item.start, end }, holes })
}

/** The range of a line with its line break. */
export function wholeLine(source: string, { start, end }: Range): Range {
  const found = source.indexOf('\n', end)
  return { start, end: found === -1 ? source.length : found + 1 }
}
