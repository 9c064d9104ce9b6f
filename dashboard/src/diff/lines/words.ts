// Which words of a line were replaced, compared with the line that took its place. Pure, and bounded: two lines that have
// little in common are shown as a whole.

export type Range = { readonly start: number; readonly end: number }

export type Changed = { readonly before: readonly Range[]; readonly after: readonly Range[] }

const most = { characters: 1_000, words: 200 }
/** Below this part of equal characters, marks are noise. */
const leastEqual = 0.3

export function changedWords(before: string, after: string): Changed | undefined {
  if (Math.max(before.length, after.length) > most.characters) return undefined
  const [left, right] = [split(before), split(after)]
  if (Math.max(left.length, right.length) > most.words) return undefined
  const kept = commonWords(left, right)
  const equal = kept.reduce((sum, [index]) => sum + (left[index] ?? '').trim().length, 0)
  if (equal < leastEqual * Math.max(before.trim().length, after.trim().length)) return undefined
  return {
    before: rangesWithout(left, new Set(kept.map(([index]) => index))),
    after: rangesWithout(right, new Set(kept.map(([, index]) => index))),
  }
}

function split(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

/** The longest common subsequence, as pairs of indexes. */
function commonWords(left: readonly string[], right: readonly string[]): readonly (readonly [number, number])[] {
  const width = right.length + 1
  const lengths = new Uint16Array((left.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const pairs: [number, number][] = []
  let [row, column] = [0, 0]
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) pairs.push([row++, column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1
    else column += 1
  }
  return pairs
}

function rangesWithout(words: readonly string[], kept: ReadonlySet<number>): readonly Range[] {
  const ranges: { start: number; end: number }[] = []
  let position = 0
  for (const [index, word] of words.entries()) {
    const end = position + word.length
    const last = ranges.at(-1)
    if (!kept.has(index) && last?.end === position) last.end = end
    else if (!kept.has(index)) ranges.push({ start: position, end })
    position = end
  }
  return ranges
}
