// Kills the service at random moments while it starts what was due during its absence: each slot has one run and one job.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { parseConfig } from '../../src/config/config.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import type { Db } from '../../src/postgres/types.ts'
import { type Arranged, arrange } from './arrange.ts'
import { rounds } from '../support/rounds.ts'
import { withDatabase } from '../support/stopped-database.ts'
import { startProcess } from './crashing-service.ts'

const count = rounds(12)
let arranged: Arranged

before(async () => {
  arranged = await arrange()
})
after(() => arranged.close())

test('a service that is killed while it starts due automations starts each once', async () => {
  const first = await startProcess(arranged.environment)
  const operator = openSocketApi(parseConfig(arranged.environment))
  const { projectId } = arranged.connectTo([first.address])
  for (let at = 0; at < count; at += 1) {
    const trigger = { type: 'schedule', cron: '0 0 1 1 *' }
    const body = { name: `a${at}`, trigger, instructions: `page automated-${at}` }
    await operator.send('POST', `/v1/projects/${projectId}/automations`, body)
  }
  await first.kill()
  // As if the service had been off until now.
  const shift = sql`interval '2 years'`
  await withDatabase(arranged.environment, (db) =>
    sql`update automations set next_slot = next_slot - ${shift}, next_run_at = next_run_at - ${shift}`.execute(db),
  )
  const started: number[] = []
  for (let kill = 0; kill < rounds(3); kill += 1) {
    const process = await startProcess(arranged.environment)
    await delay(Math.random() * 300)
    await process.kill()
    started.push(await withDatabase(arranged.environment, countRuns))
  }
  const last = await startProcess(arranged.environment)
  const { automations } = JSON.parse((await operator.send('GET', `/v1/projects/${projectId}/automations`)).body) as {
    readonly automations: readonly { readonly nextRunAt: string | null }[]
  }
  assert.ok(automations.every(({ nextRunAt }) => nextRunAt !== null))
  while ((await unstarted()) > 0) await delay(50)
  await last.kill()
  await withDatabase(arranged.environment, async (db) => {
    const { rows } = await sql<{ runs: number; slots: number; jobs: number }>`select count(*)::int as runs,
      count(distinct (automation_id, slot))::int as slots, count(distinct job_id)::int as jobs
      from automation_runs`.execute(db)
    assert.deepEqual(rows, [{ runs: count, slots: count, jobs: count }], started.join())
    const jobs = await db.selectFrom('jobs').select(['id', 'origin']).execute()
    assert.deepEqual([jobs.length, jobs.filter(({ origin }) => origin?.includes('automation')).length], [count, count])
    const messages = await db.selectFrom('messages').select('job_id').execute()
    assert.equal(new Set(messages.map(({ job_id: id }) => id)).size, count)
  })

  async function unstarted(): Promise<number> {
    const { body } = await operator.send('GET', `/v1/projects/${projectId}/automations`)
    const listed = JSON.parse(body) as { readonly automations: readonly { readonly lastRun: unknown }[] }
    return listed.automations.filter(({ lastRun }) => lastRun === null).length
  }
})

async function countRuns(db: Db): Promise<number> {
  return (await db.selectFrom('automation_runs').select('id').execute()).length
}
