// Finds the places of each edit in a text. Its old text must occur exactly once, unless `all` is set; the comparison treats every line break as
// LF and escapes invisible characters. Returns splices of the original text, or a reason for every edit that fails.

import {
  type MappedText,
  type Range,
  type Splice,
  dominantLineBreak,
  findInvisible,
  hideInvisible,
  lineAt,
  lineBreaksOf,
  lineStarts,
  showInvisible,
  withInvisibleShown,
  withLineFeeds,
} from '../../../docs-syntax/text.ts'
import { explainMissing } from './hint.ts'
import { findTarget, type Target } from './targets.ts'

export type Edit = {
  readonly oldText?: string | undefined
  /** Every place of `oldText`, not the only one. */
  readonly all?: boolean | undefined
  readonly newText?: string | undefined
  /** The path of the file to whose end the text moves. */
  readonly moveTo?: string | undefined
} & Target
export type PlacedEdits =
  | { readonly splices: readonly Splice[]; readonly moved: readonly Moved[] }
  | { readonly problems: readonly string[] }
/** A text that leaves the file, and its place there, both with LF line breaks. */
export type Moved = { readonly to: string; readonly text: string; readonly range: Range }

const maxPlacesNamed = 10
const maxPlaces = 1000

/** `lines` is the text with LF line breaks. `shown` also has invisible characters escaped, as in results of read_file. */
type Views = {
  readonly path: string
  readonly text: string
  readonly lines: MappedText
  readonly shown: MappedText
}

/** Splices in the order of the edits. */
export function placeEdits(path: string, text: string, edits: readonly Edit[]): PlacedEdits {
  const lines = withLineFeeds(text)
  const views = { path, text, lines, shown: withInvisibleShown(lines.text) }
  const found = edits.map((edit, index) => placeEdit(views, edit, `Edit ${index + 1}`))
  const problems = found.flatMap((one) => (typeof one === 'string' ? [one] : []))
  const placed = found.flatMap((one) => (typeof one === 'string' ? [] : one))
  if (problems.length === 0) problems.push(...findOverlaps(views, placed))
  if (problems.length > 0) return { problems }
  const moved = placed.flatMap(({ range, to }) => (to === undefined ? [] : [{ to, text: slice(views, range), range }]))
  return { splices: placed.map((one) => toSplice(views, one)), moved }
}

function slice({ lines }: Views, { start, end }: Range): string {
  return lines.text.slice(start, end)
}

/** `range` refers to the text with LF line breaks. */
type Placed = { readonly name: string; readonly range: Range; readonly newText: string; readonly to?: string }

function placeEdit(views: Views, edit: Edit, name: string): readonly Placed[] | string {
  const { oldText, section, startLine, newText, moveTo } = edit
  const targets = [oldText, section, startLine].filter((one) => one !== undefined)
  if (targets.length !== 1) return `${name}: give one of oldText, section and startLine.`
  if (moveTo !== undefined && (newText ?? '') !== '') return `${name}: give either newText or moveTo.`
  if (moveTo === undefined && newText === undefined) return `${name}: newText is missing; give an empty one to delete.`
  if (moveTo === views.path) return `${name}: moveTo is the same file.`
  if (oldText !== undefined) return placeText(views, { ...edit, oldText }, name)
  const found = findTarget({ path: views.path, text: views.lines.text }, { ...edit, newText: newText ?? '' })
  if ('problem' in found) return `${name}: ${found.problem}`
  return [toPlaced(views, edit, { name, ...found })]
}

function placeText(views: Views, edit: Edit & { readonly oldText: string }, name: string): readonly Placed[] | string {
  const wanted = showInvisible(withLineFeeds(edit.oldText).text)
  if (wanted === '') return `${name}: oldText is empty. To add text, put a neighbouring line into both texts.`
  if (wanted === showInvisible(withLineFeeds(edit.newText ?? '').text))
    return `${name}: newText is the same as oldText.`
  const places = findPlaces(views.shown, wanted)
  if (places.length === 0) return `${name}: ${explainMissing(views.shown.text, wanted)}`
  if (places.length > 1 && edit.all !== true) return `${name}: ${explainSeveral(views.shown.text, places)}`
  if (places.length > maxPlaces) return `${name}: oldText occurs more than ${maxPlaces} times.`
  const { offsets } = views.shown
  return withoutOverlaps(places, wanted.length).map((start) => {
    const range = { start: offsets[start] ?? 0, end: offsets[start + wanted.length] ?? 0 }
    return toPlaced(views, edit, { name, range, newText: edit.newText ?? '' })
  })
}

function toPlaced(views: Views, { moveTo }: Edit, { name, range, newText }: Placed): Placed {
  const hidden = new Set(findInvisible(slice(views, range)))
  const written = hideInvisible(withLineFeeds(newText).text, hidden)
  return { name, range, newText: written, ...(moveTo === undefined ? {} : { to: moveTo }) }
}

function withoutOverlaps(places: readonly number[], length: number): number[] {
  let end = 0
  return places.filter((place) => {
    if (place < end) return false
    end = place + length
    return true
  })
}

/** Returns every offset at which `wanted` begins, also overlapping ones, but never an offset inside an escaped character. */
function findPlaces({ text, offsets }: MappedText, wanted: string): number[] {
  const places: number[] = []
  const isEdge = (index: number): boolean => index === 0 || offsets[index] !== offsets[index - 1]
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (isEdge(at) && isEdge(at + wanted.length)) places.push(at)
    if (places.length > maxPlaces) break
  }
  return places
}

function explainSeveral(shown: string, places: readonly number[]): string {
  const starts = lineStarts(shown)
  const named = places.slice(0, maxPlacesNamed).map((place) => lineAt(starts, place))
  const more = places.length > maxPlacesNamed ? ' and more' : ''
  return `oldText occurs ${places.length} times in the file, at lines ${named.join(', ')}${more}. Add lines around it until it is the only one, or set \`all\`.`
}

function findOverlaps(views: Views, placed: readonly Placed[]): string[] {
  const sorted = placed.toSorted((a, b) => a.range.start - b.range.start)
  const starts = lineStarts(views.lines.text)
  return sorted.flatMap((one, index) => {
    const next = sorted[index + 1]
    if (!next || next.range.start >= one.range.end) return []
    return [`${one.name} and ${next.name} overlap at line ${lineAt(starts, next.range.start)}: make one edit of them.`]
  })
}

/** Returns the smallest splice that makes the edit, so line breaks that the edit only repeats keep their form. */
function toSplice({ text, lines }: Views, { range, newText }: Placed): Splice {
  const old = lines.text.slice(range.start, range.end)
  const shorter = Math.min(old.length, newText.length)
  let head = 0
  while (head < shorter && old[head] === newText[head]) head += 1
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === newText[newText.length - 1 - tail]) tail += 1
  const start = lines.offsets[range.start + head] ?? 0
  const end = lines.offsets[range.end - tail] ?? text.length
  return withLineBreaks(text, { start, end, text: newText.slice(head, newText.length - tail) })
}

/**
 * Each new line break gets the form of the one that it replaces; additional ones get the form of their neighbours. A lone
 * CR is never placed directly before an LF, because the two would become one line break.
 */
function withLineBreaks(text: string, splice: Splice): Splice {
  const before = text.slice(0, splice.start)
  const after = text.slice(splice.end)
  const replaced = lineBreaksOf(text.slice(splice.start, splice.end))
  const nearest = replaced.at(-1) ?? /(?:\r\n|\r|\n)(?=[^\r\n]*$)/.exec(before)?.[0] ?? /\r\n|\r|\n/.exec(after)?.[0]
  const usual = nearest ?? dominantLineBreak(text)
  const breaks = lineBreaksOf(splice.text).map((_, index) => replaced[index] ?? usual)
  let index = 0
  const added = splice.text.replace(/\n/g, (_, at: number) => {
    const chosen = breaks[index++] ?? usual
    return chosen === '\n' && splice.text[at - 1] === '\n' && breaks[index - 2] === '\r' ? '\r\n' : chosen
  })
  const head = before.endsWith('\r') && (added + after).startsWith('\n') ? '\r' : ''
  const tail = added.endsWith('\r') && after.startsWith('\n') ? '\r' : ''
  return { start: splice.start, end: splice.end, text: head + added + tail }
}
