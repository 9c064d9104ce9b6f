// The coverage of a check: how much it judged, and why it could not judge the rest, by a closed list of reasons. "No
// problems" without it says nothing, for a site of an unknown kind has no problem that anybody could find.

export const reasons = {
  site: 'no kind of site is known here, so addresses from the root of the site cannot be looked up',
  code: 'code makes these addresses, or this navigation, and it is not run',
  generated: 'the generator, a plugin or another program makes these pages',
  redirect: 'a redirect with a pattern covers the address',
  ignored: 'git ignores the file, so a program makes it',
  outside: 'the address leads out of the folders of the site',
  template: 'the address has a template or a placeholder in it',
  alias: 'the address begins with an alias of the build, such as `@/`',
  navigation: 'the navigation leaves out other pages of the folder too, so it may leave out this one',
  anchors: 'a program adds to the page, so its headings are not all known',
  context: 'what inserts or builds the page decides where the address leads',
  large: 'the page is too large, or takes too long to parse',
  source: 'a source of the product could not be read whole, so it may still have the name',
  history: 'the history of a source was not compared in time as far as the name may be',
  lookup: 'the name was not looked up in the sources in time, or too many files have it',
  translation: 'the source page that `translationOf` of the translation names does not exist',
  commits: 'the history of the documentation is not here, so nobody knows whether the translation is behind',
  syntax: 'the file is written in a syntax that is not read',
} as const

export type Reason = keyof typeof reasons

export const reasonNames = Object.keys(reasons) as [Reason, ...Reason[]]

/** `example`: a place, such as `guides/a.md:12 /api/plants`. */
export type NotJudged = { readonly reason: Reason; readonly count: number; readonly example: string }

/** Links, anchors, images, imports, includes and entries of the navigation; a file that is not read counts once. */
export type Coverage = {
  readonly judged: number
  /** The most frequent reason first. */
  readonly notJudged: readonly NotJudged[]
}

export const nothingJudged: Coverage = { judged: 0, notJudged: [] }

/** Both: of different things, or by different rules. */
export function addCoverage(one: Coverage, other: Coverage): Coverage {
  const notJudged = [...one.notJudged, ...other.notJudged].toSorted((a, b) => b.count - a.count)
  return { judged: one.judged + other.judged, notJudged }
}

export function countNotJudged({ notJudged }: Coverage): number {
  return notJudged.reduce((total, { count }) => total + count, 0)
}

/** `3 of 12 not judged`; undefined if everything was judged. */
export function sayNotJudged(coverage: Coverage): string | undefined {
  const missing = countNotJudged(coverage)
  const all = (coverage.judged + missing).toLocaleString('en')
  return missing === 0 ? undefined : `${missing.toLocaleString('en')} of ${all} not judged`
}
