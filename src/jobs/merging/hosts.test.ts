// The same decision on every other host: it waits for a check and for people, and merges the commit that was checked.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { isMerge, mergingWorld } from '../../../test/support/merging-world.ts'
import type { Postgres } from '../../postgres/types.ts'
import { sampled } from '../../../test/support/rounds.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

type Case = {
  readonly green: string
  readonly pending: string
  readonly red: string
  readonly body: (head: string) => unknown
  /** How it refuses another commit than the one that was asked for. */
  readonly moved: RegExp
}

const cases = {
  gitlab: {
    green: 'success',
    pending: 'running',
    red: 'failed',
    body: (head) => ({ sha: head }),
    moved: /SHA does not match/,
  },
  gitea: {
    green: 'success',
    pending: 'pending',
    red: 'warning',
    body: (head) => ({ Do: 'squash', head_commit_id: head }),
    moved: /head out of date/,
  },
  bitbucket: {
    green: 'SUCCESSFUL',
    pending: 'INPROGRESS',
    red: 'STOPPED',
    body: () => ({ type: 'pullrequest' }),
    moved: /Somebody pushed to the branch meanwhile/,
  },
  azure: {
    green: 'succeeded',
    pending: 'pending',
    red: 'error',
    body: (head) => ({ status: 'completed', lastMergeSourceCommit: { commitId: head } }),
    moved: /source branch has been modified/,
  },
} as const satisfies Record<string, Case>

for (const kind of sampled(['gitlab', 'gitea', 'bitbucket', 'azure'] as const)) {
  const { green, pending, red, body, moved } = cases[kind]
  suite(kind, () => {
    test('it waits for checks and people, and merges the commit that was checked', async (t) => {
      const { forge, remarks, open, look, asked } = await mergingWorld(t, postgres.db, kind)
      const { jobId, number, head } = await open()
      const says = async (state: string) => {
        remarks.verdicts.splice(0)
        remarks.verdict('status', head, { state })
        return look(jobId)
      }
      assert.equal(await says(pending), 'check_pending')
      assert.equal(await says(red), 'check_failed')
      remarks.review(number, { state: 'CHANGES_REQUESTED' }, [{}])
      assert.equal(await says(green), 'changes_requested,open_threads')
      remarks.review(number, { state: 'APPROVED' })
      assert.equal(await says(green), 'open_threads')
      remarks.resolve(remarks.of(number, 'line')[0]?.id ?? 0)
      assert.deepEqual(asked(), [])
      assert.equal(await says(green), 'asked')
      assert.deepEqual(asked(), [body(head)])
      assert.equal(forge.pull(number).state, 'merged')
      assert.equal(await look(jobId), 'merged')
      assert.equal(asked().length, 1)
    })

    test('a push just before the merge is not merged', async (t) => {
      const { forge, remarks, open, look, merging } = await mergingWorld(t, postgres.db, kind)
      const { jobId, number, head, branch } = await open()
      remarks.verdict('status', head, { state: green })
      // Bitbucket cannot name the commit: the head is read before.
      const reads = { left: 2 }
      forge.fault = ({ method, route }) => {
        const isRead = method === 'GET' && /pullrequests\/:\w+$/i.test(route)
        const isNow = kind === 'bitbucket' ? isRead && (reads.left -= 1) < 0 : isMerge(kind, route)
        if (isNow && forge.remote.head(branch) === head) forge.push(branch, { 'b.md': 'b' })
        return undefined
      }
      await look(jobId)
      assert.equal(forge.pull(number).state, 'open')
      forge.fault = undefined
      assert.equal(await look(jobId), 'merge_refused')
      assert.match((await merging(jobId))?.obstacles[0]?.message ?? '', moved)
    })

    test('a draft, a conflict and a missing check make it wait', async (t) => {
      const { forge, remarks, open, look, asked } = await mergingWorld(t, postgres.db, kind)
      const { jobId, number, head } = await open()
      assert.equal(await look(jobId), 'check_pending', 'no check has appeared')
      assert.equal(await look(jobId, 660), 'no_checks')
      remarks.verdict('status', head, { state: green })
      forge.pull(number).draft = true
      assert.match(await look(jobId), /^draft/)
      forge.pull(number).draft = false
      forge.push('main', { 'docent-m1.md': 'theirs' })
      await look(jobId)
      assert.equal(await look(jobId), kind === 'bitbucket' ? 'conflict' : 'forge_not_ready')
      assert.deepEqual(asked(), [])
    })
  })
}

test('a pipeline of the head is a check, one of merged results only if it is not green', async (t) => {
  const { remarks, open, look } = await mergingWorld(t, postgres.db, 'gitlab')
  const { jobId, head } = await open()
  const merged = 'f'.repeat(40)
  const says = async (commit: string, state: string) => {
    remarks.verdicts.splice(0)
    remarks.verdict('check', commit, { state })
    return await look(jobId, 660)
  }
  assert.equal(await says(merged, 'success'), 'check_pending')
  assert.equal(await says(merged, 'success'), 'no_checks')
  assert.equal(await says(merged, 'failed'), 'check_failed')
  assert.equal(await says(head, 'manual'), 'check_pending')
  assert.equal(await says(head, 'success'), 'asked')
})

test('a build of a policy is a check, and an approval that is there is none', async (t) => {
  const { remarks, open, look, clock } = await mergingWorld(t, postgres.db, 'azure')
  const { jobId, head } = await open()
  await clock.pass(660_000)
  await look(jobId)
  await clock.pass(660_000)
  assert.equal(await look(jobId), 'no_checks', 'the number of reviewers is no check')
  remarks.verdict('check', head, { state: 'running' })
  assert.equal(await look(jobId), 'check_pending')
  remarks.verdicts.splice(0)
  remarks.verdict('check', head, { state: 'approved' })
  assert.equal(await look(jobId), 'asked')
})
