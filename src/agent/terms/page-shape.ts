// Keeps the shape of reStructuredText and AsciiDoc when the words of a page change: the lines below and above a title are
// as long as the title, the columns of a table stay, and references that name a heading by its text follow it.

import type { Heading, MarkdownPage } from '../../docs-syntax/page.ts'
import { normaliseName } from '../../docs-syntax/rst/ids.ts'
import { widthOf } from '../../docs-syntax/rst/titles.ts'
import { createFinder, type Range, type Splice } from '../../docs-syntax/text.ts'

type Page = { readonly page: MarkdownPage; readonly text: string }
export type ChangedHeading = { readonly before: Heading; readonly after: Heading }

const border = /^[ \t]*(?:=+(?: +=+)+|\+(?:[-=]+\+)+)[ \t]*$/
const rule = /^([!-/:-@[-`{-~])\1+$/
/** The first line of a longer table is not looked for. */
const maxRows = 200

/** Without the splices for which a table has no room. */
export function keepTables({ page, text }: Page, splices: readonly Splice[]): Splice[] {
  if (page.syntax !== 'rst') return [...splices]
  const cells = page.prose.filter(({ kind }) => kind === 'cell')
  const gaps = new Map<number, Range & { used: number }>()
  let at = 0
  const kept = splices
    .toSorted((a, b) => a.start - b.start)
    .filter((splice) => {
      while ((cells[at]?.end ?? Infinity) < splice.end) at += 1
      const isInCell = (cells[at]?.start ?? Infinity) <= splice.start
      const found = isInCell ? gapAfter(text, splice.end) : undefined
      const change = widened(text, splice)
      if (!found || change === 0) return true
      const gap = gaps.get(found.start) ?? { ...found, used: 0 }
      if (gap.used + change >= gap.end - gap.start) return false
      gaps.set(found.start, { ...gap, used: gap.used + change })
      return true
    })
  const spaces = [...gaps.values()].map(({ start, used }) => ({
    start,
    end: start + Math.max(0, used),
    text: ' '.repeat(Math.max(0, -used)),
  }))
  return [...kept, ...spaces]
}

/** The spaces between the text of a cell and the next column; undefined after the last column, and without a border. */
function gapAfter(text: string, position: number): Range | undefined {
  let from = text.lastIndexOf('\n', position - 1) + 1
  const line = from
  let above: string | undefined
  for (let row = 0; from > 0 && row < maxRows && above === undefined; row += 1) {
    const previous = text.lastIndexOf('\n', from - 2) + 1
    const written = text.slice(previous, from - 1).replace(/\r$/, '')
    if (border.test(written)) above = written
    from = previous
  }
  const next = above?.includes('+')
    ? text.slice(line).indexOf('|', position - line)
    : Array.from(above?.matchAll(/=+/g) ?? [], ({ index }) => index).find((index) => index > position - line)
  const end = line + (next ?? -1)
  if (end < position || text.slice(position, end).includes('\n')) return undefined
  return { start: position + text.slice(position, end).trimEnd().length, end }
}

/** The lines around the titles that the splices change, with the new length. */
export function underlines({ page, text }: Page, splices: readonly Splice[]): Splice[] {
  if (page.syntax !== 'rst' && page.syntax !== 'asciidoc') return []
  const inOrder = splices.toSorted((a, b) => a.start - b.start)
  return [...Map.groupBy(inOrder, createFinder(page.headings))].flatMap(([heading, within]) => {
    const lines = heading ? linesIn(text, heading) : []
    const title = lines.findLast(({ written }) => !rule.test(written))
    const own = within.filter((one) => title && title.start <= one.start && one.end <= title.end)
    const change = own.reduce((sum, one) => sum + widened(text, one), 0)
    if (change === 0) return []
    return lines
      .filter(({ written }) => rule.test(written))
      .map(({ start: from, end: to, written }) => ({
        start: from,
        end: to,
        text: written.charAt(0).repeat(Math.max(4, written.length + change)),
      }))
  })
}

/** References by the text of a heading: `` `Install Acme`_ `` and `<<Install Acme>>`. */
export function namedHeadings({ page, text }: Page, changed: readonly ChangedHeading[]): Splice[] {
  const exact = new Map(changed.map(({ before, after }) => [before.text, after.text]))
  const names = new Map(Array.from(exact, ([name, fresh]) => [normaliseName(name), fresh]))
  if (page.syntax === 'asciidoc')
    return page.links.flatMap(({ kind, url, start, end }) => {
      const name = kind === 'ref' ? exact.get(url) : undefined
      return name === undefined || text.slice(start, end) !== url ? [] : [{ start, end, text: name }]
    })
  if (page.syntax !== 'rst') return []
  return page.references.flatMap(({ identifier, label, start }) => {
    const name = names.get(identifier)
    if (name === undefined || normaliseName(text.slice(label.start, label.end)) !== identifier) return []
    return [start === label.start ? { ...label, text: `\`${name}\`` } : { ...label, text: name }]
  })
}

function widened(text: string, splice: Splice): number {
  return widthOf(splice.text) - widthOf(text.slice(splice.start, splice.end))
}

function linesIn(text: string, { start, end }: Range): (Range & { readonly written: string })[] {
  return Array.from(text.slice(start, end).matchAll(/[^\r\n]*[^\s][^\r\n]*/g), ({ index, 0: line }) => {
    const written = line.trimEnd()
    return { start: start + index, end: start + index + written.length, written }
  })
}
