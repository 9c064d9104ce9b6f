// Which pages are read line by line, because remark takes more than linear time in a block. The reader of CommonMark does not,
// and keeps the same limits, so that both read the same pages.

/**
 * Measured: 20,000 characters of `1. ` in one line take 8 s, of `_*` 3 s, and 300,000 of plain words in a paragraph 6 s.
 * Marks are characters that can open or close a construct inside a block. The squares of the marks and lines of all blocks
 * together are limited too: a hostile page at the limits takes about a second, and so does the longest page of usual text.
 */
const maxCharacters = 250_000
const maxLine = 20_000
const maxLines = 5000
const maxBlock = 40_000
const maxMarks = 20_000
const maxSquares = 2500 ** 2
const marks = /[*_~[\]<`{]/g
const deepNesting = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){12}/

/** Whether a page is beyond the limits. */
export function isTooMuch(text: string): boolean {
  if (text.length > maxCharacters) return true
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.length > maxLines) return true
  let block = { characters: 0, weight: 0 }
  const total = { marks: 0, squares: 0 }
  for (const line of lines) {
    if (line.length > maxLine || deepNesting.test(line)) return true
    const found = line.match(marks)?.length ?? 0
    const before = line.trim() === '' ? { characters: 0, weight: 0 } : block
    block = { characters: before.characters + line.length, weight: before.weight + found + 1 }
    total.marks += found
    total.squares += block.weight ** 2 - before.weight ** 2
    if (block.characters > maxBlock || total.marks > maxMarks || total.squares > maxSquares) return true
  }
  return false
}
