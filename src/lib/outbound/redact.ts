// Removes a secret from a message of another program or service before it is shown or logged. Hosts and proxies may quote
// what they received: complete, shortened, in the encoding in which it was sent, or broken across lines. Pure.

/** A shorter secret, or a shorter prefix of a secret, could be an ordinary word. */
const usualLeast = 8
/** This many consecutive characters are removed from any part of a secret. */
const runLength = 12
/** The text between the parts of a secret that is broken across lines: white space, control codes, and git's prefix. */
const separators = /(?:\u001b\[[0-9;?]*[A-Za-z]|[\s\p{Cc}\p{Cf}]|(?<=[\r\n])remote:)+/gu
const mark = '[redacted]'

/**
 * Replaces every prefix of the secret with at least `least` characters, and any twelve consecutive characters of it, with
 * `[redacted]`: in plain, percent-encoded and base64 form, also in base64 of a longer text.
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

/** The base64 characters that depend only on the secret if `offset` bytes come before it, as in `Bearer <key>`. */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  return whole.toString('base64').slice(Math.ceil((offset * 4) / 3))
}

/** Folds the case of percent codes. Keeps the length of the text, unlike `toLowerCase`, which changes it in some scripts. */
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

/** Returns the text without separators, and the original position of each character. */
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

/** Adds a range, and joins it with the last one if they overlap. */
function extend(ranges: Range[], from: number, until: number): void {
  const last = ranges.at(-1)
  if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until)
  else ranges.push({ from, until })
}

function cutOut(text: string, ranges: readonly Range[]): string {
  const kept = ranges.map(({ from }, index) => text.slice(ranges[index - 1]?.until ?? 0, from) + mark)
  return kept.join('') + text.slice(ranges.at(-1)?.until ?? 0)
}
