// Kills the service at random moments while commits reach the branch that an automation follows: each commit is in one run, and each
// run has one job.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { parseConfig } from '../../src/config/config.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import type { Db } from '../../src/postgres/types.ts'
import { addCommit } from '../support/bare-repository.ts'
import { person } from '../support/git-remote.ts'
import { git } from '../support/repository.ts'
import { withDatabase } from '../support/stopped-database.ts'
import { type Arranged, arrange } from './arrange.ts'
import { startProcess } from './crashing-service.ts'

const kills = 8
let arranged: Arranged

before(async () => {
  arranged = await arrange()
})
after(() => arranged.close())

test('a service that is killed while it follows a branch gives each commit to one run', async () => {
  const { environment, repository } = arranged
  const first = await startProcess(environment)
  const operator = openSocketApi(parseConfig(environment))
  const { projectId } = arranged.connectTo([first.address])
  const path = `/v1/projects/${projectId}/automations`
  // Its jobs write a page, whatever the words about the commits are.
  const body = { name: 'Follow', trigger: { type: 'docs', paths: [] }, instructions: 'page automated as always' }
  await operator.send('POST', path, body)
  while ((await position()).commit === null) await delay(50)
  const start = await git(repository, 'rev-parse', 'main')
  await first.kill()
  for (let kill = 0; kill < kills; kill += 1) {
    for (let at = 0; at <= kill % 3; at += 1) {
      addCommit(repository, {
        branch: 'main',
        files: { 'news.md': `${kill} ${at}` },
        message: `News ${kill} ${at}`,
        person,
      })
    }
    await withDatabase(environment, lookAtOnce)
    const process = await startProcess(environment)
    await delay(Math.random() * 1_500)
    await process.kill()
  }
  await withDatabase(environment, lookAtOnce)
  const last = await startProcess(environment)
  const head = await git(repository, 'rev-parse', 'main')
  for (let seen = await position(); seen.commit !== head || seen.waiting > 0; seen = await position()) await delay(100)
  while (await isActive()) await delay(100)
  await last.kill()
  await withDatabase(environment, async (db) => {
    const wanted = (await git(repository, 'rev-list', '--first-parent', `${start}..main`)).split('\n')
    const commits = await db.selectFrom('automation_commits').selectAll().execute()
    assert.deepEqual(commits.map(({ commit }) => commit).toSorted(), wanted.toSorted())
    const runs = await db.selectFrom('automation_runs').selectAll().execute()
    const jobs = await db.selectFrom('jobs').select('id').execute()
    assert.deepEqual(runs.map(({ job_id: id }) => id ?? '').toSorted(), jobs.map(({ id }) => id).toSorted())
    const ids = new Set(runs.map(({ id }) => id))
    assert.ok(commits.every(({ state, run_id: id }) => state === 'in_run' && ids.has(id ?? '')))
    // No run is without a commit.
    assert.equal(new Set(commits.map(({ run_id: id }) => id)).size, runs.length)
  })

  async function position() {
    const { automations } = JSON.parse((await operator.send('GET', path)).body) as {
      readonly automations: readonly {
        readonly position: { readonly commit: string | null; readonly waiting: number }
      }[]
    }
    assert(automations[0])
    return automations[0].position
  }
  async function isActive(): Promise<boolean> {
    const { body: jobs } = await operator.send('GET', `/v2/agent/${projectId}/jobs?status=active`)
    return (JSON.parse(jobs) as { readonly jobs: readonly unknown[] }).jobs.length > 0
  }
})

/** A slow machine would kill one run more often than a run is started. */
async function lookAtOnce(db: Db): Promise<void> {
  await sql`update runs set attempts = 0`.execute(db)
  await sql`update followed_repositories set look_after = now(), claimed_until = null`.execute(db)
}
