// One file of a change as hunks of lines, each removed line beside the added one that took its place. Pure.

export type Line = {
  readonly kind: 'added' | 'removed' | 'same'
  readonly before: number | undefined
  readonly after: number | undefined
  readonly text: string
  /** Its place among all lines of the file's patch. */
  readonly index: number
  /** The index of the line that replaces it, or that it replaces. */
  readonly mate: number | undefined
  /** The file ends with this line, without a line break. */
  readonly isCut: boolean
}

export type Hunk = { readonly heading: string; readonly lines: readonly Line[] }

type Draft = { -readonly [Key in keyof Line]: Line[Key] }

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/
const kinds = { '+': 'added', '-': 'removed', ' ': 'same' } as const

export function parsePatch(patch: string): readonly Hunk[] {
  const hunks: { heading: string; lines: Draft[] }[] = []
  let before = 0
  let after = 0
  let index = 0
  for (const text of patch.split('\n')) {
    const head = hunkHead.exec(text)
    const hunk = hunks.at(-1)
    if (head) {
      ;[before, after] = [Number(head[1]), Number(head[2])]
      hunks.push({ heading: toHeading(head[3] ?? ''), lines: [] })
      continue
    }
    if (hunk === undefined || text === '') continue
    const mark = text.charAt(0)
    const last = hunk.lines.at(-1)
    if (mark === '\\' && last) last.isCut = true
    if (mark !== '+' && mark !== '-' && mark !== ' ') continue
    const kind = kinds[mark]
    hunk.lines.push({
      kind,
      before: kind === 'added' ? undefined : before++,
      after: kind === 'removed' ? undefined : after++,
      text: text.slice(1),
      index: index++,
      mate: undefined,
      isCut: false,
    })
  }
  for (const { lines } of hunks) matchLines(lines)
  return hunks
}

/** git cuts the line after so many bytes, also in the middle of a word or a character. */
const mostHeadingBytes = 80

function toHeading(text: string): string {
  const heading = text.trim()
  if (new TextEncoder().encode(heading).length < mostHeadingBytes) return heading
  return `${heading.replace(/\s\S*$|\ufffd+$/, '')} …`
}

/** Removed lines and the added lines right after them belong together, in order. */
function matchLines(lines: readonly Draft[]): void {
  for (let start = 0; start < lines.length;) {
    const removed = countFrom(lines, start, 'removed')
    const added = countFrom(lines, start + removed, 'added')
    for (let step = 0; step < Math.min(removed, added); step += 1) {
      const [left, right] = [lines[start + step], lines[start + removed + step]]
      if (!left || !right) continue
      left.mate = right.index
      right.mate = left.index
    }
    start += Math.max(1, removed + added)
  }
}

export function countFrom(lines: readonly Line[], start: number, kind: Line['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end += 1
  return end - start
}
