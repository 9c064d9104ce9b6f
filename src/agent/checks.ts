// The checks of the documentation, as the agent sees them: which problems its changes have brought, and which were there
// before. The runs of jobs implement this; a test may do without.

import type { PageLoss } from '../docs-syntax/page.ts'
import type { Coverage } from '../sites/coverage.ts'

/** One problem at one place. */
export type Problem = {
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  /** Such as `link` or `frontmatter`. */
  readonly kind: string
  /** The address, the field, or the words of the parser. */
  readonly target: string
  /** A sentence without a full stop. It continues the path. */
  readonly message: string
  /** The intended target, where that is clear; otherwise null. */
  readonly suggestion: string | null
}

export type WantedProblems = {
  /** `new`: those that the changes brought. `old`: those that were there before, or that a person brought. */
  readonly which: 'new' | 'old'
  readonly isWanted: (path: string) => boolean
  readonly offset: number
  readonly limit: number
}

export type FoundProblems = {
  /** How many wanted files have, in all. */
  readonly counts: { readonly new: number; readonly old: number }
  /** In order of path and line. */
  readonly problems: readonly Problem[]
  /** How much of what the changes touch was judged. */
  readonly coverage: Coverage
  /** The losses of the wanted files. */
  readonly losses: readonly PageLoss[]
}

export interface Checks {
  /** Checks the files as they are now. May take minutes the first time. Throws `checks_failed` if it cannot. */
  find(wanted: WantedProblems): Promise<FoundProblems>
}
