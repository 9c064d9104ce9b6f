// Reads section titles and transitions. The depth of a title is the place of its style (line above or not, which mark) in
// the order in which the styles of the page first occur.

import { normaliseName, registerId } from './ids.ts'
import { readInline } from './inline.ts'
import { type Place, type RstLine, type RstState, settleLabels } from './state.ts'

const rule = /^([!-/:-@[-`{-~])\1*$/

export function isMark(character: string): boolean {
  return /^[!-/:-@[-`{-~]$/.test(character)
}

/** Returns where the next block begins; undefined if no title and no transition begins here. */
export function readTitle(state: RstState, lines: readonly RstLine[], place: Place): number | undefined {
  const { at, base, inner } = place
  const line = lines[at]
  const next = lines[at + 1]
  if (!line || line.text === '::') return undefined
  if (rule.test(line.text)) {
    const isShort = line.text.length < 4
    if (!next || next.text === '') {
      if (isShort) return undefined
      settleLabels(state)
      return at + 1
    }
    return inner.titles ? readOverlined(state, lines, place) : isShort ? undefined : at + 1
  }
  if (!next || next.column !== base || !rule.test(next.text)) return undefined
  if (widthOf(line.text) > next.text.length && next.text.length < 4) return undefined
  if (!inner.titles) return undefined
  addTitle(state, line, { style: next.text.charAt(0), end: next.end, start: line.start })
  return at + 2
}

function readOverlined(state: RstState, lines: readonly RstLine[], { at }: Place): number | undefined {
  const [over, title, under] = [lines[at], lines[at + 1], lines[at + 2]]
  if (!over || !title) return undefined
  const isShort = over.text.length < 4
  const isClosed = under?.text === over.text
  if (!isClosed) return isShort ? undefined : under && rule.test(under.text) ? at + 3 : at + 2
  if (isShort && widthOf(title.text) > over.text.length) return undefined
  addTitle(state, title, { style: over.text.charAt(0).repeat(2), start: over.start, end: under.end })
  return at + 3
}

function addTitle(
  state: RstState,
  line: RstLine,
  { style, start, end }: { readonly style: string; readonly start: number; readonly end: number },
): void {
  const depth = depthOf(state, style)
  const text = readInline(state, [line])
  if (depth === undefined) {
    settleLabels(state)
    return
  }
  state.level = depth
  const own = registerId(state.register, normaliseName(text))
  // Sphinx puts an id such as `id1` after those of the labels (its transform SortIds); both are anchors.
  const slug = own.startsWith('id') ? (state.waiting.at(-1)?.id ?? own) : own
  if (slug !== own) state.ids.push(own)
  settleLabels(state, text, state.headings.length)
  state.headings.push({ start, end, depth, text, slug })
}

/** Undefined: the style would skip a level, which docutils refuses. */
function depthOf(state: RstState, style: string): number | undefined {
  const known = state.titleStyles.indexOf(style) + 1
  if (known > 0) return known <= state.level + 1 ? known : undefined
  if (state.titleStyles.length !== state.level) return undefined
  state.titleStyles.push(style)
  return state.titleStyles.length
}

/** How many columns a text takes: marks take no column, letters of East Asia two. */
export function widthOf(text: string): number {
  if (/^[\0-\x7F]*$/.test(text)) return text.length
  let width = 0
  for (const character of text)
    if (!/\p{M}/u.test(character))
      width +=
        /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u.test(
          character,
        )
          ? 2
          : 1
  return width
}
