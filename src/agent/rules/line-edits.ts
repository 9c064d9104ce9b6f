// Turns the splices of a page into edits for edit_file: whole lines, with enough lines around them to be unique.

import { type Range, type Splice, applySplices, lineAt, lineStarts, showInvisible } from '../../docs-syntax/text.ts'

export type LineEdit = { readonly oldText: string; readonly newText: string }

/** edit_file accepts 500 edits. Neighbouring edits are joined to stay below that. */
const maxEdits = 400

/** A range of lines, counted from 0. Includes both ends. */
type Lines = { readonly first: number; readonly last: number }

/** Returns edits that have the same effect as the splices. The text has LF line breaks. */
export function toLineEdits(text: string, splices: readonly Splice[]): LineEdit[] {
  const starts = lineStarts(text)
  const total = starts.length
  const touched = splices.map(({ start, end }) => ({ first: lineAt(starts, start) - 1, last: lineAt(starts, end) - 1 }))
  const rangeOf = ({ first, last }: Lines): Range => ({
    start: starts[first] ?? 0,
    end: last + 1 < total ? (starts[last + 1] ?? 0) - 1 : text.length,
  })
  let groups = joinMany(join(touched))
  for (let before = 0; before !== groups.length;) {
    before = groups.length
    groups = join(groups.map((group) => widen(text, group, { total, rangeOf })))
  }
  return groups.map((group) => {
    const range = rangeOf(group)
    const inside = splices.filter((splice) => splice.start >= range.start && splice.end <= range.end)
    const moved = inside.map(({ start, end, text }) => ({ start: start - range.start, end: end - range.start, text }))
    const oldText = text.slice(range.start, range.end)
    return { oldText: showInvisible(oldText), newText: showInvisible(applySplices(oldText, moved)) }
  })
}

type Page = { readonly total: number; readonly rangeOf: (lines: Lines) => Range }

/** Adds lines above and below in turn until the text of the lines occurs only once. */
function widen(text: string, lines: Lines, { total, rangeOf }: Page): Lines {
  let { first, last } = lines
  for (let turn = 0; first > 0 || last < total - 1; turn++) {
    const range = rangeOf({ first, last })
    if (isUnique(text, text.slice(range.start, range.end))) break
    if (turn % 2 === 0 && first > 0) first -= 1
    else if (last < total - 1) last += 1
    else first -= 1
  }
  return { first, last }
}

function isUnique(text: string, part: string): boolean {
  if (part === '') return false
  const at = text.indexOf(part)
  return text.indexOf(part, at + 1) === -1
}

/** Joins groups that share lines, and sorts them. */
function join(groups: readonly Lines[]): Lines[] {
  const joined: Lines[] = []
  for (const group of groups.toSorted((a, b) => a.first - b.first)) {
    const last = joined.at(-1)
    if (last && group.first <= last.last)
      joined[joined.length - 1] = { first: last.first, last: Math.max(last.last, group.last) }
    else joined.push(group)
  }
  return joined
}

function joinMany(groups: readonly Lines[]): Lines[] {
  const size = Math.ceil(groups.length / maxEdits)
  if (size <= 1) return [...groups]
  const chunks = Array.from({ length: Math.ceil(groups.length / size) }, (_, index) =>
    groups.slice(index * size, (index + 1) * size),
  )
  return chunks.map((chunk) => ({ first: chunk[0]?.first ?? 0, last: chunk.at(-1)?.last ?? 0 }))
}
