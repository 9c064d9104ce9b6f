// Makes the id of a section from its title by the rule of Asciidoctor (`Section.generate_id` of 2.0). Knows nothing about
// pages; the source of the rule is the code, because its documentation names only the common cases.

export type IdRule = {
  /** `idprefix`: `_` unless it is set. Antora sites usually set it to nothing. */
  readonly prefix: string
  /** `idseparator`: `_` unless it is set. Antora sites usually set it to `-`. */
  readonly separator: string
}

export const defaultIds: IdRule = { prefix: '_', separator: '_' }

/** The number that the second section of the same title gets: `_install_2`. */
export const secondId = 2

/** Text that Asciidoctor replaces by characters of other kinds before it makes the id: `(C)`, dashes, `...`, arrows. */
const replaced =
  /\((?:C|R|TM)\)|(?<=^| )-- |(?: |^)--$|(?<=[\p{L}\p{M}\p{N}\p{Pc}])--(?=[\p{L}\p{M}\p{N}\p{Pc}])|\.{3}|->|<-/gu
const invalid = /&(?:[a-z][a-z]+\d{0,2}|#\d\d\d{0,4}|#x[\da-f][\da-f][\da-f]{0,3});|[^ \p{L}\p{M}\p{N}\p{Pc}\-.]/gu

/** `text` is the visible text of the title. */
export function toSectionId(text: string, { prefix, separator }: IdRule): string {
  const plain = text.replace(/ -- /g, '').replace(replaced, '').toLowerCase().replace(invalid, '')
  const mark = separator.slice(0, 1)
  if (mark === '') return prefix + plain.replaceAll(' ', '')
  const joined = squeeze(prefix + plain, mark)
  const cut = joined.endsWith(mark) ? joined.slice(0, -1) : joined
  return prefix === '' && cut.startsWith(mark) ? cut.slice(1) : cut
}

/** The first id that is not in `used`: `name`, `name_2`, `name_3`. */
export function toFreeId(id: string, separator: string, used: ReadonlyMap<string, number>): string {
  if (!used.has(id)) return id
  let count = Math.max(secondId, used.get(id) ?? 0)
  while (used.has(`${id}${separator.slice(0, 1)}${count}`)) count += 1
  return `${id}${separator.slice(0, 1)}${count}`
}

/** Every run of spaces, dots, hyphens and separators becomes one separator. */
function squeeze(text: string, mark: string): string {
  let result = ''
  let isLast = false
  for (const character of text) {
    const isMark = character === mark || character === ' ' || character === '.' || character === '-'
    if (!isMark) result += character
    else if (!isLast) result += mark
    isLast = isMark
  }
  return result
}
