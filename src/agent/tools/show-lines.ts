// Shows the lines that an edit changed, as they are now, with two lines around them. Bounded: of many places the first,
// and of long texts their ends.

import { type Splice, lineAt, lineStarts, showInvisible, withLineFeeds } from '../../docs-syntax/text.ts'
import { shorten } from '../../lib/plain-text.ts'

type LineRange = { readonly first: number; readonly last: number }

const around = 2
const mostRanges = 5
const mostLines = 10
const mostCharacters = 160

/** Returns the changed lines of the text after the splices, in order, each once. */
export function changedLines(text: string, splices: readonly Splice[]): readonly LineRange[] {
  const starts = lineStarts(text)
  let moved = 0
  const ranges = splices
    .toSorted((a, b) => a.start - b.start)
    .map((splice) => {
      const first = lineAt(starts, splice.start + moved)
      const last = lineAt(starts, splice.start + moved + splice.text.length)
      moved += splice.text.length - (splice.end - splice.start)
      return { first, last }
    })
  return [...new Map(ranges.map((range) => [`${range.first}-${range.last}`, range])).values()]
}

/** Lines such as `12: text`, and `…` where some are left out. */
export function showLines(text: string, ranges: readonly LineRange[], beside = around): readonly string[] {
  const lines = withLineFeeds(text).text.replace(/\n$/, '').split('\n')
  const shown: string[] = []
  let last = 0
  for (const range of ranges.slice(0, mostRanges)) {
    const wanted = numbersOf(range, beside, lines.length).filter((line) => line > last)
    for (const line of wanted) {
      if (line > last + 1 && shown.length > 0) shown.push('…')
      shown.push(`${line}: ${showLine(lines[line - 1] ?? '')}`)
      last = line
    }
  }
  return ranges.length > mostRanges ? [...shown, '…'] : shown
}

function numbersOf({ first, last }: LineRange, beside: number, total: number): number[] {
  const from = Math.max(1, first - beside)
  const to = Math.min(total, last + beside)
  const all = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  return all.length <= mostLines ? all : [...all.slice(0, mostLines / 2), ...all.slice(-mostLines / 2)]
}

function showLine(line: string): string {
  const shown = showInvisible(line)
  return shorten(shown, mostCharacters)
}
