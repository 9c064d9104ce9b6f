// Everything that is looked up before anything is judged: the documented terms, what the sources have, and what they had.

import { termKeys } from '../../docs-syntax/terms/term-keys.ts'
import type { SitePage } from '../rules/site-page.ts'
import type { Documented, Segment } from './documented.ts'
import type { PageLines } from './excused.ts'
import { isOfOthers } from './others.ts'
import type { DocsPast } from './sources/docs-past.ts'
import type { Past, Removal, Wanted } from './sources/past.ts'
import type { Pins } from './sources/pins.ts'

export type Looked = {
  readonly terms: ReadonlyMap<string, Documented>
  readonly pins: Pins
  readonly pasts: readonly Past[]
  readonly docsPast: DocsPast
  readonly linesOf: (page: SitePage) => Promise<PageLines>
  /** As `locate` of `sources/past.ts`. */
  readonly locate: (past: Past, wanted: Wanted) => Promise<Removal | undefined>
}

/** The part of the pins that says whose a name is. */
export type Known = Pick<Pins, 'hasName' | 'isBeginning' | 'isDependency' | 'isNamedLikeDependency'>

/** Whether the name begins with a dependency: `left.pad`, `acme_contrib.pages.Page`. */
function isOfDependency([first, second]: readonly Segment[], pins: Known): boolean {
  const one = first?.keys[0] ?? ''
  return pins.isDependency(one) || pins.isDependency(one + (second?.keys[0] ?? ''))
}

/** Whether code puts flags and variables together that begin like this one. */
function isPutTogether(name: string, pins: Known): boolean {
  const { words } = termKeys(name.replace(/^-+/, ''))
  return words.slice(0, -1).some((_, at) => pins.isBeginning(words.slice(0, at + 1).join('')))
}

/** The names of a term that no source has. */
export function missingOf({ text, kind, segments }: Documented, pins: Known): readonly Segment[] {
  if (kind === 'path' || isOfOthers(text)) return []
  if (kind === 'name' && segments.length > 1 && isOfDependency(segments, pins)) return []
  return segments.filter(
    ({ text: part, keys }) =>
      !keys.some((key) => pins.hasName(key) || pins.isDependency(key)) &&
      !pins.isNamedLikeDependency(part) &&
      !((kind === 'flag' || kind === 'variable') && isPutTogether(part, pins)),
  )
}
