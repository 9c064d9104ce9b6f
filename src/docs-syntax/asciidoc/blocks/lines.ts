// The lines of a page, and what a line of AsciiDoc can be. Each pattern is read once per line and takes linear time.

import { type Range, lineStarts } from '../../text.ts'

/** The range and the text end before blanks at the end of the line. */
export type Line = Range & { readonly text: string }

export function splitLines(source: string, range: Range = { start: 0, end: source.length }): Line[] {
  const part = source.slice(range.start, range.end)
  const starts = lineStarts(part)
  return starts.map((start, index) => {
    const text = part.slice(start, starts[index + 1] ?? part.length).trimEnd()
    return { start: range.start + start, end: range.start + start + text.length, text }
  })
}

export const conditional = /^(\\)?(ifdef|ifndef|ifeval|endif)::(\S*)\[(.*)\]$/
export const include = /^(\\)?include::([^\s[](?:[^[]*[^\s[])?)\[(.*)\]$/
export const attributeEntry = /^:(!?[\p{L}\p{N}_][^:]*):(?:[ \t]+(.*))?$/u
export const blockAnchor = /^\[\[(?:|([\p{L}_:][\p{L}\p{N}_\-:.]*)(?:, *(.+))?)\]\]$/u
export const blockAttributes = /^\[(|[\p{L}\p{N}_.#%{,"'].*)\]$/u
export const blockTitle = /^\.(\.?[^ \t.].*)$/
export const admonition = /^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+/
export const listItem = /^[ \t]*(-|\*+|\.+|\u2022|\d+\.|[a-zA-Z]\.|[IVXivx]+\)|<(?:\d+|\.)>)[ \t]+(?=\S)/
export const descriptionTerm = /^(?!\/\/[^/])[ \t]*([^ \t].*?)(:::{0,2}|;;)(?:$|[ \t]+)/
/** `'''`, `<<<`, `---`, `* * *`. */
export const breakLine = /^(?:'{3,}|<{3,}| {0,3}([-*_])( *)\1\2\1)$/
export const mediaMacro = /^(image|video|audio)::(\S[^[]*)\[(.*)\]$/
/** Macros of extensions, and `toc::[]`. */
export const otherMacro = /^[\p{L}\p{N}_][\p{L}\p{N}_-]*::[^\s[]*\[.*\]$/u

export const delimiters = /^(?:--|-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|[|,:!]={3,}|```[^`]*)$/

export type SectionTitle = { readonly depth: number; readonly title: Range }

/** `== Title`, `## Title`, and `== Title ==`. */
export function readSectionTitle({ start, text }: Line): SectionTitle | undefined {
  const mark = /^(={1,6}|#{1,6})[ \t]+(?=\S)/.exec(text)
  if (!mark?.[1]) return undefined
  const from = mark[0].length
  const depth = mark[1].length
  const rest = text.slice(from)
  const isClosed = rest.endsWith(mark[1]) && /[ \t]$/.test(rest.slice(0, -depth)) && rest.length > depth + 1
  const title = isClosed ? rest.slice(0, -depth).trimEnd() : rest
  return { depth, title: { start: start + from, end: start + from + title.length } }
}

const underlines = '=-~^+'

/** A title that the next line underlines. */
export function readUnderlinedTitle({ start, text }: Line, next: Line | undefined): SectionTitle | undefined {
  const mark = next?.text[0]
  if (next === undefined || mark === undefined || !underlines.includes(mark) || next.text.length < 2) return undefined
  if (Math.abs(next.text.length - text.length) > 1 || text.startsWith('.') || !/[\p{L}\p{N}]/u.test(text))
    return undefined
  if (next.text !== mark.repeat(next.text.length)) return undefined
  return { depth: underlines.indexOf(mark) + 1, title: { start, end: start + text.length } }
}

/** Whether the line ends a paragraph: a list of attributes, or the border of a block. */
export function startsBlock(text: string): boolean {
  return (text.startsWith('[') && (blockAttributes.test(text) || blockAnchor.test(text))) || delimiters.test(text)
}

export function startsListItem(text: string): boolean {
  return listItem.test(text) || descriptionTerm.test(text)
}
