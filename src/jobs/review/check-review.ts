// Makes the part of the review that is about problems, and decides what becomes of them: a problem fails the job, or makes
// the pull request a draft that lists it. Pure.

import { compareFindings, type Finding, severityOf } from '../../checks/finding.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import type { Grounding } from '../../grounding/places.ts'
import { shorten } from '../../lib/plain-text.ts'
import type { GroupSettings } from '../../projects/setting-groups.ts'
import type { CheckedRun } from './run-checks.ts'
import {
  type CheckReview,
  type FindingState,
  mostFindings,
  mostUngrounded,
  type Review,
  type ReviewedFinding,
  type ReviewNote,
} from './review.ts'
import type { Coverage } from '../../sites/coverage.ts'

/** Pages, and what one page lost. */
const mostLosses = 200
/** A page may have an address or a heading of any length. */
const mostCharacters = 1_000

type Checked = CheckedRun

export function toReviewed(checked: Checked): Pick<Review, 'checks' | 'losses' | 'references'> {
  const losses = checked.losses.slice(0, mostLosses).map(cutLoss)
  return { checks: toCheckReview(checked), losses, references: toReferences(checked) }
}

/** Undefined: the project has turned it off. */
export function toGrounded(grounding: Grounding | undefined): Pick<Review, 'grounding' | 'ungrounded'> {
  if (!grounding) return { grounding: null, ungrounded: [] }
  const { ungrounded, judged, notJudged } = grounding
  return {
    grounding: { judged, notJudged: notJudged.length, missing: ungrounded.length },
    ungrounded: ungrounded.slice(0, mostUngrounded).map((one) => ({ ...one, term: shorten(one.term, 200) })),
  }
}

function toCheckReview({
  introduced,
  byPerson,
  fixed,
  remaining,
  ignored,
  suggest,
  coverage,
  drift,
}: Checked): CheckReview {
  const brought = [...introduced.map(marked('introduced')), ...byPerson.map(marked('introduced', true))]
  return {
    introduced: brought.length,
    fixed: fixed.length,
    remaining: remaining?.length ?? null,
    ignored,
    coverage: { ...cutCoverage(coverage), site: coverage.site && cutCoverage(coverage.site) },
    drift,
    findings: [
      ...mostImportant(brought).map((finding) => withSuggestion(finding, suggest(finding))),
      ...mostImportant(fixed.map(marked('fixed'))),
      ...mostImportant((remaining ?? []).map(marked('remaining'))),
    ],
  }
}

function marked(state: FindingState, byPerson = false): (finding: Finding) => ReviewedFinding {
  return ({ kind, path, line, target, message, suggestion }) => {
    const texts = { target: shorten(target, mostCharacters), message: shorten(message, mostCharacters) }
    const finding = { kind, path, line, ...texts, severity: severityOf({ kind }), state, byPerson }
    return withSuggestion(finding, suggestion)
  }
}

function withSuggestion(finding: ReviewedFinding, suggestion: string | undefined): ReviewedFinding {
  return suggestion === undefined ? finding : { ...finding, suggestion: shorten(suggestion, mostCharacters) }
}

function cutCoverage({ judged, notJudged }: Coverage): Coverage {
  return { judged, notJudged: notJudged.map((one) => ({ ...one, example: shorten(one.example, mostCharacters) })) }
}

const mostReferences = 20

/** Nobody can tell whether these still lead somewhere: a person has to look at them. */
function toReferences({ coverage }: Pick<CheckedRun, 'coverage'>): readonly ReviewNote[] {
  return coverage.references.slice(0, mostReferences).map(({ path, line, name }) => ({
    path,
    line,
    message: `may name a page that is moved or deleted: \`${shorten(name, 200).replaceAll('`', "'")}\``,
  }))
}

function cutLoss({ path, headings, codeBlocks, fields, words }: PageLoss): PageLoss {
  const cut = (texts: readonly string[]) => texts.slice(0, mostLosses).map((text) => shorten(text, mostCharacters))
  return { path, headings: cut(headings), codeBlocks: cut(codeBlocks), fields, words }
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
export function blockingOf(
  review: Pick<Review, 'checks'>,
  { block }: GroupSettings['checks'],
): readonly ReviewedFinding[] {
  if (block === 'never') return []
  return newProblemsOf(review).filter(({ severity }) => block === 'all' || severity === 'breaking')
}
