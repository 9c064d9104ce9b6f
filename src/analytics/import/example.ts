// Shortens a line of a log to show it to people: printable, and without queries, credentials and cookies. The rest may
// still contain addresses and pages; the reader owns the log.

import { plainText } from '../../lib/plain-text.ts'

const shownLength = 200
/** Only this much is read, so that a hostile line costs little. */
const readLength = 2_000

const secretFields =
  /"((?:proxy-)?authorization|cookie|set-cookie|[\w-]*(?:token|secret|password|api-?key)[\w-]*)"(\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?)/gi

export function toExample(line: string): string {
  const shown = line
    .slice(0, readLength)
    .replaceAll(secretFields, '"$1"$2"…"')
    .replaceAll(/(?:\?|\\u003f|\\x3f)[^\s"'\\]+/gi, '?…')
    .replaceAll(/\/\/[^\s"'/@]+@/g, '//…@')
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 …')
    .replaceAll(/\bdocent_\w+/g, 'docent_…')
  const plain = plainText(shown).replaceAll(/[\t\n]/g, ' ')
  return plain.length > shownLength
    ? `${Array.from(plain)
        .slice(0, shownLength - 1)
        .join('')}…`
    : plain
}
