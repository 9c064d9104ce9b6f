// The forms under which two spellings of one thing meet: a flag `--max-lines`, a field `max_lines` and a property `maxLines` are
// written differently in code and in its documentation.

export type TermKeys = {
  /** The whole term in lower case, only its letters and digits: `maxlines`. */
  readonly whole: string
  /** The same of each part between `.`, `/`, `::` and `#`. Empty if there is only one. */
  readonly segments: readonly string[]
  /** The words of all parts, cut at changes of case, `_` and `-`. Empty if there is only one. */
  readonly words: readonly string[]
}

export const lower = 1
export const upper = 2
const digit = 3
export const separator = 4
/** One for each ASCII character; 0 is no part of a key. */
const classOfCode = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/.test(character)) return lower
  if (/[A-Z]/.test(character)) return upper
  if (/\d/.test(character)) return digit
  return /[./:#@+~$]/.test(character) ? separator : 0
})
const nothing: readonly string[] = []

/** Reads each character once, without regular expressions: a site has a hundred thousand spellings. */
export function termKeys(text: string): TermKeys {
  const segments: string[] = []
  const words: string[] = []
  let segment = ''
  for (let at = 0; at < text.length;) {
    const kind = classOf(text.charCodeAt(at))
    if (kind === 0 || kind === separator) {
      if (kind === separator && segment !== '') {
        segments.push(segment)
        segment = ''
      }
      at += 1
      continue
    }
    const end = endOfWord(text, at, kind)
    const written = text.slice(at, end)
    const word = kind === upper ? written.toLowerCase() : written
    words.push(word)
    segment += word
    at = end
  }
  if (segment !== '') segments.push(segment)
  return {
    whole: segments.length === 1 ? (segments[0] ?? '') : segments.join(''),
    segments: segments.length > 1 ? segments : nothing,
    words: words.length > 1 ? words : nothing,
  }
}

/** `HTTPServer` is `HTTP` and `Server`; `Server` and `server` are one word. */
export function endOfWord(text: string, start: number, kind: number): number {
  const end = endOfRun(text, start, kind)
  if (kind !== upper || classOf(text.charCodeAt(end)) !== lower) return end
  return end - start > 1 ? end - 1 : endOfRun(text, end, lower)
}

function endOfRun(text: string, start: number, kind: number): number {
  let end = start + 1
  while (classOf(text.charCodeAt(end)) === kind) end += 1
  return end
}

/** Past the end of a text, its code is not a number. */
export function classOf(code: number): number {
  return code < 128 ? (classOfCode[code] ?? 0) : 0
}
