// Finds the texts that may mention a name: a path, an address, an id, a heading. Of each name, the longest run of ASCII letters
// and digits is looked for, whatever its case, because links write the signs between them in many ways: encoded, escaped, as a
// space or a dash. So it finds too many texts, and never too few.

const run = /[a-z\d]+/gi
/** Letters and digits that a link writes as `%61` or `&#97;`: any name may be in such a text. */
const encoded = /%[3-7][\da-f]|&#(?:x?[3-7][\da-f];|[4-9]\d;|1[01]\d;|12[0-2];)/i
/** An address that ends in a folder which it does not name: `../`, `./`, `/`. */
const dots = /(?:[(<"'=\s/]|\]:)\.\.?\/?[)>"'#?\s]|[(<"'=\s]\/+[)>"'#?\s]/
/** More take long to look for in a large repository. */
export const mostNames = 100

export type Names = {
  add(name: string): void
  /** Also those that lead to a folder without its name. */
  addUnnamed(): void
  readonly size: number
  /** Returns whether a text may mention one of the names, or undefined if there are too many. */
  matcher(): ((text: string) => boolean) | undefined
}

export function createNames(): Names {
  const words = new Set<string>()
  const texts = new Set<string>()
  let hasUnnamed = false
  return {
    add: (name) => {
      const longest = longestRun(name)
      if (longest !== undefined) words.add(longest)
      else for (const text of [name, encodeURI(name.toWellFormed())]) texts.add(text.toLowerCase())
    },
    addUnnamed: () => {
      hasUnnamed = true
    },
    get size() {
      return words.size + texts.size + (hasUnnamed ? 1 : 0)
    },
    matcher: () => {
      if (words.size + texts.size > mostNames) return undefined
      const pattern = new RegExp(`(?:^|[^a-z\\d]|%[\\da-f]{2})(?:${[...words].join('|')})(?![a-z\\d])`, 'i')
      const others = [...texts]
      const hasText = (text: string) => {
        const lower = text.toLowerCase()
        return others.some((one) => lower.includes(one))
      }
      return (text) =>
        (words.size > 0 && pattern.test(text)) ||
        (words.size + texts.size > 0 && encoded.test(text)) ||
        (texts.size > 0 && hasText(text)) ||
        (hasUnnamed && dots.test(text))
    },
  }
}

/** In lower case; undefined without one. */
function longestRun(name: string): string | undefined {
  const runs = name.match(run) ?? []
  return runs
    .reduce<string | undefined>((best, one) => (one.length > (best?.length ?? 0) ? one : best), undefined)
    ?.toLowerCase()
}
