// Parses the unified diff of one file into rows with line numbers.

export type Row = {
  readonly kind: 'hunk' | 'context' | 'added' | 'deleted' | 'remark'
  /** The line number in the old file; null if the row is not a line of it. */
  readonly before: number | null
  /** The line number in the new file; null if the row is not a line of it. */
  readonly after: number | null
  readonly text: string
}

/** Omits header lines. Never throws: a line that does not belong to a diff becomes a remark. */
export function parsePatch(patch: string): readonly Row[] {
  const lines = patch.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const first = lines.findIndex((line) => line.startsWith('@@'))
  if (first === -1) return []
  const at = { before: 0, after: 0 }
  return lines.slice(first).map((line) => toRow(line, at))
}

/** Advances `at`. */
function toRow(line: string, at: { before: number; after: number }): Row {
  const text = line.slice(1)
  switch (line[0]) {
    case '@':
      return toHunk(line, at)
    case '+':
      return { kind: 'added', before: null, after: at.after++, text }
    case '-':
      return { kind: 'deleted', before: at.before++, after: null, text }
    case ' ':
    case undefined:
      return { kind: 'context', before: at.before++, after: at.after++, text }
    default:
      return { kind: 'remark', before: null, after: null, text: line.startsWith('\\') ? text.trim() : line }
  }
}

function toHunk(line: string, at: { before: number; after: number }): Row {
  const [, before, after] = /^@@+ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? []
  at.before = Number(before ?? 0)
  at.after = Number(after ?? 0)
  return { kind: 'hunk', before: null, after: null, text: line }
}
