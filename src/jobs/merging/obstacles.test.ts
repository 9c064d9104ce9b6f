import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { silentReview } from '../../../test/support/merging-world.ts'
import { known, unknown } from '../../forge/merging/merging.ts'
import type { Review } from '../review/review.ts'
import {
  checksAppearMs,
  type ForgeFacts,
  type GitFacts,
  type MergeFacts,
  mergeObstacles,
  obstacleCodes,
  type OwnFacts,
} from './obstacles.ts'

const own: OwnFacts = {
  automation: { isStopped: false, mergeWithoutChecks: false },
  unfinished: null,
  commentWaits: false,
  outsiders: null,
  review: silentReview,
  checked: { commit: 'head', base: 'main' },
  asked: null,
}
const forge: ForgeFacts = {
  pull: { state: 'open', draft: false, base: 'main', head: { branch: 'docent/1', commit: 'head' } },
  refusal: known(null),
  checks: known([{ name: 'build', state: 'green' }]),
  changesRequested: known([]),
  openThreads: known(0),
  hasChecks: true,
  waitedMs: 0,
}
const git: GitFacts = { head: 'head', others: 0, conflicts: [] }
const fine = { own, forge, git }

const note = { path: 'a.md', line: 1, message: 'adds a component' }
const notFound = { judged: 3, notJudged: 0, missing: 1 }
const withReview = (change: Partial<Review>): MergeFacts => ({
  ...fine,
  own: { ...own, review: { ...silentReview, ...change } },
})
const withChecks = (change: Partial<Review['checks']>) => withReview({ checks: { ...silentReview.checks, ...change } })
const withOwn = (change: Partial<OwnFacts>): MergeFacts => ({ ...fine, own: { ...own, ...change } })
const withForge = (change: Partial<ForgeFacts>): MergeFacts => ({ ...fine, forge: { ...forge, ...change } })
const withPull = (change: Partial<ForgeFacts['pull']>) => withForge({ pull: { ...forge.pull, ...change } })
const withGit = (change: Partial<GitFacts>): MergeFacts => ({ ...fine, git: { ...git, ...change } })
const notJudged = [{ reason: 'site', count: 2, example: 'a.md:1 /b' }] as const
const nothing = known([])
const trusting = { ...own, automation: { isStopped: false, mergeWithoutChecks: true } }

const table: readonly (readonly [codes: string, message: RegExp, facts: MergeFacts])[] = [
  ['', /^$/, fine],
  ['automation_stopped', /paused or has ended/, withOwn({ automation: { isStopped: true, mergeWithoutChecks: true } })],
  ['job_not_completed', /^The job is active\.$/, withOwn({ unfinished: 'The job is active.' })],
  ['comment_waits', /still waits to be read/, withOwn({ commentWaits: true })],
  ['outsiders_read', /pages of the web, which outsiders/, withOwn({ outsiders: 'pages of the web' })],
  ['not_checked', /could not be checked/, withOwn({ review: null })],
  ['not_checked', /could not be checked/, { own: { ...own, checked: null }, forge }],
  ['checks_unfinished', /still being checked/, withChecks({ remaining: null })],
  ['problems', /brings 1 new problem\./, withChecks({ introduced: 1 })],
  ['problems', /brings 1,200 new problems\./, withChecks({ introduced: 1_200 })],
  ['not_judged', /^2 places that/, withChecks({ coverage: { judged: 1, notJudged, site: null } })],
  ['policy', /1 note/, withReview({ warnings: [note] })],
  ['policy', /1 note/, withReview({ refused: [note] })],
  ['policy', /2 notes/, withReview({ references: [note], hosts: [{ host: 'x.example', path: 'a.md', line: 1 }] })],
  // The project says that it expects these.
  ['', /^$/, withReview({ expected: [note] })],
  [
    'losses',
    /1 page lost/,
    withReview({ losses: [{ path: 'a.md', headings: ['A'], codeBlocks: [], fields: [], words: null }] }),
  ],
  ['not_grounded', /^1 name or value could not/, withReview({ grounding: notFound })],
  ['not_grounded', /^2 names or values/, withReview({ grounding: { ...notFound, notJudged: 1 } })],
  ['', /^$/, withReview({ grounding: { judged: 3, notJudged: 0, missing: 0 } })],
  ['asked_already', /^Asked\.$/, withOwn({ asked: { code: 'asked_already', message: 'Asked.' } })],
  ['merge_refused', /^No\.$/, withOwn({ asked: { code: 'merge_refused', message: 'No.' } })],
  ['pull_not_open', /is closed/, withPull({ state: 'closed' })],
  ['draft', /a draft/, withPull({ draft: true })],
  ['base_changed', /`next`/, withPull({ base: 'next' })],
  [
    'commit_not_checked',
    /not the commit that was checked/,
    withPull({ head: { branch: 'docent/1', commit: 'other' } }),
  ],
  ['commit_not_checked', /not the commit/, withPull({ head: { branch: 'docent/1', commit: '' } })],
  ['check_failed', /^Not passed: lint\.$/, withForge({ checks: known([{ name: 'lint', state: 'red' }]) })],
  ['check_pending', /^Not finished: lint\.$/, withForge({ checks: known([{ name: 'lint', state: 'pending' }]) })],
  ['check_pending', /ten minutes/, withForge({ checks: nothing, waitedMs: checksAppearMs - 1 })],
  ['no_checks', /`mergeWithoutChecks`/, withForge({ checks: nothing, waitedMs: checksAppearMs })],
  ['no_checks', /`mergeWithoutChecks`/, withForge({ checks: nothing, hasChecks: false })],
  ['check_pending', /ten minutes/, { ...withForge({ checks: nothing, waitedMs: checksAppearMs - 1 }), own: trusting }],
  ['', /^$/, { ...withForge({ checks: nothing, waitedMs: checksAppearMs }), own: trusting }],
  ['', /^$/, { ...withForge({ checks: nothing, hasChecks: false }), own: trusting }],
  ['not_known', /^May not\.$/, { ...withForge({ checks: unknown('May not.') }), own: trusting }],
  ['changes_requested', /^ada, eve requested/, withForge({ changesRequested: known(['ada', 'eve']) })],
  [
    'changes_requested',
    /^a\ufffd, b, c, d, e requested/,
    withForge({ changesRequested: known(['a\u0000', 'b', 'c', 'd', 'e', 'f']) }),
  ],
  ['not_known', /^Who\?$/, withForge({ changesRequested: unknown('Who?') })],
  ['open_threads', /^1 thread of reviews is/, withForge({ openThreads: known(1) })],
  ['not_known', /^How many\?$/, withForge({ openThreads: unknown('How many?') })],
  ['forge_not_ready', /^It conflicts\.$/, withForge({ refusal: known('It conflicts.') })],
  ['not_known', /^Not yet\.$/, withForge({ refusal: unknown('Not yet.') })],
  ['commit_not_checked', /not the commit/, withGit({ head: null })],
  ['commit_of_others', /2 commits that the job did not/, withGit({ others: 2 })],
  ['conflict', /in `a\.md`\.$/, withGit({ conflicts: ['a.md', 'b.md'] })],
]

suite('mergeObstacles', () => {
  test('each fact that is not fine is an obstacle of its own, with a sentence', () => {
    for (const [codes, message, facts] of table) {
      const found = mergeObstacles(facts)
      assert.equal(found.map(({ code }) => code).join(), codes, JSON.stringify(facts))
      assert.match(found.map((one) => one.message).join(), message)
    }
    const seen = new Set(table.flatMap(([codes]) => codes.split(',')))
    assert.deepEqual(
      obstacleCodes.filter((code) => !seen.has(code)),
      [],
      'a code has no case',
    )
  })

  test('facts that were not asked for are no obstacles, and no others are lost', () => {
    assert.deepEqual(mergeObstacles({ own }), [])
    const all = mergeObstacles({
      own: { ...own, unfinished: 'The job is active.' },
      forge: { ...forge, pull: { ...forge.pull, draft: true } },
      git: { ...git, others: 1 },
    })
    assert.deepEqual(
      all.map(({ code }) => code),
      ['job_not_completed', 'draft', 'commit_of_others'],
    )
  })
})
