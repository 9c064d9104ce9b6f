// Says what the service found out about the change of a pull request: problems, losses, outside hosts, refused edits. Each
// word from the repository or the model is shown as code. Pure.

import { findingKinds } from '../../../checks/finding.ts'
import type { PageLoss } from '../../../docs-syntax/page.ts'
import { type NotJudged, reasons, sayNotJudged } from '../../../sites/coverage.ts'
import { inlineCode } from '../../../lib/plain-text.ts'
import type { CheckReview, FindingState, NewHost, Review, ReviewedFinding, ReviewNote } from '../../review/review.ts'
import { amount, count, titled } from './lists.ts'

/** `review`: null if the change was not checked. */
export function sayReview(review: Review | null): readonly string[] {
  if (review === null) return ['**Checks:** this change was not checked.']
  return [
    titled('New outside hosts', review.hosts.map(sayHost), { lines: 20, characters: 1_500 }),
    ...sayChecks(review.checks),
    titled('Lost from the documentation', review.losses.map(sayLoss), { lines: 10, characters: 2_000 }),
    ...sayUngrounded(review),
    titled('Code and files of tools, as the settings of the project expect', review.expected.map(sayNote), {
      lines: 10,
      characters: 1_500,
    }),
    titled('Edits that the policy refused', review.refused.map(sayNote), { lines: 10, characters: 1_500 }),
  ]
}

/** Names and values that the change adds. */
function sayUngrounded({ ungrounded, grounding }: Pick<Review, 'grounding' | 'ungrounded'>): readonly string[] {
  if (grounding === null) return []
  const { notJudged, missing } = grounding
  const places = ungrounded.map(({ path, line, term }) => `${inlineCode(term, 200)} in ${sayPlace(path, line)}`)
  return [
    titled('Not found in the sources', places, { lines: 20, characters: 1_200, total: missing }),
    notJudged === 0
      ? ''
      : `**Not looked up in the sources:** ${amount(notJudged, 'name or value', 'names and values')}`,
  ]
}

/** The parts that the check of the rest of a site changes. */
export function sayChecks(checks: CheckReview): readonly string[] {
  const { introduced, fixed, remaining, ignored, coverage } = checks
  const missing = sayNotJudged(coverage)
  const within = missing === undefined ? '' : ` in what could be judged (${missing})`
  // Nobody knows whether a problem that is gone was fixed, or only moved to where nothing can be judged.
  const gone = missing === undefined ? 'fixed' : 'no longer found'
  const left = remaining === null ? 'the rest of the site is still being checked' : `${count(remaining)} remaining`
  const silenced = ignored === 0 ? '' : `; ${count(ignored)} ignored by the settings of the project`
  return [
    `**Checks:** ${amount(introduced, 'new problem')}${within}, ${count(fixed)} ${gone}, ${left}${silenced}`,
    titled('Not judged', coverage.notJudged.map(sayReason), { lines: 11, characters: 2_000 }),
    listed(checks, 'introduced', 'New problems'),
    listed(checks, 'fixed', missing === undefined ? 'Fixed problems' : 'Problems that are no longer found'),
    listed(checks, 'remaining', 'Problems that were there before'),
  ]
}

function sayReason({ reason, count: number, example }: NotJudged): string {
  return `${count(number)}: ${reasons[reason]}, such as ${inlineCode(example, 120)}`
}

const rooms = {
  introduced: { lines: 20, characters: 3_000 },
  fixed: { lines: 10, characters: 1_000 },
  remaining: { lines: 10, characters: 1_000 },
} as const

/** Breaking problems first. The review holds fewer problems than it counts if there are very many. */
function listed(checks: CheckReview, state: FindingState, title: string): string {
  const found = checks.findings.filter((finding) => finding.state === state)
  const { breaking = [], wrong = [] } = Object.groupBy(found, ({ severity }) => severity)
  return titled(title, [...breaking, ...wrong].map(sayFinding), { ...rooms[state], total: checks[state] ?? 0 })
}

function sayFinding({ kind, path, line, target, byPerson }: ReviewedFinding): string {
  const by = byPerson ? ', in a commit of a person' : ''
  const what = target === '' ? '' : `: ${inlineCode(target)}`
  return `${sayPlace(path, line)}: ${findingKinds[kind].about}${what}${by}`
}

function sayHost({ host, path, line }: NewHost): string {
  return `${inlineCode(host)} in ${sayPlace(path, line)}`
}

function sayLoss({ path, headings, codeBlocks, fields, words }: PageLoss): string {
  const parts = [
    ...sayLost(headings, 'heading'),
    ...sayLost(codeBlocks, 'code block'),
    ...sayLost(fields, 'field'),
    ...(words === null ? [] : [`${count(words.before)} words before, ${count(words.after)} after`]),
  ]
  return `${inlineCode(path)}: ${parts.join('; ')}`
}

const shownLost = 5

function sayLost(lost: readonly string[], noun: string): readonly string[] {
  if (lost.length === 0) return []
  const names = lost.slice(0, shownLost).map((one) => inlineCode(one, 60))
  const more = lost.length > shownLost ? `, and ${count(lost.length - shownLost)} more` : ''
  return [`${noun}${lost.length === 1 ? '' : 's'} ${names.join(', ')}${more}`]
}

function sayNote({ path, line, message }: ReviewNote): string {
  return `${sayPlace(path, line)}: ${sayWords(message)}`
}

/** The words of a rule are ours. A name in them is not: it is in code, or all of them are shown as code. */
function sayWords(message: string): string {
  const isOurs = message.length <= 300 && /^(?:[a-zA-Z ,:']|`[a-zA-Z0-9.:/_-]+`)+$/.test(message)
  return isOurs ? message : inlineCode(message)
}

function sayPlace(path: string, line: number | null): string {
  return `${inlineCode(path)}${line === null ? '' : ` line ${line}`}`
}
