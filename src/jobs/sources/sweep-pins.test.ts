import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addProject, addRunningRun } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createRemote, signal, testGit } from '../../../test/support/git-remote.ts'
import { createId } from '../../lib/id.ts'
import { endRun } from '../queue/runs.ts'
import { sweepPins } from './sweep-pins.ts'

test('pins of ended runs go, those of others stay', async (t) => {
  const postgres = await openTestDatabase()
  const { db } = postgres
  t.after(() => postgres.close())
  const remote = createRemote(t)
  const commit = remote.commit('main', { 'a.md': 'a' })
  const git = await testGit(t)
  const [id, project_id] = [createId('src'), await addProject(db)]
  const now = new Date()
  const row = { id, project_id, name: 'api', repository: remote.directory, created_at: now, updated_at: now }
  await db
    .insertInto('sources')
    .values({ ...row, branch: null, paths: '[]', access: null })
    .execute()
  const runs = [(await addRunningRun(db, project_id)).runId, (await addRunningRun(db, project_id)).runId]
  const source = git.source(id, remote.directory)
  await source.fetch({ branch: 'main', isVisible: () => true }, signal())
  for (const name of [...runs, 'run_gone']) await source.pin(name, commit)
  await db.transaction().execute((trx) => endRun(trx, runs[0] ?? ''))
  await sweepPins(db, git)
  assert.deepEqual([...(await source.pins()).keys()], [runs[1]])
})
