// Says what kind of paragraph, list item or macro begins at a line that starts no section and no delimited block.

import { substitute } from '../attributes.ts'
import { readImage } from '../inline/images.ts'
import { readRun } from '../inline/read-run.ts'
import { type Blocks, type Paragraph, takePending } from './block-state.ts'
import { type Line, admonition, breakLine, descriptionTerm, listItem, mediaMacro, otherMacro } from './lines.ts'

/** Styles whose text is not read as AsciiDoc. The last are diagrams of extensions. */
export const codeStyles: ReadonlySet<string> = new Set(
  (
    'source listing literal pass stem latexmath asciimath ' +
    'a2s actdiag blockdiag bpmn bytefield d2 dbml ditaa dot erd graphviz gnuplot mermaid msc nomnoml nwdiag packetdiag ' +
    'pikchr plantuml rackdiag seqdiag svgbob umlet vega vegalite wavedrom'
  ).split(' '),
)

export function startParagraph(blocks: Blocks, line: Line): void {
  const { text } = line
  const { style } = blocks.pending
  if (codeStyles.has(style) || style === 'comment') {
    open(blocks, line, { content: style === 'comment' ? 'comment' : 'code', isVerbatim: style !== 'comment' })
    return
  }
  if (breakLine.test(text)) {
    takePending(blocks)
    return
  }
  if (readBlockMacro(blocks, line) || startItem(blocks, line)) return
  const isIndented = /^[ \t]/.test(text)
  const { needsText, isAttached } = blocks
  if (isIndented && !needsText && style !== 'normal' && style !== 'verse') {
    open(blocks, line, { content: 'code' })
    return
  }
  if (!needsText && !isAttached) blocks.isInList = false
  const label = admonition.exec(text)?.[0].length ?? 0
  const quote = /^> ?/.exec(text)?.[0].length ?? 0
  const lead = text.length - text.trimStart().length
  const start = line.start + (label || quote || lead)
  open(blocks, line, { start, endsAtItem: blocks.isInList, isQuote: quote > 0 })
}

function open(blocks: Blocks, line: Line, paragraph: Partial<Paragraph>): void {
  const attributes = takePending(blocks)
  blocks.paragraph = {
    content: 'text',
    start: line.start,
    end: line.end,
    holes: [],
    attributes,
    endsAtItem: false,
    isVerbatim: false,
    isQuote: false,
    item: undefined,
    ...paragraph,
  }
}

/** `image::path[]` and macros of extensions, in a line of their own. */
function readBlockMacro(blocks: Blocks, line: Line): boolean {
  const { state } = blocks
  const found = mediaMacro.exec(line.text)
  if (!found) {
    if (!otherMacro.test(line.text)) return false
    takePending(blocks)
    return true
  }
  const [, name = '', target = '', list = ''] = found
  const start = line.start + name.length + 2
  for (const used of target.matchAll(/\{([\w-]+)\}/g)) state.usesElsewhere.add((used[1] ?? '').toLowerCase())
  takePending(blocks)
  readImage(state, {
    name,
    kind: blocks.kind,
    whole: {
      start: line.start,
      end: line.end,
    },
    url: substitute(target, state.attributes),
    target: {
      start,
      end: start + target.length,
    },
    list: {
      start: line.end - list.length - 1,
      end: line.end - 1,
    },
  })
  return true
}

function startItem(blocks: Blocks, line: Line): boolean {
  const item = listItem.exec(line.text)
  const term = item ? null : descriptionTerm.exec(line.text)
  if (!item && !term) return false
  blocks.isInList = true
  const isDescription = term !== null
  const [written = '', marker = ''] = item ?? term ?? []
  const check = item ? (/^\[[ x*]\][ \t]+(?=\S)/.exec(line.text.slice(written.length))?.[0].length ?? 0) : 0
  const start = line.start + written.length + check
  if (term) {
    const lead = line.text.length - line.text.trimStart().length
    const range = { start: line.start + lead, end: line.start + lead + marker.length }
    readRun(blocks.state, { ...range, holes: [], kind: blocks.kind })
  }
  if (start >= line.end) {
    takePending(blocks)
    blocks.needsText = true
    return true
  }
  const named = isDescription ? undefined : { marker, start: line.start }
  open(blocks, line, { start, endsAtItem: true, item: named })
  return true
}
