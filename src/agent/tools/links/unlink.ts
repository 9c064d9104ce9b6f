// Removes the references to a file: replaces links with their text, and removes list entries, including the comma or
// line break. A reference that needs a decision (an import, a redirect, a single value) stays and is reported.

import { memberRange } from '../../../docs-syntax/json.ts'
import { type Range, type Splice, applySplices, lineAt, lineStarts } from '../../../docs-syntax/text.ts'
import type { FileChange } from '../changes.ts'
import type { Reference } from './reference.ts'
import type { FileReferences } from './references.ts'

export type Unlinked = FileChange & {
  /** Lines of the new text whose reference could not be removed. */
  readonly remainingLines: readonly number[]
}

export function unlinkFile({ file, references, referenceLinks }: FileReferences): Unlinked {
  const splices: Splice[] = []
  const remaining: number[] = []
  for (const reference of references) {
    const removal = removeReference(file.text, reference)
    if (!removal) {
      remaining.push(reference.start)
      continue
    }
    splices.push(removal)
    if (reference.link?.kind !== 'definition') continue
    // A reference-style link (`[text][name]`) breaks without its definition, so replace it with its text.
    for (const use of referenceLinks.filter(({ identifier }) => identifier === reference.link?.identifier))
      splices.push({ start: use.start, end: use.end, text: file.text.slice(use.label.start, use.label.end) })
  }
  const kept = withoutOverlaps(splices)
  return { file, splices: kept, remainingLines: linesAfter(file.text, kept, remaining) }
}

/** The lines at which offsets of the text are after the splices; not of those that a splice removes. */
function linesAfter(text: string, splices: readonly Splice[], offsets: readonly number[]): number[] {
  const starts = lineStarts(applySplices(text, splices))
  return offsets.flatMap((offset) => {
    if (splices.some(({ start, end }) => start <= offset && offset < end)) return []
    const before = splices.filter(({ end }) => end <= offset)
    return [
      lineAt(
        starts,
        before.reduce((sum, one) => sum + one.text.length - (one.end - one.start), offset),
      ),
    ]
  })
}

function removeReference(text: string, reference: Reference): Splice | undefined {
  const { link, json, key, yaml, item } = reference
  if (item) return item === 'none' ? undefined : removeScriptItem(text, item)
  if (key) return { ...memberRange(key.parent, key.member), text: '' }
  if (json) return json.parent.kind === 'array' ? { ...memberRange(json.parent, json.member), text: '' } : undefined
  if (yaml) return yaml.item ? removeYamlItem(text, yaml.item) : undefined
  if (link?.kind === 'link' || link?.kind === 'image' || link?.kind === 'doc') return removeLink(text, reference)
  if (link?.kind === 'definition') return { ...wholeLines(text, link.whole), text: '' }
  return link?.kind === 'attribute' ? removeAttribute(text, reference) : undefined
}

/** Replaces the link with its text. Removes a list item that contains only the link, unless more lines belong to it. */
function removeLink(text: string, { link }: Reference): Splice | undefined {
  if (!link?.label || (link.kind === 'doc' && link.label.start === link.label.end)) return undefined
  const lines = wholeLines(text, link.whole)
  const before = text.slice(lines.start, link.whole.start)
  const after = text.slice(link.whole.end, lines.end)
  const indent = /^[ \t]*/.exec(before)?.[0] ?? ''
  const isItem = /^[ \t]*(?:[+-]|\*+|\.+|\d+[.)])[ \t]+$/.test(before) && after.trim() === ''
  // Lines with a deeper indent belong to the item, also after blank lines.
  const hasMore = new RegExp(`^(?:[ \\t]*(?:\\r\\n|\\r|\\n))*${indent}[ \\t]+\\S`).test(text.slice(lines.end))
  // AsciiDoc repeats the marker of an item for those below it.
  const marks = /^[ \t]*([*.]+)[ \t]/.exec(before)?.[1] ?? ''
  const next = /^\s*([*.]+)[ \t]/.exec(text.slice(lines.end))?.[1] ?? ''
  const hasInner = marks !== '' && next.length > marks.length && next.startsWith(marks)
  if (isItem && !hasMore && !hasInner) return { ...lines, text: '' }
  return { ...link.whole, text: text.slice(link.label.start, link.label.end) }
}

/** Replaces `<a href="…">text</a>` with its text, removes an image, and removes the attribute from any other element. */
function removeAttribute(text: string, { link }: Reference): Splice | undefined {
  if (!link?.element) return undefined
  const { element, whole } = link
  if (element.name === 'a' && element.end > element.start) return unwrap(text, element)
  if (element.name === 'img') {
    const end = tagEnd(text, whole.end)
    return end === undefined ? undefined : { start: element.start, end, text: '' }
  }
  const space = /\s*$/.exec(text.slice(element.start, whole.start))?.[0].length ?? 0
  return { start: whole.start - space, end: whole.end, text: '' }
}

function unwrap(text: string, element: Range): Splice | undefined {
  const open = tagEnd(text, element.start)
  const close = open === undefined ? -1 : text.indexOf('</a>', open)
  if (close === -1) return undefined
  const end = close + '</a>'.length
  return { start: element.start, end, text: text.slice(open, close) }
}

/**
 * Returns the end of the tag that contains `from`, or undefined if the tag does not end within 10,000 characters. A `>` in
 * quotes or braces does not end it.
 */
function tagEnd(text: string, from: number): number | undefined {
  const found = /^(?:[^>"'{]|"[^"]*"|'[^']*'|\{[^}]*\})*>/.exec(text.slice(from, from + 10_000))
  return found ? from + found[0].length : undefined
}

/** Removes the lines of an item in a block list. Returns undefined for any other kind of list. */
function removeYamlItem(text: string, item: Range): Splice | undefined {
  const lines = wholeLines(text, item)
  const isBlock = /^[ \t]*-[ \t]+$/.test(text.slice(lines.start, item.start))
  return isBlock ? { ...lines, text: '' } : undefined
}

/** Removes an item of a list in a script, with its comma, and with its lines if nothing else is on them. */
function removeScriptItem(text: string, item: Range): Splice {
  const comma = /^\s*,/.exec(text.slice(item.end))?.[0].length ?? 0
  const end = item.end + comma
  const lines = wholeLines(text, { start: item.start, end })
  const isAlone = `${text.slice(lines.start, item.start)}${text.slice(end, lines.end)}`.trim() === ''
  if (isAlone) return { ...lines, text: '' }
  const space = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0
  if (comma > 0) return { start: item.start, end: end + space, text: '' }
  const before = /,\s*$/.exec(text.slice(Math.max(0, item.start - 1000), item.start))?.[0].length ?? 0
  return { start: item.start - before, end, text: '' }
}

function wholeLines(text: string, range: Range): Range {
  const before = Math.max(text.lastIndexOf('\n', range.start - 1), text.lastIndexOf('\r', range.start - 1))
  const after = /\r\n|\r|\n|$/.exec(text.slice(range.end))
  return { start: before + 1, end: range.end + (after ? after.index + after[0].length : 0) }
}

/** Drops every splice that overlaps an earlier one. If two start at the same place, the longer one stays. */
export function withoutOverlaps(splices: readonly Splice[]): Splice[] {
  const kept: Splice[] = []
  for (const splice of splices.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (!last || splice.start >= last.end) kept.push(splice)
  }
  return kept
}
