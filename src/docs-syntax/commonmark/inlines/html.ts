// Finds where HTML and addresses in angle brackets end in a text.

import { isLetter } from '../characters.ts'

const attribute = String.raw`\s+[:A-Z_a-z][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<=>${'`'}][^\s"'/<=>${'`'}]*))?`
const openTag = new RegExp(String.raw`<[A-Za-z][\dA-Za-z-]*(?:${attribute})*\s*/?>`, 'y')
const closeTag = /<\/[A-Za-z][\dA-Za-z-]*\s*>/y
const address = /<[A-Za-z][\dA-Za-z+.-]{1,31}:[^\0-\x20\x7F<>]*>/y
const label = String.raw`[\dA-Za-z](?:[\dA-Za-z-]{0,61}[\dA-Za-z])?`
const email = new RegExp(String.raw`<[#-'*+\--9=?A-Z^-~]+@${label}(?:\.${label})*>`, 'y')

/** Begin with the first word and end with the second one, which may overlap its last characters by so many. */
const sections = [
  ['<!--', '-->', 2],
  ['<?', '?>', 0],
  ['<![CDATA[', ']]>', 0],
] as const

/** The ends that are nowhere after a position, so that a text is not searched to its end again and again. */
export type Missing = Map<string, number>

/** The end of the address that begins at `at`. */
export function readAutolink(
  text: string,
  at: number,
): { readonly end: number; readonly isEmail: boolean } | undefined {
  const end = endOf(address, text, at)
  if (end !== -1) return { end, isEmail: false }
  const emailEnd = endOf(email, text, at)
  return emailEnd === -1 ? undefined : { end: emailEnd, isEmail: true }
}

/** The end of the tag, comment, instruction or declaration that begins at `at`; -1: nothing does. */
export function readHtml(text: string, at: number, missing: Missing): number {
  const code = text.charCodeAt(at + 1)
  if (isLetter(code)) return hasEnd(text, at, '>', missing) ? endOf(openTag, text, at) : -1
  if (code === 47) return endOf(closeTag, text, at)
  for (const [start, end, overlap] of sections) {
    if (text.startsWith(start, at)) return endAfter(text, at + start.length - overlap, end, missing)
  }
  return code === 33 && isLetter(text.charCodeAt(at + 2)) ? endAfter(text, at + 2, '>', missing) : -1
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

function hasEnd(text: string, at: number, end: string, missing: Missing): boolean {
  return endAfter(text, at, end, missing) !== -1
}

function endAfter(text: string, from: number, end: string, missing: Missing): number {
  if (from >= (missing.get(end) ?? Infinity)) return -1
  const found = text.indexOf(end, from)
  if (found !== -1) return found + end.length
  missing.set(end, from)
  return -1
}
