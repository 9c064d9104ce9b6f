// Quoted values in lines of logs: where one ends, and what its escapes mean. Servers escape in different ways, but no
// two of them mean different things by the same escape.

import { toText } from '../bytes.ts'

/** The position of the quote that ends a value, of which `start` is the first character; -1 if it does not end. */
export function findQuote(line: string, start: number): number {
  let close = line.indexOf('"', start)
  while (close >= 0 && isEscaped(line, start, close)) close = line.indexOf('"', close + 1)
  return close
}

/** True after an odd number of backslashes. */
function isEscaped(line: string, start: number, quote: number): boolean {
  let at = quote
  while (at > start && line.charCodeAt(at - 1) === 0x5c) at -= 1
  return (quote - at) % 2 === 1
}

const controls: Readonly<Record<string, string>> = { b: '\b', n: '\n', r: '\r', t: '\t', v: '\v', f: '\f' }

/** Decodes `\"`, `\\`, `\n`, the `\uXXXX` of JSON, and bytes `\xHH`, which together may be UTF-8. */
export function unescape(text: string): string {
  if (!text.includes('\\')) return text
  const escapes = /(?:\\x[0-9a-f]{2})+|\\u([0-9a-f]{4})|\\([\s\S])/gi
  return text.replaceAll(escapes, (escape, unit: string | undefined, single: string | undefined) => {
    if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16))
    if (single !== undefined) return controls[single] ?? single
    return toText(Uint8Array.from(escape.slice(2).split(/\\x/i), (digits) => Number.parseInt(digits, 16)))
  })
}
