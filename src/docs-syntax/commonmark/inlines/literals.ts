// Addresses without brackets around them, as GFM has them: `https://a.b/c`, `www.a.b`, `a@b.c`.

import {
  bracketClose,
  bracketOpen,
  isBlankOrBreak,
  isDigit,
  isLetter,
  isPunctuation,
  isWhitespace,
  less,
  star,
  tilde,
  underscore,
} from '../characters.ts'

export type Literal = { readonly end: number; readonly url: string }

const dash = 45
const dot = 46
const slash = 47
const ampersand = 38
const protocol = /https?:\/\//iy
const www = /www\../isy
const name = /[\w+.-]+@/y
const entity = /&[A-Za-z]+;/y
/** They belong to an address only if something follows them that is no end. */
const endings = new Set([33, 34, 39, 41, 42, 44, 46, 58, 59, 63, 95, 126])

export function hasLiterals(text: string): boolean {
  return /https?:\/\/|www\.|@/i.test(text)
}

/** A character that may be part of the name in an address of email. */
export function isNamePart(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === underscore || code === dash || code === dot || code === 43
}

/** The address that begins at `at`. `before`: the character there; NaN at the start of the text. */
export function readLiteral(text: string, at: number, before: number): Literal | undefined {
  const emailEnd = before === slash || isNamePart(before) ? -1 : readEmail(text, at)
  if (emailEnd !== -1) return { end: emailEnd, url: `mailto:${text.slice(at, emailEnd)}` }
  if (!isLetter(before) && test(protocol, text, at)) {
    const end = readAddress(text, protocol.lastIndex)
    return end === -1 ? undefined : { end, url: text.slice(at, end) }
  }
  if (!mayPrecedeWww(before) || !test(www, text, at)) return undefined
  const end = readAddress(text, at)
  return end === -1 ? undefined : { end, url: `http://${text.slice(at, end)}` }
}

function mayPrecedeWww(code: number): boolean {
  const marks = [40, star, underscore, bracketOpen, bracketClose, tilde]
  return Number.isNaN(code) || isBlankOrBreak(code) || marks.includes(code)
}

function readEmail(text: string, at: number): number {
  if (!test(name, text, at)) return -1
  let hasName = false
  let hasDot = false
  let next = name.lastIndex
  for (; next < text.length; next += 1) {
    const code = text.charCodeAt(next)
    if (code === dot) {
      const after = text.charCodeAt(next + 1)
      if (!isLetter(after) && !isDigit(after)) break
      hasDot = true
    } else if (code === dash || code === underscore || isLetter(code) || isDigit(code)) hasName = true
    else break
  }
  return hasName && hasDot && isLetter(text.charCodeAt(next - 1)) ? next : -1
}

/** The end of the host and path that begin at `at`. */
function readAddress(text: string, at: number): number {
  const first = text.charCodeAt(at)
  const isHost = !Number.isNaN(first) && first > 31 && first !== 127 && !isWhitespace(first) && !isPunctuation(first)
  const host = isHost ? readHost(text, at) : -1
  return host === -1 ? -1 : readPath(text, host)
}

function readHost(text: string, at: number): number {
  const trail = createTrail(text)
  let isUnderscored = false
  let wasUnderscored = false
  let next = at
  for (; next < text.length; next += 1) {
    const code = text.charCodeAt(next)
    if (code === dot || code === underscore) {
      if (trail(next)) break
      if (code === underscore) isUnderscored = true
      else [wasUnderscored, isUnderscored] = [isUnderscored, false]
    } else if (isWhitespace(code) || (code !== dash && isPunctuation(code))) break
  }
  return wasUnderscored || isUnderscored ? -1 : next
}

function readPath(text: string, at: number): number {
  const trail = createTrail(text)
  let open = 0
  let next = at
  for (; next < text.length; next += 1) {
    const code = text.charCodeAt(next)
    if (isWhitespace(code)) break
    if (code === 40) open += 1
    else if (code === 41 && open > 0) open -= 1
    else if ((endings.has(code) || code === ampersand || code === less || code === bracketClose) && trail(next)) break
  }
  return next
}

/** Returns a function that says whether nothing but endings follows a position, which only grows, up to a blank or `<`. */
function createTrail(text: string): (at: number) => boolean {
  let inside = -1
  return (at) => {
    if (at < inside) return false
    let next = at
    for (;;) {
      const code = text.charCodeAt(next)
      if (Number.isNaN(code) || code === less || isWhitespace(code)) return true
      if (endings.has(code)) next += 1
      else if (code === ampersand && test(entity, text, next)) next = entity.lastIndex
      else if (code === bracketClose) {
        const after = text.charCodeAt(next + 1)
        if (Number.isNaN(after) || after === 40 || after === bracketOpen || isWhitespace(after)) return true
        next += 1
      } else break
    }
    inside = next
    return false
  }
}

function test(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
