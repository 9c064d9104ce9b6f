// Decides whether all generators show to readers what CommonMark calls code. Python-Markdown (MkDocs) and kramdown (Jekyll)
// read fewer fences and spans, and publish the HTML in the others. In doubt, text is content.

import type { Range } from '../../../../docs-syntax/text.ts'
import type { Dialect } from './kinds.ts'

export type ShownCode = {
  readonly isBlock: (range: Range) => boolean
  readonly isSpan: (range: Range) => boolean
}

/** The ranges of blocks must come in the order of the text. */
export function createShownCode(text: string, dialects: readonly Dialect[]): ShownCode {
  const isInTag = dialects.includes('kramdown') ? createIsInTag(text) : () => false
  return {
    isBlock: ({ start, end }) => {
      const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
      const block = text.slice(start, end).replaceAll(/\r\n?/g, '\n')
      const fence = readFence(before, block)
      if (!fence) return isIndented(text, start, before, block)
      return isFence(fence) && !isInTag(start) && dialects.every((dialect) => isFenceOf[dialect](fence))
    },
    // A second line may begin a block, and kramdown reads no span after one backtick and a space.
    isSpan: ({ start, end }) => {
      const span = text.slice(start, end)
      const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
      return !/[\r\n]|^`\s/.test(span) && !(dialects.includes('raw-titles') && /^\s*# /.test(before))
    },
  }
}

type Fence = {
  readonly marks: string
  readonly info: string
  /** The text before the opening fence on its line. */
  readonly before: string
  readonly lines: readonly string[]
}

function readFence(before: string, block: string): Fence | undefined {
  const opening = /^(`{3,}|~{3,})([^\n]*)/.exec(block)
  const [, marks, info] = opening ?? []
  if (marks === undefined || info === undefined) return undefined
  return { marks, info: info.trim(), before, lines: block.split('\n').slice(1) }
}

/** It must end, with the same marks in the same column. */
function isFence({ marks, before, lines }: Fence): boolean {
  const last = lines.at(-1) ?? ''
  const indent = /^[\s>]*/.exec(last)?.[0] ?? ''
  return last.slice(indent.length).trimEnd() === marks && indent.length === before.length
}

/** A fence that a dialect does not read may be a code span of it, which ends at an empty line. */
const isFenceOf: Readonly<Record<Dialect, (fence: Fence) => boolean>> = {
  // The title of the page is the first heading as it is written.
  'raw-titles': () => true,
  'python-markdown': (fence) => {
    const { marks, info, before } = fence
    if (before === '') return /^(?:\{[^}]*\}|\.?[\w#.+-]*\s*(?:hl_lines=(["']).*?\1)?)$/.test(info)
    return marks.startsWith('`') && !/[^\s>]|^ {1,3}$/.test(before) && !hasEmptyLine(fence)
  },
  kramdown: (fence) => !/\s/.test(fence.info) || (fence.marks.startsWith('`') && !hasEmptyLine(fence)),
}

function hasEmptyLine({ lines }: Fence): boolean {
  return lines.some((line) => /^[\s>]*$/.test(line))
}

/** Names that begin containers whose indented text is content to some generators: lists, notes, tabs, definitions. */
const container = /^\s*(?:!!!|\?\?\?|===|\/\/\/|:|\[\^|<|>|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/

function isIndented(text: string, start: number, before: string, block: string): boolean {
  if (/\S/.test(before) || /^ {1,3}\t/m.test(before + block)) return false
  const lines = text.slice(0, start).split(/\r\n|\r|\n/)
  for (let at = lines.length - 2; at >= 0; at -= 1) {
    const line = lines[at] ?? ''
    if (container.test(line)) return false
    if (/^\S/.test(line) && (at === 0 || lines[at - 1]?.trim() === '')) return true
  }
  return true
}

const tags =
  /<(\/?)(?:address|article|aside|blockquote|body|center|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|html|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b/gi

/** kramdown reads no Markdown in an element that has not ended. */
function createIsInTag(text: string): (position: number) => boolean {
  const found = [...text.matchAll(tags)]
  let [at, depth] = [0, 0]
  return (position) => {
    for (let tag = found[at]; tag && tag.index < position; tag = found[at]) {
      depth = Math.max(0, depth + (tag[1] === '/' ? -1 : 1))
      at += 1
    }
    return depth > 0
  }
}
