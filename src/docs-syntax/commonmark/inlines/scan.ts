// A text while it is read: what was found before the position, and which brackets are open.

import { type Content, createNode } from '../content.ts'
import type { TitleEnds } from '../link-parts.ts'
import type { SyntaxNode } from '../../syntax.ts'
import type { Item } from './emphasis.ts'
import type { Missing } from './html.ts'

/** The texts of a page share this. */
export type Names = {
  readonly names: ReadonlySet<string>
  readonly footnotes: ReadonlySet<string>
  readonly isMdx: boolean
}

/** `item`: the place of its text in the items. `from`: where its content begins. `hasInner`: it has brackets in it. */
export type Bracket = {
  readonly item: number
  readonly start: number
  readonly from: number
  readonly isImage: boolean
  hasInner: boolean
}

export type Scan = Names & {
  readonly content: Content
  readonly text: string
  /** Where the text begins in the content. */
  readonly start: number
  at: number
  /** Where the plain text before `at` begins. */
  from: number
  /** The end of the last escape. */
  escaped: number
  readonly items: Item[]
  readonly brackets: Bracket[]
  /** The links among so many of the first brackets would hold another link. */
  inactive: number
  /** The first mark of emphasis or deleted text. */
  first: number
  readonly ends: TitleEnds
  readonly missing: Missing
  /** The places of backticks by the number of them; undefined until one is met. */
  ticks: Map<number, number[]> | undefined
  hasJsx: boolean
}

export function createScan(content: Content, start: number, names: Names): Scan {
  return {
    ...names,
    content,
    text: content.text,
    start,
    at: start,
    from: start,
    escaped: -1,
    items: [],
    brackets: [],
    inactive: 0,
    first: 0,
    ends: new Map(),
    missing: new Map(),
    ticks: undefined,
    hasJsx: false,
  }
}

/** Adds the plain text before `to`. */
export function flush(scan: Scan, to: number): void {
  if (to > scan.from) scan.items.push({ kind: 'text', from: scan.from, to })
}

/** Adds a node from the position to `end`, where reading continues. */
export function addNode(scan: Scan, type: string, end: number, details?: Parameters<typeof createNode>[3]): void {
  flush(scan, scan.at)
  const node: SyntaxNode = createNode(type, scan.content, [scan.at, end], details)
  scan.items.push({ kind: 'node', node })
  scan.at = end
  scan.from = end
}
