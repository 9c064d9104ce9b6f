// Removes a secret from the output of another program or service. Hosts and proxies may quote what they received:
// complete, shortened, in the encoding in which it was sent, or broken across lines. Pure.

import { createKnownTexts, type Found } from './known-text.ts'

/** A shorter secret, or a shorter prefix of a secret, could be an ordinary word. */
const usualLeast = 8
/** This many consecutive characters are removed from words, from any part of a secret. */
const wordsRun = 12
/** The same for data, which may contain a shorter part legitimately: all tokens of a host begin with the same characters. */
export const dataRun = 20
/** The text between the parts of a secret that is broken across lines: white space, control codes, and git's prefix. */
const separators = /(?:\u001b\[[0-9;?]*[A-Za-z]|[\s\p{Cc}\p{Cf}]|(?<=[\r\n])remote:)+/gu
const mark = '[redacted]'

/**
 * Replaces every prefix of the secret with at least `least` characters, and any twelve consecutive characters of it, with
 * `[redacted]`: in plain, JSON, percent-encoded, hexadecimal and base64 form, also in base64 of a longer text.
 */
export function redact(words: string, secret = '', least = usualLeast): string {
  if (secret.length < least || words === '') return words
  const known = createKnownTexts()
  for (const text of formsOf(secret)) known.add({ text, least: wordsRun, leastHead: least })
  const { compact, placeOf } = compacted(words)
  return cutOut(
    words,
    known.find(compact).map(({ from, until }) => ({ from: placeOf(from), until: placeOf(until - 1) + 1 })),
  )
}

/**
 * Replaces any twenty consecutive characters of the secret in the same forms. A shorter secret is not replaced. JSON stays
 * JSON: the letter of an escape, such as `\n`, may be a character of the secret by chance, and is replaced with its backslash.
 */
export function createRedactor(secret: string): (data: string) => string {
  if (secret.length < dataRun) return (data) => data
  const known = createKnownTexts()
  for (const text of formsOf(secret)) known.add({ text, least: dataRun, leastHead: dataRun })
  return (data) =>
    cutOut(
      data,
      known.find(data).map((found) => withEscapes(data, found)),
    )
}

/** The range together with the escape of JSON that it begins in, and the one that it ends in. */
function withEscapes(text: string, { from, until }: Found): Found {
  const before = text.slice(Math.max(0, from - 100), from)
  const open = /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-f]{0,3})?)$/i.exec(before)?.[1] ?? ''
  const isOpenAtEnd = /(?<!\\)(?:\\\\)*\\$/.test(text.slice(from - open.length, until))
  return { from: from - open.length, until: isOpenAtEnd ? until + 1 : until }
}

/** Every encoding in which programs pass a secret on. */
export function formsOf(secret: string): readonly string[] {
  const text = secret.toWellFormed()
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const json = JSON.stringify(text).slice(1, -1)
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = base64At(secret, offset)
    return [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const hex = Buffer.from(secret).toString('hex')
  const all = [secret, encodeURIComponent(text), form, json, json.replaceAll('/', String.raw`\/`), hex, ...base64]
  return [...new Set(all.map((one) => one.replaceAll(separators, '')))]
}

/** The base64 characters that depend only on the secret if `offset` bytes come before it, as in `Bearer <key>`. */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  return whole.toString('base64').slice(Math.ceil((offset * 4) / 3))
}

type Compact = {
  readonly compact: string
  /** The position of a character in the original text. */
  readonly placeOf: (at: number) => number
}

/** Returns the text without separators. */
function compacted(text: string): Compact {
  const pieces: { readonly text: string; readonly from: number; readonly at: number }[] = []
  let [from, at] = [0, 0]
  const add = (until: number): void => {
    if (until > from) pieces.push({ text: text.slice(from, until), from, at })
    at += until - from
  }
  for (const { 0: separator, index } of text.matchAll(separators)) {
    add(index)
    from = index + separator.length
  }
  add(text.length)
  const placeOf = (wanted: number): number => {
    let [low, high] = [0, pieces.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((pieces[middle]?.at ?? 0) <= wanted) low = middle
      else high = middle - 1
    }
    const piece = pieces[low]
    return piece === undefined ? wanted : piece.from + wanted - piece.at
  }
  return { compact: pieces.map((piece) => piece.text).join(''), placeOf }
}

/** Replaces each range with `[redacted]`. */
export function cutOut(text: string, ranges: readonly Found[]): string {
  if (ranges.length === 0) return text
  const kept = ranges.map(({ from }, index) => text.slice(ranges[index - 1]?.until ?? 0, from) + mark)
  return kept.join('') + text.slice(ranges.at(-1)?.until ?? 0)
}
