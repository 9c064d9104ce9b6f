// A redirect in the text of a file, and how another one is written like it. Works on texts only.

import { type Range, type Splice, dominantLineBreak } from '../../docs-syntax/text.ts'

/** `encode` returns the text for another value. `source`: of the redirect, if the value is relative to it. */
export type Value = Range & { readonly value: string; encode(value: string, source: string): string }

export type RedirectEntry = {
  readonly source: Value
  readonly destination: Value
  /** The range to delete in order to remove the entry. */
  readonly whole: Range
  /** Whether the entry has only the two addresses and a status. */
  readonly isPlain: boolean
  readonly status: number | undefined
  /** It applies to some readers only. */
  readonly isConditional: boolean
}

export type RedirectList = {
  readonly entries: readonly RedirectEntry[]
  /** `before`: an entry that would be taken first, where the order counts. */
  add(source: string, destination: string, before: RedirectEntry | undefined): Splice
}

export function addLines(
  text: string,
  entries: readonly RedirectEntry[],
  added: { readonly source: string; readonly destination: string; readonly before: RedirectEntry | undefined },
): Splice {
  const lineBreak = dominantLineBreak(text)
  const last = entries.at(-1)
  const sample = entries.findLast(({ source }) => !/[*:]/.test(source.value)) ?? last
  const line = sample
    ? filled(text, sample, added).replace(/[ \t]*(?:#.*)?[\r\n]*$/, '')
    : `${added.source} ${added.destination} 301`
  if (added.before) return { start: added.before.whole.start, end: added.before.whole.start, text: line + lineBreak }
  const end = last?.whole.end ?? text.length
  const isEnded = end === 0 || /[\r\n]/.test(text.charAt(end - 1))
  return { start: end, end, text: isEnded ? line + lineBreak : lineBreak + line }
}

/** The text of an entry with other addresses. */
export function filled(
  text: string,
  { whole, source, destination }: RedirectEntry,
  added: { readonly source: string; readonly destination: string },
): string {
  const [first, second] = source.start < destination.start ? [source, destination] : [destination, source]
  const write = (value: Value): string =>
    value.encode(value === source ? added.source : added.destination, added.source)
  const between = text.slice(first.end, second.start)
  return (
    text.slice(whole.start, first.start) + write(first) + between + write(second) + text.slice(second.end, whole.end)
  )
}

export function toValue(value: string, start: number): Value {
  return { value, start, end: start + value.length, encode: (written) => written }
}

/** The lines with their line breaks. */
export function linesOf(text: string): Range[] {
  return Array.from(text.matchAll(/[^\n]+\n?|\n/g), ({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
  }))
}
