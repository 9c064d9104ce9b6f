// Finds the texts that may mention a name: a path, an address, an id, a heading. Of each name, the longest run of ASCII letters
// and digits is looked for, whatever its case, because links write the signs between them in many ways: encoded, escaped, as a
// space or a dash. So it finds too many texts, and never too few.

const run = /[a-z\d]+/gi
/** Letters and digits that a link writes as `%61` or `&#97;`: any name may be in such a text. */
const encoded = /%[3-7][\da-f]|&#(?:x?[3-7][\da-f];|[4-9]\d;|1[01]\d;|12[0-2];)/i
/** An address that ends in a folder which it does not name: `../`, `./`, `/`. */
const dots = /(?:[(<"'=\s/]|\]:)\.\.?\/?[)>"'#?\s]|[(<"'=\s]\/+[)>"'#?\s]/
/** The usual names of the first page of a folder, by which a page below it leads to it. */
const first = /^(?:index|readme)$/i
const firstPage = /(?:^|[^a-z\d]|%[\da-f]{2})(?:index|readme)(?![a-z\d])/i
/** More take long to look for in a large repository. */
export const mostNames = 100

export type Names = {
  add(name: string): void
  /**
   * Adds what leads to a folder without its name: `../`, `index.md`. Only a page below the folder can mean it so; the others name
   * it. Empty: the first folder of a site.
   */
  addUnnamed(folder: string): void
  /**
   * Returns whether a text of pages at these paths and addresses may mention one of the names. Undefined: there are too many
   * names.
   */
  matcher(): ((text: string, places: readonly string[]) => boolean) | undefined
}

export function createNames(): Names {
  const words = new Set<string>()
  const texts = new Set<string>()
  const folders = new Set<string>()
  return {
    add: (name) => {
      const longest = longestRun(name)
      // Such as the id of the first page.
      if (longest !== undefined && first.test(longest)) folders.add('')
      else if (longest !== undefined) words.add(longest)
      else for (const text of [name, encodeURI(name.toWellFormed())]) texts.add(text.toLowerCase())
    },
    addUnnamed: (folder) => void folders.add(folder),
    matcher: () => {
      if (words.size + texts.size > mostNames) return undefined
      const pattern = new RegExp(`(?:^|[^a-z\\d]|%[\\da-f]{2})(?:${[...words].join('|')})(?![a-z\\d])`, 'i')
      const others = [...texts]
      const hasText = (text: string) => {
        const lower = text.toLowerCase()
        return others.some((one) => lower.includes(one))
      }
      const hasName = (text: string) =>
        (words.size > 0 && pattern.test(text)) ||
        (words.size + texts.size > 0 && encoded.test(text)) ||
        (texts.size > 0 && hasText(text))
      const isWithin = (place: string) => place.split('/').some((part) => folders.has(part))
      return (text, places) =>
        hasName(text) ||
        (folders.size > 0 &&
          (folders.has('') || places.some(isWithin)) &&
          (dots.test(text) || firstPage.test(text) || encoded.test(text)))
    },
  }
}

/** Preferably one that says more than that the page is the first of its folder. */
function longestRun(name: string): string | undefined {
  const runs = (name.match(run) ?? []).map((one) => one.toLowerCase()).toSorted((a, b) => b.length - a.length)
  return runs.find((one) => !first.test(one)) ?? runs[0]
}
