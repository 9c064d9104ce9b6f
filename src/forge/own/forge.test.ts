import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addJob, addProject, addRunningRun, claimNext, completeRun, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { Git, Repository } from '../../git/types.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { toJobResponse } from '../../jobs/response.ts'
import { createOwnForge } from './forge.ts'
import { mergePull } from './pulls.ts'
import { pullJobs } from '../../jobs/pulls/pull-jobs.ts'

const { signal } = new AbortController()
const plain = { title: 'Fix', body: 'Because.', note: '', facts: '', draft: false, labels: [], reviewers: [] }

let postgres: Postgres
let db: Db
before(async () => {
  postgres = await openTestDatabase()
  db = postgres.db
})
after(() => postgres.close())

test('a request for a pull request of a silent repository can be aborted', async () => {
  const asked = Promise.withResolvers<void>()
  const repository: Pick<Repository, 'fetch'> = {
    fetch: (_, signal) => {
      asked.resolve()
      const { promise, reject } = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      return promise
    },
  }
  const git = { repository: () => repository } as unknown as Git
  const forge = createOwnForge({ db, git, jobs: pullJobs, publicUrl: '' })
  const projectId = await addProject(db)
  const { jobId, ...claim } = await addRunningRun(db, projectId)
  const words = { ...plain, branch: 'docent/1', base: 'main' }
  const proposal = { ...words, jobId, claim, baseCommit: 'a', headCommit: 'b' }
  const pull = await forge.propose(projectId, proposal)
  const stop = new AbortController()
  const looking = forge.get(projectId, pull, stop.signal)
  await asked.promise
  stop.abort(new Error('the run was cancelled'))
  await assert.rejects(looking, /the run was cancelled/)
})

test('a pull request is a draft as long as a reviewer must know something first', async () => {
  const forge = createOwnForge({ db, git: {} as Git, jobs: pullJobs, publicUrl: '' })
  const projectId = await addProject(db)
  const { jobId, ...claim } = await addRunningRun(db, projectId)
  const proposal = { ...plain, branch: 'docent/1', base: 'main', jobId, claim, baseCommit: 'a', headCommit: 'b' }
  assert.equal((await forge.propose(projectId, proposal))?.draft, false)
  assert.equal((await forge.propose(projectId, { ...proposal, note: '**Read** it.' }))?.draft, true)
  assert.equal((await forge.propose(projectId, proposal))?.draft, false)
})

test('a run that was taken over neither opens nor closes a pull request', async () => {
  const forge = createOwnForge({ db, git: {} as Git, jobs: pullJobs, publicUrl: '' })
  const projectId = await addProject(db)
  const { jobId, ...claim } = await addRunningRun(db, projectId)
  const lost = { ...claim, fence: claim.fence + 1 }
  const words = { ...plain, branch: 'docent/1', base: 'main' }
  const proposal = { ...words, jobId, claim, baseCommit: 'a', headCommit: 'b' }
  await assert.rejects(forge.propose(projectId, { ...proposal, claim: lost }), /was taken over/)
  assert.deepEqual(await db.selectFrom('pulls').selectAll().where('project_id', '=', projectId).execute(), [])
  const pull = await forge.propose(projectId, proposal)
  const state = async () =>
    (await db.selectFrom('pulls').select('state').where('project_id', '=', projectId).executeTakeFirstOrThrow()).state
  await assert.rejects(forge.close(projectId, pull, lost, signal), /was taken over/)
  assert.equal(await state(), 'open')
  await forge.close(projectId, pull, claim, signal)
  assert.equal(await state(), 'closed')
})

test('a pull request that ends before or after its run is shown on the job at once', async () => {
  const forge = createOwnForge({ db, git: {} as Git, jobs: pullJobs, publicUrl: '' })
  const projectId = await addProject(db)
  const propose = async (branch: string) => {
    const jobId = await addJob(db, projectId)
    const run = (await claimNext(db)) ?? assert.fail('no run waits')
    const claim = { runId: run.id, fence: run.fence }
    const proposal = { ...plain, branch, base: 'main', jobId, claim, baseCommit: 'a', headCommit: branch }
    return { jobId, run, claim, pull: await forge.propose(projectId, proposal) }
  }
  const read = (id: string) => db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const merge = (number: number) => {
    const context = { db, git: mergingGit, jobs: pullJobs, publicUrl: '' }
    return mergePull(context, { projectId, number }, signal)
  }

  const early = await propose('docent/1')
  await merge(early.pull.number)
  const change = { pull: early.pull, baseCommit: 'a', headCommit: 'b' }
  await completeRun(toLeased(db, early.run), { change })
  const shown = toJobResponse(await read(early.jobId), 'https://docent.example').pullRequest
  assert.deepEqual([shown?.number, shown?.state, shown?.draft], [1, 'merged', false])
  assert.match(shown?.url ?? '', /^https:\/\/docent\.example\/pulls\//)
  assert.ok(shown?.mergedAt)

  const late = await propose('docent/2')
  await completeRun(toLeased(db, late.run), { change: { ...change, pull: late.pull } })
  const before = await read(late.jobId)
  assert.deepEqual([before.pull_state, before.pull_merged_at], ['open', null])
  await merge(late.pull.number)
  const after = await read(late.jobId)
  assert.deepEqual([after.pull_state, after.version > before.version], ['merged', true])
  assert.ok(after.pull_merged_at)
})

test('a merge is tried three times while people push to the base', async () => {
  const pushes = { count: 0, refused: 2 }
  const git = {
    repository: () => ({
      fetch: async () => ({ base: { branch: 'main', commit: 'm' }, heads: new Map() }),
      contains: async () => true,
      isAncestor: async () => false,
      merge: async () => ({ kind: 'clean', commit: 'c' }),
      push: async () => ({ kind: (pushes.count += 1) > pushes.refused ? 'pushed' : 'moved' }),
    }),
  } as unknown as Git
  const context = { db, git, jobs: pullJobs, publicUrl: '' }
  const projectId = await addProject(db)
  const propose = async (branch: string) => {
    const { jobId, ...claim } = await addRunningRun(db, projectId)
    const proposal = { ...plain, branch, base: 'main', jobId, claim, baseCommit: 'a', headCommit: branch }
    return createOwnForge(context).propose(projectId, proposal)
  }
  const merged = await mergePull(context, { projectId, number: (await propose('docent/1')).number }, signal)
  assert.deepEqual([merged.state, pushes.count], ['merged', 3])
  Object.assign(pushes, { count: 0, refused: 3 })
  const merging = mergePull(context, { projectId, number: (await propose('docent/2')).number }, signal)
  await assert.rejects(merging, {
    code: 'merge_conflict',
    message: 'main moves faster than it can be merged; try again.',
  })
  assert.equal(pushes.count, 3)
})

/** A repository whose base contains every head. */
const mergingGit = {
  repository: () => ({
    fetch: async () => ({ base: { branch: 'main', commit: 'm' }, heads: new Map() }),
    contains: async () => true,
    isAncestor: async () => true,
  }),
} as unknown as Git
