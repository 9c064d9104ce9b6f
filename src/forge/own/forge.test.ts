import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addProject, addRunningRun } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { Git, Repository } from '../../git/types.ts'
import { createOwnForge } from './forge.ts'

const { signal } = new AbortController()
const plain = { title: 'Fix', body: 'Because.', facts: '', draft: false, labels: [], reviewers: [] }

test('a request for a pull request of a silent repository can be aborted', async () => {
  const postgres = await openTestDatabase()
  const { db } = postgres
  try {
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
    const forge = createOwnForge({ db, git, publicUrl: '' })
    const projectId = await addProject(db)
    const { jobId, ...claim } = await addRunningRun(db, projectId)
    const words = { ...plain, branch: 'docent/1', base: 'main' }
    const proposal = { ...words, jobId, claim, baseCommit: 'a', headCommit: 'b' }
    const pull = await forge.propose(projectId, proposal, signal)
    const stop = new AbortController()
    const looking = forge.get(projectId, pull, stop.signal)
    await asked.promise
    stop.abort(new Error('the run was cancelled'))
    await assert.rejects(looking, /the run was cancelled/)
  } finally {
    await postgres.close()
  }
})

test('a run that was taken over neither opens nor closes a pull request', async () => {
  const postgres = await openTestDatabase()
  const { db } = postgres
  try {
    const forge = createOwnForge({ db, git: {} as Git, publicUrl: '' })
    const projectId = await addProject(db)
    const { jobId, ...claim } = await addRunningRun(db, projectId)
    const lost = { ...claim, fence: claim.fence + 1 }
    const words = { ...plain, branch: 'docent/1', base: 'main' }
    const proposal = { ...words, jobId, claim, baseCommit: 'a', headCommit: 'b' }
    await assert.rejects(forge.propose(projectId, { ...proposal, claim: lost }, signal), /was taken over/)
    assert.deepEqual(await db.selectFrom('pulls').selectAll().execute(), [])
    const pull = await forge.propose(projectId, proposal, signal)
    const state = async () =>
      (await db.selectFrom('pulls').select('state').where('project_id', '=', projectId).executeTakeFirstOrThrow()).state
    await assert.rejects(forge.close(projectId, pull, lost, signal), /was taken over/)
    assert.equal(await state(), 'open')
    await forge.close(projectId, pull, claim, signal)
    assert.equal(await state(), 'closed')
  } finally {
    await postgres.close()
  }
})
