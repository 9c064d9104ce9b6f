// The review of a change: what the service itself states about it, in the job, in the pull request and in the dashboard.
// No model wrote any of it.

import type { Finding, Severity } from '../../checks/finding.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import type { Ungrounded } from '../../grounding/places.ts'
import { type Coverage, nothingJudged } from '../../sites/coverage.ts'

export type FindingState = 'introduced' | 'fixed' | 'remaining'

/** `remaining`: the base has it too. The place of a fixed one is that in the base. */
export type ReviewedFinding = Finding & {
  readonly severity: Severity
  readonly state: FindingState
  /** Whether it came with a commit that a person pushed to the branch: it does not block the agent. */
  readonly byPerson: boolean
  /** Found after the run, when all pages were compared with the sources. */
  readonly isLate?: true
}

export type CheckCounts = {
  readonly introduced: number
  readonly fixed: number
  /** Null: the rest of the site is still to be checked. */
  readonly remaining: number | null
  /** Whether everything that the change touches was judged. */
  readonly judgedAll: boolean
}

/** How much a check compared with the sources of the product. */
export type DriftReview = {
  readonly sources: readonly {
    readonly name: string
    /** Null: it could not be read. */
    readonly commit: string | null
    /** How many revisions of its history were compared, and the time of the oldest. */
    readonly revisions: number
    readonly since: string | null
    readonly isWhole: boolean
  }[]
  readonly files: number
  readonly pages: number
  readonly terms: number
}

/** The counts are exact; `findings` has at most `mostFindings` of each state. Ignored findings count nowhere else. */
export type CheckReview = Omit<CheckCounts, 'judgedAll'> & {
  readonly ignored: number
  readonly findings: readonly ReviewedFinding[]
  /** `site`: of everything, null as long as `remaining` is; the other counts are of what the change touches. */
  readonly coverage: Coverage & { readonly site: Coverage | null }
  /** It is about all pages. Null without sources, and as long as `remaining` is. */
  readonly drift: DriftReview | null
}

/** Another site that the change leads readers to, and the base does not. */
export type NewHost = { readonly host: string; readonly path: string; readonly line: number }

/** `line`: null for a note about the file. The message continues the path: `adds a component`. */
export type ReviewNote = { readonly path: string; readonly line: number | null; readonly message: string }

export type Review = {
  readonly checks: CheckReview
  readonly losses: readonly PageLoss[]
  readonly hosts: readonly NewHost[]
  /** Terms that the change adds and that were found nowhere; at most `mostUngrounded`. */
  readonly ungrounded: readonly Ungrounded[]
  /** How many terms were looked up, and how many could not be. Null: the project has turned it off. */
  readonly grounding: { readonly judged: number; readonly notJudged: number; readonly missing: number } | null
  /** Why the pull request is a draft that says so first. */
  readonly warnings: readonly ReviewNote[]
  /** Places that may name a page which the change moves or deletes, and that nobody could judge. */
  readonly references: readonly ReviewNote[]
  /** Code and files of tools that the settings of the project expect. */
  readonly expected: readonly ReviewNote[]
  /** Edits that the policy refused during the runs of the branch. */
  readonly refused: readonly ReviewNote[]
}

export const mostFindings = 1_000

export const mostUngrounded = 200

export const emptyReview: Review = {
  checks: {
    introduced: 0,
    fixed: 0,
    remaining: 0,
    ignored: 0,
    findings: [],
    coverage: { ...nothingJudged, site: nothingJudged },
    drift: null,
  },
  losses: [],
  hosts: [],
  ungrounded: [],
  grounding: null,
  warnings: [],
  references: [],
  expected: [],
  refused: [],
}

export function countsOf({ introduced, fixed, remaining, coverage }: CheckReview): CheckCounts {
  return { introduced, fixed, remaining, judgedAll: coverage.notJudged.length === 0 }
}
