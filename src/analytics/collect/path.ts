// Normalises the path of a page, so that every reporter gives a page the same spelling. The result contains nothing of
// a query, a fragment, or anything before the path. Normalising twice gives the same result.

import { remember } from '../remember.ts'

/** Bytes; the normal form is ASCII. */
export const maxPathLength = 2_048
/** Longer paths are refused unread: no page has one, and work must be bounded. */
const maxRawLength = 16_384

/** The path of page views beyond the limit of new paths. */
export const otherPath = '/(other)'

/** Returns undefined when the path is too long. */
export const normalisePath = remember((raw: string): string | undefined => {
  if (raw.length > maxRawLength) return undefined
  const [path = ''] = raw.split(/[?#]/, 1)
  const segments = path
    .split('/')
    .map((segment) => normaliseSegment(segment))
    .reduce<string[]>(follow, [])
  const normal = `/${nameOfPage(segments).join('/')}`
  return normal.length > maxPathLength ? undefined : normal
})

/** Removes dot segments (RFC 3986, 5.2.4) and empty segments. */
function follow(way: string[], segment: string): string[] {
  if (segment === '..') way.pop()
  else if (segment !== '' && segment !== '.') way.push(segment)
  return way
}

/** `guide.md`, `guide.html`, `guide.HTM`, `guide/index` and `guide` are one page. `guide.html.md` is the form of llms.txt. */
function nameOfPage(segments: readonly string[]): readonly string[] {
  const last = segments.at(-1)
  if (last === undefined) return segments
  if (last === 'index') return nameOfPage(segments.slice(0, -1))
  const bare = last.replace(/(?<=[^.])\.(?:mdx?|markdown|html?)$/i, '')
  return bare === last ? segments : nameOfPage([...segments.slice(0, -1), bare])
}

/** Most segments are already in normal form. */
function normaliseSegment(segment: string): string {
  return /^[\w.~!$&'()*+,;=:@-]*$/.test(segment) ? segment : encode(compose(decode(segment)))
}

/** Sorting marks takes quadratic time, so a letter with more marks than any text has (UAX 15, 13) stays as it is. */
function compose(text: string): string {
  return /\p{M}{31}/u.test(text) ? text : text.normalize('NFC')
}

/**
 * RFC 3986, 6.2.2: decodes escapes of unreserved and non-ASCII characters; other escapes stay, in capital letters. A
 * percent sign that starts no escape becomes `%25`.
 */
function decode(segment: string): string {
  return segment
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeRun(Buffer.from(escapes.replaceAll('%', ''), 'hex')))
}

function decodeRun(bytes: Buffer): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (!text.includes('\uFFFD')) return Array.from(text, keepReserved).join('')
  // Not UTF-8, or U+FFFD itself: only ASCII bytes are decoded, the others stay escaped.
  return [...bytes].map((byte) => (byte < 0x80 ? keepReserved(String.fromCodePoint(byte)) : escapeByte(byte))).join('')
}

function keepReserved(character: string): string {
  return character > '\u007F' || /[\w.~-]/.test(character) ? character : escapeByte(character.codePointAt(0) ?? 0)
}

/** A percent sign starts an escape that stays. No segment has `/`, `?` or `#`, which would stay, too. */
function encode(segment: string): string {
  return encodeURI(segment.toWellFormed()).replaceAll('%25', '%')
}

function escapeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
