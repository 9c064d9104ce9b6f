// Reads `<<id>>`, anchors, index terms, and macros of extensions.

import type { Range } from '../../text.ts'
import { addLink } from '../state.ts'
import { type Macros, cut, sourceRange, urlOf } from './macro-state.ts'
import { readReferenceTarget } from './targets.ts'

const anchorName = /^([\p{L}_:][\p{L}\p{N}_\-:.]*)(?:,[^]*)?$/u

export function readReference({ start, end }: Range, macros: Macros): void {
  const close = macros.angles[end] ?? macros.text.length
  const inside = macros.text.slice(end, close)
  if (close >= macros.text.length || !/^[\p{L}\p{N}_#/.:{]/u.test(inside)) return
  const comma = inside.indexOf(',')
  const written = comma === -1 ? inside : inside.slice(0, comma)
  const { kind, skip } = readReferenceTarget(written)
  const range = { start: end + skip, end: end + written.length }
  const blanks = comma === -1 ? 0 : (/^\s*/.exec(inside.slice(comma + 1))?.[0].length ?? 0)
  const label = { start: end + comma + 1 + blanks, end: close }
  const hasLabel = comma !== -1 && label.end > label.start
  const url = urlOf(macros, range)
  const whole = { start, end: close + 2 }
  const link = { ...sourceRange(macros, range), kind, url, whole: sourceRange(macros, whole) }
  addLink(macros.state, { ...link, label: hasLabel ? sourceRange(macros, label) : undefined })
  cut(macros, { start, end: hasLabel ? label.start : whole.end }, hasLabel ? '' : `[${url}]`)
  if (hasLabel) cut(macros, { start: close, end: whole.end }, '')
  macros.position = hasLabel ? label.start : whole.end
}

/** `[[id]]`, `[[id,text]]`, and `[[[id]]]` of a bibliography, which is shown. */
export function readAnchor({ start, end }: Range, macros: Macros): void {
  const close = macros.closing[end] ?? macros.text.length
  const id = anchorName.exec(macros.text.slice(end, Math.min(close, end + 1000)))?.[1]
  const size = end - start
  if (id === undefined || macros.text.slice(close, close + size) !== ']'.repeat(size)) return
  macros.scan.ids.push(id)
  cut(macros, { start, end: close + size }, size === 3 ? `[${id}]` : '')
  macros.position = close + size
}

/** `((shown term))` and `(((hidden, term)))`. */
export function readTerm({ start, end }: Range, macros: Macros): void {
  const size = end - start
  const close = macros.rounds[end] ?? macros.text.length
  if (close >= macros.text.length) return
  if (size === 3 && macros.text[close + 2] === ')') {
    cut(macros, { start, end: close + 3 }, '')
    macros.position = close + 3
    return
  }
  cut(macros, { start, end: start + 2 }, '')
  cut(macros, { start: close, end: close + 2 }, '')
}

/** A macro of an extension: nobody knows which part of it is shown. */
export function readCustom({ start, end }: Range, macros: Macros): void {
  const open = macros.breaks[end] ?? macros.text.length
  const close = macros.closing[open + 1] ?? macros.text.length
  if (macros.text[open] !== '[' || close >= macros.text.length) return
  cut(macros, { start, end: close + 1 }, undefined)
  macros.position = close + 1
}
