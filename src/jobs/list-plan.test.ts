// The first page of a list on the embedded database, whose planner is not the one of a server.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import { addJob, addProject } from '../../test/support/database.ts'
import { openCopy } from '../../test/support/template.ts'
import { systemClock } from '../lib/clock.ts'
import type { Db, Postgres } from '../postgres/types.ts'
import { listJobs } from './list.ts'

let postgres: Postgres
let projectId: string

before(async () => {
  postgres = await openCopy()
  projectId = await addProject(postgres.db)
  await addJob(postgres.db, projectId)
})
after(() => postgres.close())

/** Copies of the first job, each with versions of its run that are dead. */
async function addJobs(db: Db, from: number, to: number): Promise<void> {
  const numbers = sql`generate_series(${from}::int, ${to}::int) as n`
  await sql`insert into jobs (id, project_id, status, phase, repository, branch, model, created_at, updated_at)
    select 'job_' || left(md5(n::text), 20), project_id, 'active', 'queued', repository, branch, model, created_at, updated_at
    from jobs, ${numbers} where ordinal = 1`.execute(db)
  await sql`insert into messages (id, job_id, prompt, created_at)
    select 'msg_' || left(md5(n::text), 20), 'job_' || left(md5(n::text), 20), prompt, created_at
    from messages, ${numbers} where ordinal = 1`.execute(db)
  await sql`insert into runs (id, job_id, number, state, available_at, created_at, started_at)
    select 'run_' || left(md5(n::text), 20), 'job_' || left(md5(n::text), 20), 1, 'waiting', now(), now(), now()
    from ${numbers}`.execute(db)
  for (let beat = 0; beat < 3; beat += 1) await sql`update runs set available_at = now()`.execute(db)
}

/** The pages of tables and indexes that the statements of the list read, and their plans. */
async function explainList(db: Db) {
  const compiled: CompiledQuery[] = []
  const watched = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      compiled.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  const context = { db: watched, clock: systemClock, modelId: 'test/model', publicUrl: 'http://x' }
  const { jobs } = await listJobs(context, projectId, { status: undefined, limit: 100, cursor: undefined })
  assert.equal(jobs.length, 100)
  const plans: string[] = []
  for (const query of compiled) {
    const explained = { ...query, sql: `explain (analyze, buffers) ${query.sql}` }
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explained)
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  const pages = plans.map((plan) => Number(/Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(plan)?.[1]))
  return { plan: plans.join('\n'), pages: pages.reduce((sum, one) => sum + one, 0), statements: plans.length }
}

test('the first page of a list reads as much from 10,000 jobs as from 200', async (t) => {
  const { db } = postgres
  await addJobs(db, 1, 200)
  const few = await explainList(db)
  await addJobs(db, 201, 10_000)
  const many = await explainList(db)
  const start = performance.now()
  await postgres.tidy?.(t.signal)
  t.diagnostic(`tidied in ${Math.round(performance.now() - start)} ms`)
  const tidied = await explainList(db)
  t.diagnostic(`pages read: ${few.pages}, ${many.pages}, ${tidied.pages}`)
  for (const { plan, statements } of [few, many, tidied]) {
    assert.equal(statements, 2)
    assert.doesNotMatch(plan, /Seq Scan/)
  }
  assert.ok(many.pages <= few.pages * 1.5, `${many.pages} pages instead of ${few.pages}`)
  assert.ok(tidied.pages <= few.pages * 1.5, `${tidied.pages} pages instead of ${few.pages}`)
})
