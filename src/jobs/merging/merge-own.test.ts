import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addProject, addRunningRun, completeRun, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { type Cleanup, createRemote, testGit } from '../../../test/support/git-remote.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { addMergingRun, type Wished } from '../../../test/support/merging-world.ts'
import { createOwnForge } from '../../forge/own/forge.ts'
import { createId } from '../../lib/id.ts'
import { createLog } from '../../lib/observability/log.ts'
import type { Postgres } from '../../postgres/types.ts'
import { pullJobs } from '../pulls/pull-jobs.ts'
import { mergeOwnPulls } from './merge-own.ts'
import { recordAsked } from './records.ts'
import { toMerging } from './show.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const minuteMs = 60_000
const trusting = { automation: { merge_without_checks: true } }

async function arrange(t: Cleanup, note = '') {
  const { db } = postgres
  const remote = createRemote(t)
  remote.commit('main', { 'index.md': '# Home\n' })
  const git = await testGit(t)
  const clock = createManualClock()
  const projectId = await addProject(db, remote.directory)
  const { signal } = new AbortController()
  const context = { db, git, clock, log: createLog('silent'), jobs: pullJobs, publicUrl: '', signal }
  const open = async (branch: string, wished: Wished = trusting) => {
    const baseCommit = remote.head('main') ?? ''
    remote.git(['branch', branch, 'main'])
    const headCommit = remote.commit(branch, { [`${branch.replace('/', '-')}.md`]: branch })
    const { jobId, ...claim } = await addRunningRun(db, projectId)
    const words = { title: 'Say more', body: 'Because.', note, facts: '', draft: false, labels: [], reviewers: [] }
    const proposal = { ...words, jobId, claim, branch, base: 'main', baseCommit, headCommit }
    const pull = await createOwnForge(context).propose(projectId, proposal)
    const run = await db.selectFrom('runs').selectAll().where('id', '=', claim.runId).executeTakeFirstOrThrow()
    await completeRun(toLeased(db, run), { change: { pull, baseCommit, headCommit } })
    await addMergingRun(db, { jobId, branch, head: headCommit }, wished)
    return { jobId, head: headCommit }
  }
  const job = (id: string) => db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  /** One minute later, as one process does it. */
  const look = async (jobId: string, ms = minuteMs) => {
    await clock.pass(ms)
    await mergeOwnPulls(context)
    const shown = toMerging(await job(jobId))
    return shown?.state === 'waiting' ? shown.obstacles.map(({ code }) => code).join() : (shown?.state ?? 'nobody')
  }
  return { db, remote, git, clock, context, open, job, look }
}

test('one is merged at its commit if its automation needs no checks, by one process', async (t) => {
  const { remote, context, clock, open, look } = await arrange(t)
  const { jobId, head } = await open('docent/1')
  const careful = await open('docent/2', {})
  await clock.pass(minuteMs)
  await Promise.all([mergeOwnPulls(context), mergeOwnPulls(context)])
  assert.equal(remote.head('main'), head)
  assert.equal(await look(jobId), 'merged')
  assert.equal(await look(careful.jobId), 'no_checks')
})

test('a push of a person, and a note for the reviewer, make it wait', async (t) => {
  const { remote, open, look } = await arrange(t)
  const { jobId } = await open('docent/1')
  const before = remote.head('main')
  remote.commit('docent/1', { 'theirs.md': 'theirs' })
  assert.equal(await look(jobId), 'commit_not_checked,commit_of_others')
  assert.equal(remote.head('main'), before)
  const noted = await arrange(t, '**Read** it.')
  const draft = await noted.open('docent/1')
  assert.equal(await noted.look(draft.jobId), 'draft')
})

test('one that waits is judged again after a minute, until people merge it', async (t) => {
  const { db, open, look, job } = await arrange(t, '**Read** it.')
  const { jobId } = await open('docent/1', {})
  assert.equal(await look(jobId), 'draft,no_checks')
  await db.updateTable('automations').set({ enabled: false }).execute()
  assert.equal(await look(jobId, minuteMs - 1), 'draft,no_checks')
  assert.equal(await look(jobId, 1), 'automation_stopped')
  await db.updateTable('automations').set({ update_mode: 'pull_request' }).execute()
  assert.equal(await look(jobId), 'nobody')
  assert.equal((await job(jobId)).merging, null)
})

test('a change between the decision and the request stops it', async (t) => {
  const { db, clock, open, look, job } = await arrange(t)
  const { jobId, head } = await open('docent/1', {})
  await look(jobId)
  const judged = await job(jobId)
  const ask = () => recordAsked(db, judged, { jobId, commit: head }, clock.now())
  const ofJob = () => db.updateTable('jobs').where('id', '=', jobId)
  await ofJob().set({ status: 'active', phase: 'queued' }).execute()
  assert.equal(await ask(), false, 'a run has begun')
  await ofJob()
    .set({ status: 'completed', phase: null, head_commit: 'a'.repeat(40) })
    .execute()
  assert.equal(await ask(), false, 'another commit')
  await ofJob().set({ head_commit: head, pull_state: 'closed' }).execute()
  assert.equal(await ask(), false, 'closed')
  await ofJob().set({ pull_state: 'open' }).execute()
  await db.updateTable('automations').set({ enabled: false }).execute()
  assert.equal(await ask(), false, 'paused')
  await db.updateTable('automations').set({ enabled: true }).execute()
  const { project_id: projectId } = judged
  const written = { project_id: projectId, thread: 'pull', number: 1, kind: 'comment', entry_kind: 'comment' } as const
  const calls = { author_id: '1', author: 'ada', at: clock.now(), text: '/docent No.', link: '', job_id: jobId }
  const comment = { id: createId('men'), forge: 'github', forge_id: '1', entry_id: '1', ...written, ...calls }
  await db.insertInto('mentions').values(comment).execute()
  assert.equal(await ask(), false, 'a comment waits')
  await db.deleteFrom('mentions').where('job_id', '=', jobId).execute()
  assert.equal(await ask(), true)
})

test('after a process died while it merged, the branch shows what became of it', async (t) => {
  const { db, remote, clock, open, look, job } = await arrange(t)
  const { jobId, head } = await open('docent/1', {})
  await look(jobId)
  const judged = await job(jobId)
  assert.ok(await recordAsked(db, judged, { jobId, commit: head }, clock.now()))
  // A process that has judged before that one asked.
  assert.equal(await recordAsked(db, judged, { jobId, commit: head }, clock.now()), false)
  await db.updateTable('automations').set({ merge_without_checks: true }).execute()
  assert.equal(await look(jobId), 'asked', 'another process may be at it')
  assert.equal(await look(jobId), 'merge_refused')
  assert.equal(await look(jobId, 10 * minuteMs), 'merged')
  assert.equal(remote.head('main'), head)
  const other = await open('docent/2')
  const row = await job(other.jobId)
  await db
    .insertInto('merges')
    .values({ job_id: other.jobId, head_commit: other.head, state: 'waiting', seen_at: clock.now() })
    .execute()
  assert.ok(await recordAsked(db, row, { jobId: other.jobId, commit: other.head }, clock.now()))
  remote.git(['update-ref', 'refs/heads/main', other.head])
  assert.equal(await look(other.jobId, 2 * minuteMs), 'merged')
})
