// Reads the parts of links and definitions: names in brackets, destinations and titles. Each function gets the position
// where the part begins and returns the one after it, or -1 if there is no such part.

import { backslash, bracketClose, bracketOpen, isBlank, isBlankOrBreak, isLineBreak, less } from './characters.ts'

const parenOpen = 40
const parenClose = 41
const greater = 62
const del = 127
const maxName = 999

/** For the last mark of each title, by how it ends: where the title begins and where it ends; -1: nowhere. */
export type TitleEnds = Map<number, { readonly start: number; readonly end: number }>

export function skipBlanks(text: string, at: number): number {
  while (isBlank(text.charCodeAt(at))) at += 1
  return at
}

export function skipBlanksAndBreaks(text: string, at: number): number {
  while (isBlankOrBreak(text.charCodeAt(at))) at += 1
  return at
}

/** `[name]`: without brackets in it, and not empty. */
export function readName(text: string, at: number): number {
  let size = 0
  let isSeen = false
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next)
    if (code === bracketOpen || size > maxName) return -1
    if (code === bracketClose) return isSeen ? next + 1 : -1
    if (isLineBreak(code)) continue
    size += 1
    isSeen ||= !isBlank(code)
    if (code !== backslash) continue
    const escaped = text.charCodeAt(next + 1)
    if (escaped !== bracketOpen && escaped !== backslash && escaped !== bracketClose) continue
    next += 1
    size += 1
  }
  return -1
}

/** `most`: how many parentheses may be open. */
export function readDestination(text: string, at: number, most: number): number {
  return text.charCodeAt(at) === less ? readEnclosed(text, at) : readRaw(text, at, most)
}

function readEnclosed(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next)
    if (code === greater) return next + 1
    if (code === less || isLineBreak(code)) return -1
    if (code !== backslash) continue
    const escaped = text.charCodeAt(next + 1)
    if (escaped === less || escaped === greater || escaped === backslash) next += 1
  }
  return -1
}

function readRaw(text: string, at: number, most: number): number {
  let open = 0
  let next = at
  for (; next < text.length; next += 1) {
    const code = text.charCodeAt(next)
    if (open === 0 && (code === parenClose || isBlankOrBreak(code))) break
    if (code === parenOpen && open < most) open += 1
    else if (code === parenClose) open -= 1
    else if (code <= 32 || code === parenOpen || code === del) return -1
    else if (code === backslash) {
      const escaped = text.charCodeAt(next + 1)
      if (escaped === parenOpen || escaped === parenClose || escaped === backslash) next += 1
    }
  }
  return open > 0 || next === at ? -1 : next
}

/** `"title"`, `'title'` or `(title)`. Titles that begin before the end of another one end there, so each part is read once. */
export function readTitle(text: string, at: number, ends: TitleEnds): number {
  const mark = text.charCodeAt(at)
  if (mark !== 34 && mark !== 39 && mark !== parenOpen) return -1
  const last = mark === parenOpen ? parenClose : mark
  const known = ends.get(last)
  if (known && at >= known.start && (known.end === -1 || at < known.end - 1)) return known.end
  const end = findTitleEnd(text, at, last)
  ends.set(last, { start: at, end })
  return end
}

function findTitleEnd(text: string, at: number, mark: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const code = text.charCodeAt(next)
    if (code === mark) return next + 1
    if (code !== backslash) continue
    const escaped = text.charCodeAt(next + 1)
    if (escaped === mark || escaped === backslash) next += 1
  }
  return -1
}

/** The destination without its angle brackets. */
export function writtenDestination(text: string, start: number, end: number): string {
  return text.charCodeAt(start) === less ? text.slice(start + 1, end - 1) : text.slice(start, end)
}
