// Decides whether the service merges the pull request of a job: only if every fact that it needs is known and fine. Pure. The
// facts of the service itself come first; the forge and git are asked only when these are fine.

import type { ForgeCheck, Known, MergeState } from '../../forge/merging/merging.ts'
import { inlineCode, plainText, shorten } from '../../lib/plain-text.ts'
import { countNotJudged } from '../../sites/coverage.ts'
import type { Review } from '../review/review.ts'

export const obstacleCodes = [
  'automation_stopped',
  'job_not_completed',
  'comment_waits',
  'outsiders_read',
  'not_checked',
  'checks_unfinished',
  'problems',
  'not_judged',
  'policy',
  'losses',
  'not_grounded',
  'asked_already',
  'merge_refused',
  'pull_not_open',
  'draft',
  'base_changed',
  'commit_not_checked',
  'check_failed',
  'check_pending',
  'no_checks',
  'changes_requested',
  'open_threads',
  'conflict',
  'forge_not_ready',
  'not_known',
  'commit_of_others',
] as const
export type ObstacleCode = (typeof obstacleCodes)[number]

/** `message`: one sentence for people, in plain text. */
export type Obstacle = { readonly code: ObstacleCode; readonly message: string }

/** Facts that the service has itself. */
export type OwnFacts = {
  readonly automation: { readonly isStopped: boolean; readonly mergeWithoutChecks: boolean }
  /** Why the last run did not end with a whole change, as a sentence; null: it did. */
  readonly unfinished: string | null
  /** Whether nobody has decided yet about a comment that calls Docent. */
  readonly commentWaits: boolean
  /** Words of outsiders that the agent has read, such as `pages of the web`; null: nothing. */
  readonly outsiders: string | null
  /** The review of the last run; null: its change could not be checked. */
  readonly review: Review | null
  /** The commit that this review is about, and the base branch; null: there is no such commit. */
  readonly checked: { readonly commit: string; readonly base: string } | null
  /** That the forge was asked for this commit before, as a sentence; null: it may be asked. */
  readonly asked: Obstacle | null
}

export type ForgeFacts = Pick<MergeState, 'pull' | 'refusal' | 'checks' | 'changesRequested' | 'openThreads'> & {
  /** A forge that has no checks has nothing to wait for. */
  readonly hasChecks: boolean
  /** Milliseconds since the service first found the commit at the head. */
  readonly waitedMs: number
}

/** From git: the commits of the branch that no run of the job made, and the files that conflict with the base. */
export type GitFacts = { readonly head: string | null; readonly others: number; readonly conflicts: readonly string[] }

/** `forge`, `git`: undefined if they were not asked. */
export type MergeFacts = {
  readonly own: OwnFacts
  readonly forge?: ForgeFacts | undefined
  readonly git?: GitFacts | undefined
}

/** The time in which checks appear after a push. */
export const checksAppearMs = 600_000

/** Empty: it may be merged, if all facts are there. */
export function mergeObstacles({ own, forge, git }: MergeFacts): readonly Obstacle[] {
  return [...ofOwn(own), ...(forge ? ofForge(own, forge) : []), ...(git ? ofGit(own, git) : [])]
}

type Row = readonly [code: ObstacleCode, message: string | false | null]

function listed(rows: readonly Row[]): readonly Obstacle[] {
  return rows.flatMap(([code, message]) => (message === false || message === null ? [] : [{ code, message }]))
}

function ofOwn(own: OwnFacts): readonly Obstacle[] {
  const { automation, unfinished, commentWaits, outsiders, review, checked, asked } = own
  const isChecked = review !== null && checked !== null
  return [
    ...listed([
      ['automation_stopped', automation.isStopped && 'The automation is paused or has ended.'],
      ['job_not_completed', unfinished],
      ['comment_waits', commentWaits && 'A comment that calls Docent still waits to be read.'],
      ['outsiders_read', outsiders && `The agent has read ${outsiders}, which outsiders may have written.`],
      ['not_checked', !isChecked && 'The documentation of the change could not be checked.'],
    ]),
    ...(review ? ofReview(review) : []),
    ...(asked ? [asked] : []),
  ]
}

function ofReview({ checks, losses, warnings, refused, references, hosts, grounding }: Review): readonly Obstacle[] {
  const notJudged = countNotJudged(checks.coverage)
  const noted = warnings.length + refused.length + references.length + hosts.length
  const { missing = 0, notJudged: notLooked = 0 } = grounding ?? {}
  const notFound = missing + notLooked
  return listed([
    ['checks_unfinished', checks.remaining === null && 'The rest of the documentation is still being checked.'],
    ['problems', checks.introduced > 0 && `The change brings ${count(checks.introduced, 'new problem')}.`],
    ['not_judged', notJudged > 0 && `${count(notJudged, 'place')} that the change touches could not be judged.`],
    ['policy', noted > 0 && `A reviewer has to see ${count(noted, 'note')} about the policy of the project.`],
    ['losses', losses.length > 0 && `${count(losses.length, 'page')} lost content.`],
    ['not_grounded', notFound > 0 && `${count(notFound, 'name or value', 'names or values')} could not be found.`],
  ])
}

const mostNames = 5
const mostNameCharacters = 100

/** Accounts choose their names. */
function nameOf(name: string): string {
  return shorten(plainText(name), mostNameCharacters)
}

function ofForge({ automation, checked }: OwnFacts, forge: ForgeFacts): readonly Obstacle[] {
  const { pull, refusal, changesRequested, openThreads } = forge
  const people = changesRequested.kind === 'known' ? changesRequested.value.map(nameOf) : []
  const open = openThreads.kind === 'known' ? openThreads.value : 0
  const isMoved = checked !== null && pull.head.commit !== checked.commit
  return [
    ...listed([
      ['pull_not_open', pull.state !== 'open' && `The pull request is ${pull.state}.`],
      ['draft', pull.draft && 'The pull request is a draft.'],
      [
        'base_changed',
        checked !== null && pull.base !== checked.base && `Its base is ${inlineCode(pull.base, 100)} now.`,
      ],
      ['commit_not_checked', isMoved && 'The head of the branch is not the commit that was checked.'],
    ]),
    // The checks of another commit say nothing.
    ...(isMoved ? [] : ofChecks(forge, automation.mergeWithoutChecks)),
    ...listed([
      ['changes_requested', people.length > 0 && `${people.slice(0, mostNames).join(', ')} requested changes.`],
      ['open_threads', open > 0 && `${count(open, 'thread')} of reviews ${open === 1 ? 'is' : 'are'} open.`],
      ['forge_not_ready', refusal.kind === 'known' && refusal.value],
    ]),
    ...[changesRequested, openThreads, refusal].flatMap(ofUnknown),
  ]
}

function ofChecks({ checks, hasChecks, waitedMs }: ForgeFacts, mayMiss: boolean): readonly Obstacle[] {
  if (checks.kind === 'unknown') return ofUnknown(checks)
  const named = (state: ForgeCheck['state']) => {
    const names = checks.value.filter((check) => check.state === state).map(({ name }) => name)
    return names.length > mostNames ? [...names.slice(0, mostNames), `${names.length - mostNames} more`] : names
  }
  const [failed, pending] = [named('red'), named('pending')]
  const isNone = checks.value.length === 0
  const mayAppear = isNone && hasChecks && waitedMs < checksAppearMs
  return listed([
    ['check_failed', failed.length > 0 && `Not passed: ${failed.join(', ')}.`],
    ['check_pending', pending.length > 0 && `Not finished: ${pending.join(', ')}.`],
    ['check_pending', mayAppear && 'No check has appeared yet; it waits for ten minutes after the push.'],
    [
      'no_checks',
      isNone && !mayAppear && !mayMiss && 'No check of the forge appeared. `mergeWithoutChecks` would allow it.',
    ],
  ])
}

function ofGit({ checked }: OwnFacts, { head, others, conflicts }: GitFacts): readonly Obstacle[] {
  return listed([
    ['commit_not_checked', head !== checked?.commit && 'The head of the branch is not the commit that was checked.'],
    ['commit_of_others', others > 0 && `The branch has ${count(others, 'commit')} that the job did not make.`],
    ['conflict', conflicts.length > 0 && `It conflicts with its base in ${inlineCode(conflicts[0] ?? '', 200)}.`],
  ])
}

function ofUnknown(given: Known<unknown>): readonly Obstacle[] {
  return given.kind === 'unknown' ? [{ code: 'not_known', message: given.reason }] : []
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
}
