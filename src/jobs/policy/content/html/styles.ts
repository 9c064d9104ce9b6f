// Finds the addresses in style sheets, also in the styles of a page. Escapes of CSS are resolved first: `\75rl(` is `url(`.

export type StyleAddress = { readonly raw: string; readonly start: number; readonly isImport: boolean }

const address = /\b(?:url|src)\(\s{0,20}(["']?)([^"')]{0,4000})/gi
const imageSet = /\b(?:image-set|image|cross-fade)\(([^)]{0,4000})/gi
const styleImport = /@import\s{1,20}(?:url\(\s{0,20})?["']?([^"')\s;]{1,4000})/gi
const quoted = /(["'])((?:(?!\1).){1,4000})\1/g
const escape = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[^\r\n\f0-9a-f]))/gi

export function findStyleAddresses(text: string): readonly StyleAddress[] {
  return text.includes('\\') ? [...find(text, (at) => at), ...findEscaped(text)] : find(text, (at) => at)
}

function find(text: string, positionOf: (at: number) => number): StyleAddress[] {
  const plain = Array.from(text.matchAll(address), ({ 2: raw = '', index }) => ({ raw, start: index, isImport: false }))
  const sets = Array.from(text.matchAll(imageSet)).flatMap(({ 1: inside = '', index }) =>
    Array.from(inside.matchAll(quoted), ({ 2: raw = '' }) => ({ raw, start: index, isImport: false })),
  )
  const imports = Array.from(text.matchAll(styleImport), ({ 1: raw = '', index }) => ({
    raw,
    start: index,
    isImport: true,
  }))
  return [...plain, ...sets, ...imports].map((one) => ({ ...one, start: positionOf(one.start) }))
}

function findEscaped(text: string): StyleAddress[] {
  const parts: string[] = []
  /** Where each part begins, in the decoded text and in the text. */
  const places: { readonly decoded: number; readonly at: number }[] = []
  let [length, end] = [0, 0]
  const add = (part: string, at: number) => {
    places.push({ decoded: length, at })
    parts.push(part)
    length += part.length
  }
  for (const { 0: written, 1: hex, 2: character = '', index } of text.matchAll(escape)) {
    add(text.slice(end, index), end)
    const code = hex === undefined ? 0 : Number.parseInt(hex, 16)
    add(hex === undefined ? character : code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\ufffd', index)
    end = index + written.length
  }
  add(text.slice(end), end)
  const decoded = parts.join('')
  return decoded === text
    ? []
    : find(decoded, (at) => {
        const place = places.findLast((one) => one.decoded <= at)
        return place ? place.at + at - place.decoded : at
      })
}
