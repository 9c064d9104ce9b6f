// The attributes of a page of AsciiDoc (`:name: value`, used as `{name}`): which are known, and what a text with references
// becomes. A reference to an attribute that nobody here knows stays as it is written.

/** The attributes of a site, as `antora.yml` and playbooks have them: `value@` may be changed by pages; false: unset. */
export type SiteAttributes = Readonly<Record<string, string | number | boolean | null>>

export type AttributeTable = {
  /** The value; null if the attribute is known to be unset; undefined if nothing is known about it. */
  get(name: string): string | null | undefined
  /** An entry of the page. A value that the site fixes stays. */
  set(name: string, value: string | null): void
  /** From here on nothing is known about it, because the entry depends on a condition. */
  forget(name: string): void
  entries(): ReadonlyMap<string, string | null>
  /** The attributes that were ever forgotten. */
  undecided(): ReadonlySet<string>
}

/** Longer values and results are not substituted: a few lines could define a text of any length. */
const maxText = 4000
const reference = /(\\?)\{([\p{L}\p{N}_][\p{L}\p{N}_-]*)\}/gu

const intrinsic: ReadonlyMap<string, string> = new Map([
  ...pairs(
    'startsb=[ endsb=] vbar=| caret=^ asterisk=* tilde=~ plus=+ backslash=\\ backtick=` blank= empty= two-colons=::',
  ),
  ...pairs(
    'two-semicolons=;; deg=° quot=" apos=\' lsquo=‘ rsquo=’ ldquo=“ rdquo=” brvbar=¦ pp=++ cpp=C++ amp=& lt=< gt=>',
  ),
  ...pairs('nbsp=\u00A0\0zwsp=\u200B\0wj=\u2060\0sp= ', '\0'),
])

export function createAttributes(site: SiteAttributes = {}): AttributeTable {
  const values = new Map<string, string | null>()
  const fixed = new Set<string>()
  const undecided = new Set<string>()
  for (const [written, given] of Object.entries(site)) {
    const name = written.toLowerCase()
    const isSoft = typeof given === 'string' && given.endsWith('@')
    if (given === false || given === null) values.set(name, null)
    else values.set(name, given === true ? '' : isSoft ? given.slice(0, -1) : String(given))
    if (!isSoft && given !== false) fixed.add(name)
  }
  return {
    get: (name) => values.get(name) ?? intrinsic.get(name) ?? (values.has(name) ? null : undefined),
    set: (name, value) => void (fixed.has(name) || values.set(name, value)),
    forget: (name) => {
      if (fixed.has(name)) return
      values.delete(name)
      undecided.add(name)
    },
    entries: () => values,
    undecided: () => undecided,
  }
}

/** Replaces the references to known attributes. Those to others stay; see `unknownAttributes`. */
export function substitute(text: string, attributes: Pick<AttributeTable, 'get'>): string {
  if (!text.includes('{')) return text
  let size = text.length
  return text.replace(reference, (written: string, escape: string, name: string) => {
    if (escape) return written.slice(1)
    const value = attributes.get(name.toLowerCase()) ?? undefined
    size += value?.length ?? 0
    return value === undefined || size > maxText ? written : value
  })
}

/** The attributes in a destination that are not known: what the link refers to can't be judged. */
export function unknownAttributes(url: string): string[] {
  return Array.from(url.matchAll(reference), (found) => found[2] ?? '')
}

function pairs(written: string, separator = ' '): [string, string][] {
  return written.split(separator).map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
}
