// Removes a secret from the output of another program or service. Hosts and proxies may quote what they received:
// complete, shortened, in the encoding in which it was sent, or broken across lines. Pure.

/** A shorter secret, or a shorter prefix of a secret, could be an ordinary word. */
const usualLeast = 8
/** This many consecutive characters are removed from words, from any part of a secret. */
const wordsRun = 12
/** The same for data, which may contain a shorter part legitimately: all tokens of a host begin with the same characters. */
const dataRun = 20
/** The text between the parts of a secret that is broken across lines: white space, control codes, and git's prefix. */
const separators = /(?:\u001b\[[0-9;?]*[A-Za-z]|[\s\p{Cc}\p{Cf}]|(?<=[\r\n])remote:)+/gu
const mark = '[redacted]'

/**
 * Replaces every prefix of the secret with at least `least` characters, and any twelve consecutive characters of it, with
 * `[redacted]`: in plain, JSON, percent-encoded, hexadecimal and base64 form, also in base64 of a longer text.
 */
export function redact(words: string, secret = '', least = usualLeast): string {
  if (secret.length < least || words === '') return words
  const runs = indexRuns(formsOf(secret).flatMap((form) => runsOf(form, { least, length: wordsRun })))
  return replaceRuns(words, runs, compacted(words))
}

/** Replaces any twenty consecutive characters of the secret in the same forms. A shorter secret is not replaced. */
export function createRedactor(secret: string): (data: string) => string {
  const forms = secret.length < dataRun ? [] : formsOf(secret)
  const runs = indexRuns(forms.flatMap((form) => runsOf(form, { least: dataRun, length: dataRun })))
  return (data) => (forms.length === 0 ? data : replaceRuns(data, runs, { compact: fold(data), placeOf: (at) => at }))
}

function formsOf(secret: string): readonly string[] {
  const text = secret.toWellFormed()
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const json = JSON.stringify(text).slice(1, -1)
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = base64At(secret, offset)
    return [encoded, encoded.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const hex = Buffer.from(secret).toString('hex')
  const all = [secret, encodeURIComponent(text), form, json, json.replaceAll('/', String.raw`\/`), hex, ...base64]
  return [...new Set(all.map((one) => fold(one.replaceAll(separators, ''))))]
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

/** The prefixes of at least `least` characters, and every part of `length`. */
function runsOf(form: string, { least, length }: { readonly least: number; readonly length: number }): string[] {
  const heads = Array.from({ length: length - least }, (_, more) => form.slice(0, least + more))
  const whole = Array.from({ length: Math.max(0, form.length - length + 1) }, (_, at) => form.slice(at, at + length))
  return [...heads, ...whole].filter((run) => run.length >= least)
}

type Runs = {
  /** Longer ones first. */
  readonly bySize: ReadonlyMap<number, ReadonlySet<string>>
  /** 1 if a run begins with three characters of this hash, so that few places of a large text are looked up. */
  readonly heads: Uint8Array
}

function indexRuns(runs: readonly string[]): Runs {
  const sizes = Map.groupBy(runs, ({ length }) => length)
  const heads = new Uint8Array(2 ** 16)
  for (const run of runs) heads[hashAt(run, 0)] = 1
  const sorted = [...sizes].toSorted(([one], [other]) => other - one)
  return { bySize: new Map(sorted.map(([size, all]) => [size, new Set(all)])), heads }
}

function hashAt(text: string, at: number): number {
  return ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & 0xff_ff
}

function replaceRuns(text: string, { bySize, heads }: Runs, { compact, placeOf }: Compact): string {
  const ranges: Range[] = []
  for (let at = 0; at < compact.length; at += 1) {
    if (heads[hashAt(compact, at)] === 0) continue
    for (const [size, runs] of bySize) {
      if (!runs.has(compact.slice(at, at + size))) continue
      extend(ranges, placeOf(at), placeOf(at + size - 1) + 1)
      break
    }
  }
  return cutOut(text, ranges)
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
  return { compact: fold(pieces.map((piece) => piece.text).join('')), placeOf }
}

type Range = { readonly from: number; until: number }

/** Adds a range, and joins it with the last one if they overlap. */
function extend(ranges: Range[], from: number, until: number): void {
  const last = ranges.at(-1)
  if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until)
  else ranges.push({ from, until })
}

function cutOut(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text
  const kept = ranges.map(({ from }, index) => text.slice(ranges[index - 1]?.until ?? 0, from) + mark)
  return kept.join('') + text.slice(ranges.at(-1)?.until ?? 0)
}
