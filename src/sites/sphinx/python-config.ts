// Reads the assignments of a configuration that is Python: literal strings, lists and dictionaries of them. Runs nothing:
// a value that is computed is not known.

import { lineAt, lineStarts, type Range } from '../../docs-syntax/text.ts'

/** The range is that of the literal, or of literals one after the other, with their quotes. */
export type PythonString = Range & { readonly value: string; readonly line: number; readonly quote: string }
export type PythonValue = {
  /** All literal strings, in their order: keys and values of a dictionary alternate. */
  readonly strings: readonly PythonString[]
  /** Whether code makes it, or a part of it. */
  readonly isComputed: boolean
}

const maxCharacters = 200_000
const statement = /^[ \t]*([A-Za-z_]\w*)[ \t]*(?:\+?=(?!=)|\.(?:append|extend)\()/gm
const token =
  /#[^\n]*|([rRbBuUfF]{0,2})("""|'''|"|')|[[({]|[\])}]|[A-Za-z_][\w.]*|\n|\\\r?\n|[^\s\w[\](){}#"']|\d[\w.]*|[ \t\r]+/y

export function readPythonConfig(text: string): ReadonlyMap<string, PythonValue> {
  const found = new Map<string, PythonValue>()
  if (text.length > maxCharacters) return found
  const starts = lineStarts(text)
  let end = 0
  for (const match of text.matchAll(statement)) {
    if (match.index < end) continue
    const isCall = match[0].endsWith('(')
    const read = readExpression(text, match.index + match[0].length, { starts, depth: isCall ? 1 : 0 })
    end = read.end
    const name = match[1] ?? ''
    const known = /[.+]/.test(match[0]) || /^[ \t]/.test(match[0]) ? found.get(name) : undefined
    found.set(name, {
      strings: [...(known?.strings ?? []), ...read.strings],
      isComputed: read.isComputed || known?.isComputed === true,
    })
  }
  return found
}

function readExpression(
  text: string,
  from: number,
  { starts, depth: outer }: { readonly starts: readonly number[]; readonly depth: number },
): PythonValue & { readonly end: number } {
  const strings: PythonString[] = []
  let [at, depth, isComputed, isJoined] = [from, outer, false, false]
  while (at < text.length) {
    token.lastIndex = at
    const [word = '', prefix = '', quote] = token.exec(text) ?? []
    if (word === '') return { strings, isComputed: true, end: at + 1 }
    if (word === '\n' && depth === 0) break
    if (quote === undefined) {
      if (/^[[({]$/.test(word)) depth += 1
      else if (/^[\])}]$/.test(word)) depth -= 1
      else if (/^[A-Za-z_]/.test(word)) isComputed ||= !/^(?:True|False|None)$/.test(word)
      else if (/^[^\s#,:\d\\+;-]/.test(word)) isComputed = true
      if (!/^(?:\s+|#.*|\\\r?\n)$/.test(word)) isJoined = false
      at += word.length
      if (depth < outer || (outer > 0 && depth === 0)) break
      continue
    }
    const begin = at + word.length
    const close = closingQuote(text, begin, quote)
    const value = text.slice(begin, close)
    const last = strings.at(-1)
    const end = close + quote.length
    if (isJoined && last) strings[strings.length - 1] = { ...last, end, value: last.value + value }
    else strings.push({ start: at, end, quote, value, line: lineAt(starts, at) })
    isComputed ||= (/f/i.test(prefix) && value.includes('{')) || (value.includes('\\') && !/r/i.test(prefix))
    isJoined = true
    at = end
  }
  return { strings, isComputed, end: at }
}

function closingQuote(text: string, from: number, quote: string): number {
  let at = from
  while (at < text.length && !text.startsWith(quote, at)) at += text.charAt(at) === '\\' ? 2 : 1
  return Math.min(at, text.length)
}
