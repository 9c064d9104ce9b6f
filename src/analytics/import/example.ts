// A line of a log as it may be shown to people: printable, short, and without what stands in queries, credentials and
// cookies. What is left may still name addresses and pages: they are in the log of whoever reads this.

import { plainText } from '../../lib/plain-text.ts'

const shownLength = 200
/** No more is looked at, so that a hostile line costs no time. */
const seenLength = 2_000

const secretFields =
  /"((?:proxy-)?authorization|cookie|set-cookie|[\w-]*(?:token|secret|password|api-?key)[\w-]*)"(\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?)/gi

export function toExample(line: string): string {
  const shown = line
    .slice(0, seenLength)
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
