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

const separator = /[./:#@+~$]+/
const word = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g
const single = /^[a-z]+$/

export function termKeys(text: string): TermKeys {
  if (single.test(text)) return { whole: text, segments: [], words: [] }
  const parts = text.split(separator).filter((part) => part !== '')
  const segments = parts.map(plain).filter((part) => part !== '')
  const words = parts.flatMap((part) => part.match(word) ?? []).map((one) => one.toLowerCase())
  return {
    whole: segments.join(''),
    segments: segments.length > 1 ? segments : [],
    words: words.length > 1 ? words : [],
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]+/g, '')
}
