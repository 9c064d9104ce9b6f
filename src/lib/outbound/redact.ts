// Removes a secret from a message of another program or service before it is shown or logged. Hosts and proxies quote
// what they were sent: whole, shortened, in the encoding in which it was sent, or broken over lines. Pure.

/** A shorter secret may be a word by chance, and so may a shorter beginning of one. */
const usualLeast = 8
/** So many characters of a secret are removed wherever they are from. */
const runLength = 12
/** Occurs within a secret that was broken over lines: white space, control codes, and git's prefix. */
const separators = /(?:\u001b\[[0-9;?]*[A-Za-z]|[\s\p{Cc}\p{Cf}]|(?<=[\r\n])remote:)+/gu
const mark = '[redacted]'

/**
 * Replaces every beginning of the secret of at least `least` characters, and any twelve characters in a row of it, with
 * `[redacted]`: plain, percent-encoded and in base64, also after other text.
 */
export function redact(words: string, secret = '', least = usualLeast): string {
  if (secret.length < least || words === '') return words
  const runs = runsOf(formsOf(secret), least)
  const sizes = [...runs.keys()].toSorted((one, other) => other - one)
  const { compact, places } = compacted(words)
  const ranges: Range[] = []
  for (let at = 0; at < compact.length; at += 1) {
    const size = sizes.find((size) => runs.get(size)?.has(compact.slice(at, at + size)))
    if (size !== undefined) extend(ranges, places[at] ?? 0, (places[at + size - 1] ?? 0) + 1)
  }
  return cutOut(words, ranges)
}

function formsOf(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret.toWellFormed())
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = base64At(secret, offset)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [...new Set([secret, encoded, form, ...base64].map((text) => fold(text.replaceAll(separators, ''))))]
}

/** The characters that only the secret determines when `offset` bytes come before it, as in `Bearer <key>`. */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  return whole.toString('base64').slice(Math.ceil((offset * 4) / 3))
}

/** Percent codes are written in either case. Keeps the length, which `toLowerCase` does not for every language. */
function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The texts to look for, by length. */
function runsOf(forms: readonly string[], least: number): Map<number, Set<string>> {
  const runs = forms.flatMap((form) => {
    const heads = Array.from({ length: runLength - least }, (_, more) => form.slice(0, least + more))
    const whole = Array.from({ length: form.length - runLength + 1 }, (_, at) => form.slice(at, at + runLength))
    return [...heads, ...whole].filter(({ length }) => length >= least)
  })
  return new Map([...Map.groupBy(runs, ({ length }) => length)].map(([length, all]) => [length, new Set(all)]))
}

/** The text without separators, and where each of its characters was. */
function compacted(text: string): { readonly compact: string; readonly places: readonly number[] } {
  const places: number[] = []
  let from = 0
  const add = (until: number): void => {
    for (; from < until; from += 1) places.push(from)
  }
  for (const { 0: separator, index } of text.matchAll(separators)) {
    add(index)
    from = index + separator.length
  }
  add(text.length)
  return { compact: fold(places.map((place) => text[place]).join('')), places }
}

type Range = { readonly from: number; until: number }

/** Joins ranges that overlap: runs of one secret follow each other by one character. */
function extend(ranges: Range[], from: number, until: number): void {
  const last = ranges.at(-1)
  if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until)
  else ranges.push({ from, until })
}

function cutOut(text: string, ranges: readonly Range[]): string {
  const kept = ranges.map(({ from }, index) => text.slice(ranges[index - 1]?.until ?? 0, from) + mark)
  return kept.join('') + text.slice(ranges.at(-1)?.until ?? 0)
}
