// Things that happen to a project at the same moment: nothing waits for each other in a circle, and no job is of a repository
// that its project has not. On a server these run side by side, on the embedded engine one after another.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../test/support/engine.ts'
import { createJob } from '../jobs/create.ts'
import { sendMessage } from '../jobs/message.ts'
import { systemClock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import type { Postgres } from '../postgres/types.ts'
import { createKey, operator } from './keys.ts'
import { createProject, deleteProject, type ProjectsContext, updateProject } from './projects.ts'
import { rotateKey } from './rotate.ts'

let postgres: Postgres
let context: ProjectsContext
before(async () => {
  postgres = await openTestDatabase()
  const none = () => null
  context = {
    db: postgres.db,
    checkAddress: (address) => address,
    branchProblem: none,
    modelProblem: none,
    pageProblem: none,
    identity: { name: 'Docent', email: 'docent@localhost' },
  }
})
after(() => postgres.close())

const jobs = () => ({ db: postgres.db, clock: systemClock, modelId: 'm/m', publicUrl: '' })
const limit = { name: 'creates', quota: 20 } as const
const add = () => createProject(context, { name: 'x', repository: 'https://one.example' })
const create = (projectId: string) => createJob(jobs(), { projectId, prompt: 'x' }, undefined, limit)

/** The codes of what was refused. */
async function codesOf(works: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(works)
  return settled.flatMap((one) => {
    if (one.status === 'fulfilled') return []
    return [one.reason instanceof Failure ? one.reason.code : String(one.reason)]
  })
}

test('a job created during a change of the repository belongs to one of the two', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await add()
    const codes = await codesOf([
      create(id),
      updateProject(context, id, { repository: 'https://two.example' }),
      create(id),
      updateProject(context, id, { name: 'y' }),
    ])
    assert.ok(
      codes.every((code) => code === 'project_busy'),
      codes.join(),
    )
    const rows = await postgres.db
      .selectFrom('jobs')
      .innerJoin('projects', 'projects.id', 'jobs.project_id')
      .select(['jobs.repository as ofJob', 'projects.repository as ofProject'])
      .where('projects.id', '=', id)
      .execute()
    assert.equal(rows.length, 2)
    for (const row of rows) assert.equal(row.ofJob, row.ofProject)
  }
})

test('deleting a project during other work on it causes no deadlock', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await add()
    const made = await Promise.all([create(id), create(id)])
    const message = (jobId: string) =>
      sendMessage(jobs(), { projectId: id, jobId, prompt: 'y' }, undefined, { name: 'messages', quota: 20 })
    const codes = await codesOf([
      ...made.map(({ value }) => message(value.job.id)),
      deleteProject(postgres.db, id),
      ...made.map(({ value }) => message(value.job.id)),
      create(id),
      updateProject(context, id, { name: 'y' }),
    ])
    assert.ok(
      codes.every((code) => code === 'not_found'),
      codes.join(),
    )
    const left = await postgres.db.selectFrom('jobs').select('id').where('project_id', '=', id).execute()
    assert.deepEqual(left, [])
  }
})

test('many creates at once stay within the limit', async () => {
  const { id } = await add()
  const codes = await codesOf(Array.from({ length: 30 }, () => create(id)))
  assert.deepEqual(codes, Array(10).fill('rate_limited'))
})

test('when many rotations of a key start at once, one succeeds', async () => {
  const { id } = await createKey(postgres.db, operator, { ...operator, name: 'x' })
  const rotation = { keyId: id, overlapSeconds: 0, expiresAt: undefined }
  const codes = await codesOf(Array.from({ length: 8 }, () => rotateKey(postgres.db, operator, rotation)))
  assert.deepEqual(codes, Array(7).fill('key_not_active'))
})
