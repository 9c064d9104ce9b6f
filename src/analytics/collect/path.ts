// Normalises the path of a page, so that a page has one spelling, whoever reports it. The result contains nothing of a
// query, a fragment, or anything before the path. Normalising twice changes nothing more.

/** Bytes; the normal form is ASCII. */
export const maxPathLength = 2_048
/** What is longer is not looked at: no page has such a path, and work must be bounded. */
const maxLookedAt = 16_384

/** Where page views beyond the cap of new paths are counted. */
export const otherPath = '/(other)'

/** undefined: it is too long. */
export function normalisePath(raw: string): string | undefined {
  if (raw.length > maxLookedAt) return undefined
  const [path = ''] = raw.split(/[?#]/, 1)
  const segments = path
    .split('/')
    .map((segment) => normaliseSegment(segment))
    .reduce<string[]>(follow, [])
  const normal = `/${nameOfPage(segments).join('/')}`
  return normal.length > maxPathLength ? undefined : normal
}

/** RFC 3986, 5.2.4; empty segments are none. */
function follow(way: string[], segment: string): string[] {
  if (segment === '..') way.pop()
  else if (segment !== '' && segment !== '.') way.push(segment)
  return way
}

/** `guide.md`, `guide.html`, `guide/index` and `guide` are one page; `guide.html.md` is what llms.txt has. */
function nameOfPage(segments: readonly string[]): readonly string[] {
  const last = segments.at(-1)
  if (last === undefined) return segments
  if (last === 'index') return nameOfPage(segments.slice(0, -1))
  const bare = last.replace(/(?<=[^.])\.(?:mdx?|html)$/, '')
  return bare === last ? segments : nameOfPage([...segments.slice(0, -1), bare])
}

/** Most segments are in their normal form already. */
function normaliseSegment(segment: string): string {
  return /^[\w.~!$&'()*+,;=:@-]*$/.test(segment) ? segment : encode(compose(decode(segment)))
}

/** More marks on one letter than any text has (UAX 15, 13) take the square of their number to sort: they stay. */
function compose(text: string): string {
  return /\p{M}{31}/u.test(text) ? text : text.normalize('NFC')
}

/**
 * RFC 3986, 6.2.2: escapes of unreserved characters and of what is not ASCII are undone, all others keep their meaning
 * and get capital letters. A percent sign that begins no escape is one that was not escaped.
 */
function decode(segment: string): string {
  return segment
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeRun(Buffer.from(escapes.replaceAll('%', ''), 'hex')))
}

function decodeRun(bytes: Buffer): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (!text.includes('\uFFFD')) return Array.from(text, keepReserved).join('')
  // Not UTF-8, or the mark of that: what is ASCII is judged alone, the rest stays as it came.
  return [...bytes].map((byte) => (byte < 0x80 ? keepReserved(String.fromCodePoint(byte)) : escapeByte(byte))).join('')
}

function keepReserved(character: string): string {
  return character > '\u007F' || /[\w.~-]/.test(character) ? character : escapeByte(character.codePointAt(0) ?? 0)
}

function encode(segment: string): string {
  return segment
    .toWellFormed()
    .replace(/[^\w.~!$&'()*+,;=:@%-]+/g, (text) => [...Buffer.from(text)].map(escapeByte).join(''))
}

function escapeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
