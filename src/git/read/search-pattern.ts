// Translates a regular expression as models write it (`\d`, `[\w-]`, `(?:…)`, `.*?`) into the POSIX extended form that
// git matches in linear time. Never changes what a pattern means: what POSIX cannot say is refused by name. Pure.

import { Failure } from '../../lib/failure.ts'

type SearchPattern = {
  readonly source: string
  /** From `(?i)` at the start. */
  readonly ignoreCase: boolean
}

/**
 * Limit on the number of characters after the C library has expanded all repetition counts. It does so when compiling:
 * `((a{1,255}){1,255}){1,255}` takes 6 GB; at this limit a pattern takes 50 MB.
 */
const maxExpanded = 50_000

const classes: Readonly<Record<string, string>> = { d: '[:digit:]', w: '[:alnum:]_', s: '[:space:]' }
const written: Readonly<Record<string, string>> = { t: '\t', f: '\f', v: '\v', e: '\u001b' }

/** Throws `invalid_input` for what cannot be translated, and for repetition counts that are too high. */
export function toSearchPattern(pattern: string): SearchPattern {
  const flags = /^\(\?([a-z]+)\)/.exec(pattern)
  if (flags && flags[1] !== 'i') throw refusal(`\`${flags[0]}\` is not supported, only \`(?i)\``)
  const reader: Reader = { text: flags ? pattern.slice(flags[0].length) : pattern, at: 0, depth: 0 }
  const { source, size } = readAlternatives(reader)
  if (reader.at < reader.text.length) throw refusal('a `)` has no `(`; write `\\)` for the character')
  if (size > maxExpanded) throw refusal('its repetition counts are too high')
  if (/\\[1-9]/.test(source) && reader.text.includes('(?:')) {
    throw refusal('it has `(?:` and a back-reference; use `(` instead')
  }
  return { source, ignoreCase: flags !== null }
}

/** `size`: characters after all counts are expanded: side by side they add up, nested they multiply. */
type Piece = { readonly source: string; readonly size: number }
type Reader = { readonly text: string; at: number; depth: number }

function readAlternatives(reader: Reader): Piece {
  let source = ''
  let size = 0
  while (reader.at < reader.text.length && reader.text[reader.at] !== ')') {
    const atom = readAtom(reader)
    const repeated = readCounts(reader, atom)
    source += repeated.source
    size += repeated.size
  }
  return { source, size }
}

function readAtom(reader: Reader): Piece {
  const { text, at } = reader
  const next = text[at]
  if (next === '(') return readGroup(reader)
  if (next === '[') return readBracket(reader)
  if (next === '\\') return readEscape(reader)
  const whole = String.fromCodePoint(text.codePointAt(at) ?? 0)
  reader.at += whole.length
  // A file with CRLF has the CR at the end of each line.
  if (whole === '$') return { source: '\r?$', size: 1 }
  return { source: whole === '{' || whole === '}' ? `\\${whole}` : whole, size: 1 }
}

function readGroup(reader: Reader): Piece {
  const head = /^\((\?(?:[:=!]|<[=!]|P?<?\w*>?)?)?/.exec(reader.text.slice(reader.at))
  const kind = head?.[1]
  if (kind !== undefined && kind !== '?:') {
    const what = /^\?<?[=!]/.test(kind) ? 'looks ahead or behind' : 'has a flag or a name'
    throw refusal(`\`(${kind}\` ${what}; only plain groups and \`(?:\` are supported`)
  }
  if ((reader.depth += 1) > 100) throw refusal('its groups are nested too deeply')
  reader.at += head?.[0].length ?? 1
  const inside = readAlternatives(reader)
  if (reader.text[reader.at] !== ')') throw refusal('a `(` has no `)`; write `\\(` for the character')
  reader.at += 1
  reader.depth -= 1
  return { source: `(${inside.source})`, size: inside.size + 1 }
}

/** Reads the quantifiers after an atom. Laziness does not affect which lines match. */
function readCounts(reader: Reader, atom: Piece): Piece {
  let { source, size } = atom
  for (;;) {
    const found = /^(?:[*+?]|\{(\d*)(?:,(\d*))?\})/.exec(reader.text.slice(reader.at))
    if (!found || found[0] === '{}' || found[0] === '{,}') return { source, size }
    reader.at += found[0].length
    source += found[0].startsWith('{,') ? `{0${found[0].slice(1)}` : found[0]
    size *= Math.max(Number(found[1] ?? 1), Number(found[2] ?? 1), 1)
    if (reader.text[reader.at] === '?') reader.at += 1
  }
}

function readEscape(reader: Reader): Piece {
  const next = String.fromCodePoint(reader.text.codePointAt(reader.at + 1) ?? 0)
  const isLast = reader.at + 1 >= reader.text.length
  reader.at += 1 + next.length
  if (isLast) throw refusal('it ends with a backslash; write `\\\\` for the character')
  const known = classes[next.toLowerCase()]
  if (known !== undefined) return { source: next === next.toLowerCase() ? `[${known}]` : `[^${known}]`, size: 1 }
  if (/[bB1-9]/.test(next)) return { source: `\\${next}`, size: 1 }
  const plain = written[next]
  if (plain !== undefined) return { source: plain, size: 1 }
  if (next === '<' || next === '>') {
    throw refusal(`\`\\${next}\` has two meanings: write \`${next}\` for the character, \`\\b\` for the edge of a word`)
  }
  if (/[A-Za-z0-9]/.test(next)) throw refusal(`\`\\${next}\` is not supported`)
  return { source: /[.[\]()*+?{}|^$\\]/.test(next) ? `\\${next}` : next, size: 1 }
}

/** Reads `[…]`. In POSIX a backslash has no meaning there, so escapes are resolved and the members put in safe order. */
function readBracket(reader: Reader): Piece {
  const start = reader.at
  const isNegated = reader.text[start + 1] === '^'
  reader.at += isNegated ? 2 : 1
  const members: string[] = []
  while (reader.text[reader.at] !== ']' || members.length === 0) {
    if (reader.at >= reader.text.length) throw refusal('a `[` has no `]`; write `\\[` for the character')
    members.push(readMember(reader))
  }
  reader.at += 1
  const negative = members.find((member) => /^\\[DWS]$/.test(member))
  if (negative === undefined) return { source: writeBracket(members, isNegated), size: 1 }
  const positive = classes[negative.slice(1).toLowerCase()] ?? ''
  if (!isNegated && members.length === 1) return { source: `[^${positive}]`, size: 1 }
  if (isNegated && members.length === 1) return { source: `[${positive}]`, size: 1 }
  if (!isNegated && members.length === 2 && members.includes(positive)) return { source: '.', size: 1 }
  throw refusal(`\`${negative}\` together with other characters in \`[]\` is not supported`)
}

/** Returns a character, a range such as `a-z`, a class such as `[:digit:]`, or `\D`. */
function readMember(reader: Reader): string {
  const named = /^\[[:.=].*?[:.=]\]/.exec(reader.text.slice(reader.at))?.[0]
  if (named !== undefined) {
    reader.at += named.length
    return named
  }
  const first = readCharacter(reader)
  const isRange = reader.text[reader.at] === '-' && (reader.text[reader.at + 1] ?? ']') !== ']'
  if (!isRange || first.length > 2 || first.startsWith('\\')) return first === '\\\\' ? '\\' : first
  reader.at += 1
  const last = readCharacter(reader)
  if (last.length > 2 || /^\\[DWS]$/.test(last)) throw refusal(`the range \`${first}-\` has no end`)
  return `${first}-${last === '\\\\' ? '\\' : last}`
}

/** Returns the class that an escape stands for, `\\` for a backslash, `\D` as it is, or a plain character. */
function readCharacter(reader: Reader): string {
  const character = String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0)
  reader.at += character.length
  if (character !== '\\') return character
  const next = String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0)
  reader.at += next.length
  if (next === '\\' || /[DWS]/.test(next)) return `\\${next}`
  const meaning = classes[next] ?? written[next]
  if (meaning !== undefined) return meaning
  if (/[A-Za-z0-9]/.test(next)) throw refusal(`\`\\${next}\` in \`[]\` is not supported`)
  return next
}

function writeBracket(members: readonly string[], isNegated: boolean): string {
  // First `]`, last `[` (before `.`, `:` or `=` it would open a class), `^` (first, it would negate) and `-`.
  const order = (member: string): number => [']', '', '[', '^', '-'].indexOf(member.length > 1 ? '' : member)
  const ranked = members.map((member) => ({ member, rank: order(member) === -1 ? 1 : order(member) }))
  const text = ranked
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ member }) => member)
    .join('')
  if (isNegated) return `[^${text}]`
  return /^\^+$/.test(text) ? '\\^' : text === '^-' ? '[-^]' : `[${text}]`
}

export function refusal(reason: string): Failure {
  return new Failure('invalid_input', `The search pattern is refused: ${reason}.`)
}
