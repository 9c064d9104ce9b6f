// Makes the part of the review that is about problems, and decides what becomes of them: a problem fails the job, or makes
// the pull request a draft that lists it. Pure.

import { compareFindings, type Finding, severityOf } from '../../checks/finding.ts'
import type { GroupSettings } from '../../projects/setting-groups.ts'
import { type CheckReview, type FindingState, mostFindings, type Review, type ReviewedFinding } from './review.ts'

type CheckSettings = GroupSettings['checks']
type Counted = {
  readonly introduced: readonly Finding[]
  readonly byPerson: readonly Finding[]
  readonly fixed: readonly Finding[]
  readonly remaining: readonly Finding[]
  readonly ignored: number
}

export function toCheckReview({ introduced, byPerson, fixed, remaining, ignored }: Counted): CheckReview {
  const toReviewed = (state: FindingState, isByPerson: boolean) => (finding: Finding) => {
    return { ...finding, severity: severityOf(finding), state, byPerson: isByPerson }
  }
  const brought = [...introduced.map(toReviewed('introduced', false)), ...byPerson.map(toReviewed('introduced', true))]
  return {
    introduced: brought.length,
    fixed: fixed.length,
    remaining: remaining.length,
    ignored,
    findings: [
      ...mostImportant(brought),
      ...mostImportant(fixed.map(toReviewed('fixed', false))),
      ...mostImportant(remaining.map(toReviewed('remaining', false))),
    ],
  }
}

/** In order of path and line. The agent's come before a person's, and what breaks the site first, where not all fit. */
function mostImportant(findings: readonly ReviewedFinding[]): readonly ReviewedFinding[] {
  const rank = ({ byPerson, severity }: ReviewedFinding) => (byPerson ? 2 : 0) + (severity === 'breaking' ? 0 : 1)
  const kept = findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostFindings)
  return kept.toSorted(compareFindings)
}

/** The problems of the agent that the change still has. */
export function newProblemsOf({ checks }: Pick<Review, 'checks'>): readonly ReviewedFinding[] {
  return checks.findings.filter(({ state, byPerson }) => state === 'introduced' && !byPerson)
}

/** The new problems that fail the job, the others make its pull request a draft. */
export function blockingOf(review: Pick<Review, 'checks'>, { block }: CheckSettings): readonly ReviewedFinding[] {
  if (block === 'never') return []
  return newProblemsOf(review).filter(({ severity }) => block === 'all' || severity === 'breaking')
}
