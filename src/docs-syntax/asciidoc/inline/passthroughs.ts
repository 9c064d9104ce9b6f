// Finds what Asciidoctor takes out before it reads other markup: `+literal+`, `++literal++`, `+++raw+++`, `pass:[raw]`,
// `` `+literal+` `` and formulas. All of it is code here: nobody may replace words in it.

import { type Scan, isSpace, isWord, masks, nextPositions } from './scan.ts'

const delimited = /(\\{0,2})(\+\+\+?|\$\$)|(\\?)pass:(?:[a-z]+(?:,[a-z-]+)*)?\[/g
const formula = /(\\?)(?:stem|latexmath|asciimath):(?:[a-z]+(?:,[a-z-]+)*)?\[/g
const plus = 43
const backtick = 96

export function readPassthroughs(scan: Scan): void {
  const { text } = scan
  if (/\+\+|\$\$|pass:/.test(text)) readDelimited(scan)
  if (/[+`]/.test(text)) readSingle(scan)
  if (/(?:stem|math):/.test(text)) readFormulas(scan)
}

function readDelimited(scan: Scan): void {
  const { text } = scan
  const missing = new Set<string>()
  const closing = text.includes('pass:') ? closingBrackets(text) : undefined
  const pattern = new RegExp(delimited)
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [written, slashes = '', mark, slash] = found
    const open = found.index + written.length
    if (mark === undefined) {
      const close = closing?.[open] ?? text.length
      if (slash || close === text.length) continue
      take(scan, { start: found.index, open, close, end: close + 1 })
      pattern.lastIndex = close + 1
      continue
    }
    if (slashes) continue
    const start = open - mark.length
    const length = [mark.length, 2].find((size) => {
      const name = mark.slice(0, size)
      const isThere = !missing.has(name) && text.includes(name, start + size)
      if (!isThere) missing.add(name)
      return isThere
    })
    if (length === undefined) continue
    const close = text.indexOf(mark.slice(0, length), start + length)
    take(scan, { start, open: start + length, close, end: close + length })
    pattern.lastIndex = close + length
  }
}

/** `+literal+` and `` `+literal+` ``; other text between backticks is read later. */
function readSingle(scan: Scan): void {
  const { units } = scan
  const nextOf = (mark: number) =>
    nextPositions(units.length, (at) => units[at] === mark && !isSpace(units[at - 1]) && !isWord(units[at + 1]))
  const next = { [plus]: nextOf(plus), [backtick]: nextOf(backtick) }
  let last = -1
  for (let at = 0; at < units.length; at++) {
    const mark = units[at]
    if ((mark !== plus && mark !== backtick) || !isOpening(scan, at, last)) continue
    const close = next[mark]?.[at + 2] ?? units.length
    if (close >= units.length) continue
    const isEscaped = units[at - 1] === 92
    if (mark === plus && !isEscaped) take(scan, { start: at, open: at + 1, close, end: close + 1 })
    else if (mark === backtick && !isEscaped && close - at > 3 && units[at + 1] === plus && units[close - 1] === plus)
      take(scan, { start: at, open: at + 2, close: close - 1, end: close + 1 })
    at = close
    last = close
  }
}

function isOpening({ units }: Scan, at: number, last: number): boolean {
  const before = units[at - 1]
  if (at > 0 && (at - 1 <= last || isWord(before) || before === 59 || before === 58)) return false
  return at + 1 < units.length && !isSpace(units[at + 1])
}

function readFormulas(scan: Scan): void {
  const closing = closingBrackets(scan.text)
  for (const found of scan.text.matchAll(formula)) {
    const open = found.index + found[0].length
    const close = closing[open] ?? scan.text.length
    if (found[1] || close === scan.text.length || scan.units[found.index] === masks.opaque) continue
    take(scan, { start: found.index, open, close, end: close + 1 })
  }
}

/** For each position the next `]` that no backslash precedes. */
export function closingBrackets(text: string): Int32Array {
  return nextPositions(text.length, (at) => text[at] === ']' && text[at - 1] !== '\\')
}

type Found = { readonly start: number; readonly open: number; readonly close: number; readonly end: number }

function take(scan: Scan, { start, open, close, end }: Found): void {
  scan.cuts.push({ start, end: open, shown: '' }, { start: close, end, shown: '' })
  scan.code.push({ start: open, end: close })
  scan.units.fill(masks.opaque, start, end)
}
