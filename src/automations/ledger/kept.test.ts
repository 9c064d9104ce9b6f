// The ledger that the database keeps is what the rows of automations, runs and jobs say, whatever is written, in any order.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { addJob, addProject } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { createRandom, type Random } from '../../../test/support/random.ts'
import { createId } from '../../lib/id.ts'
import type { Db, Postgres } from '../../postgres/types.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const commits = Array.from({ length: 8 }, (_, at) => String(at).repeat(40))
const states = ['waiting', 'in_run', 'skipped', 'set_aside'] as const

type Kept = {
  readonly repository_id: string
  readonly commit: string
  readonly automation_id: string
  readonly state: string
}

/** The definition: the best state of each commit of a followed repository. */
async function expected(db: Db): Promise<readonly Kept[]> {
  const { rows } =
    await sql<Kept>`select distinct on (repository_id, commit) repository_id, commit, automation_id, state from (
      select p.repository_id, c.commit, c.automation_id, c.ordinal, case when c.state <> 'in_run' then c.state
        when r.settled_at is null or r.has_question or j.pull_state is null then 'waiting'
        when j.pull_state = 'closed' then 'rejected' else 'documented' end as state
      from automation_commits c join automations a on a.id = c.automation_id join automation_positions p on p.automation_id = a.id
        left join automation_runs r on r.id = c.run_id left join jobs j on j.id = r.job_id
      where c.left_at is null and a.trigger::jsonb ->> 'type' = 'code') every
    order by repository_id, commit, array_position(array['documented', 'rejected', 'set_aside', 'waiting', 'skipped'], state), ordinal`.execute(
      db,
    )
  return rows
}

async function kept(db: Db): Promise<readonly Kept[]> {
  const { rows } = await sql<Kept>`select repository_id, commit, automation_id, state from ledger_commits
    order by repository_id, commit`.execute(db)
  return rows
}

async function addAutomation(db: Db, projectId: string, repositoryId: string, type = 'code'): Promise<string> {
  const id = createId('aut')
  const at = new Date()
  const trigger = JSON.stringify({ type, source: repositoryId === projectId ? null : 'api', paths: [], when: 'merge' })
  const text = { name: id, trigger, instructions: '"x"', scope: '[]', budgets: '{}', caps: '{}' }
  await db
    .insertInto('automations')
    .values({ id, project_id: projectId, ...text, update_mode: 'draft', enabled: true, created_at: at, updated_at: at })
    .execute()
  const place = { repository_id: repositoryId, repository: 'https://example.com/api.git', branch: 'main' }
  await db
    .insertInto('automation_positions')
    .values({ automation_id: id, ...place })
    .execute()
  return id
}

type World = {
  readonly db: Db
  readonly random: Random
  readonly projectId: string
  readonly jobs: readonly string[]
  readonly automations: string[]
  readonly runs: readonly string[]
}

async function arrange(db: Db, random: Random): Promise<World> {
  await db.deleteFrom('projects').execute()
  const projectId = await addProject(db)
  const jobs = [await addJob(db, projectId), await addJob(db, projectId), await addJob(db, projectId)]
  const automations = [await addAutomation(db, projectId, projectId, 'docs')]
  for (const repository of ['src_a', 'src_a', 'src_a', projectId]) {
    automations.push(await addAutomation(db, projectId, repository))
  }
  const runs = automations.flatMap((id) =>
    jobs.map((jobId) => ({ id: createId('aru'), automation_id: id, job_id: jobId })),
  )
  const rows = runs.map((run) => ({ ...run, trigger: 'code', created_at: new Date() }) as const)
  await db.insertInto('automation_runs').values(rows).execute()
  return { db, random, projectId, jobs, automations, runs: runs.map(({ id }) => id) }
}

/** Changes something. */
async function step(world: World): Promise<unknown> {
  const { db, random, projectId, jobs, automations, runs } = world
  const pick = (from: readonly string[]) => from[random.int(from.length)] ?? ''
  const some = commits.filter(() => random.chance(0.4))
  const at = new Date()
  const ofSome = db
    .updateTable('automation_commits')
    .where('automation_id', '=', pick(automations))
    .where(sql<boolean>`commit = any(${some}::text[])`)
  const kind = random.int(11)
  if (kind < 2 && some.length > 0) {
    const facts = { automation_id: pick(automations), subject: 's', author: 'a', committed_at: at, seen_at: at }
    return await db
      .insertInto('automation_commits')
      .values(some.map((commit) => ({ ...facts, commit, parent: null, state: 'waiting' }) as const))
      .onConflict((on) => on.columns(['automation_id', 'commit']).doUpdateSet({ left_at: null }))
      .execute()
  }
  if (kind < 5) {
    const state = random.pick(states)
    return await ofSome.set({ state, run_id: state === 'in_run' ? pick(runs) : null }).execute()
  }
  if (kind < 6) return await ofSome.set({ left_at: random.chance(0.5) ? at : null }).execute()
  if (kind < 8) {
    const settled = db
      .updateTable('automation_runs')
      .set({ settled_at: random.chance(0.8) ? at : null, has_question: random.chance(0.2) })
    return await settled.where('id', 'in', [pick(runs), pick(runs), pick(runs)]).execute()
  }
  if (kind < 10) {
    const set = { pull_state: random.pick(['open', 'merged', 'closed', null] as const) }
    return await db.updateTable('jobs').set(set).where('id', '=', pick(jobs)).execute()
  }
  if (random.chance(0.9)) return undefined
  const [id = ''] = automations.splice(random.int(automations.length), 1)
  await db.deleteFrom('automations').where('id', '=', id).execute()
  return automations.push(await addAutomation(db, projectId, random.pick(['src_a', projectId])))
}

for (const seed of [1, 2, 3]) {
  test(`the ledger is what its rows say after each of many changes, seed ${seed}`, async () => {
    const world = await arrange(postgres.db, createRandom(seed))
    const seen = new Set<unknown>()
    for (let at = 0; at < 120; at += 1) {
      await step(world)
      const rows = await kept(world.db)
      assert.deepEqual(rows, await expected(world.db))
      for (const { state } of rows) seen.add(state)
    }
    assert.equal(seen.size, 5)
    await world.db.deleteFrom('projects').where('id', '=', world.projectId).execute()
    assert.deepEqual(await kept(world.db), [])
  })
}

async function readSoFar(db: Db): Promise<number> {
  const { rows } = await sql<{
    read: number
  }>`select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables
    where relname in ('automation_commits', 'ledger_commits')`.execute(db)
  return rows[0]?.read ?? 0
}

test('a change reads its own commits only, over a connection that saw the tables empty', async () => {
  const { db, jobs, automations, runs } = await arrange(postgres.db, createRandom(4))
  const [automationId = '', runId = '', jobId = ''] = [automations[1], runs[3], jobs[0]]
  await db.connection().execute(async (connection) => {
    const add = (from: number, to: number) =>
      sql`insert into automation_commits
        (automation_id, commit, subject, author, committed_at, state, run_id, seen_at)
      select ${automationId}, lpad(n::text, 40, '0'), 's', 'a', now(), case when n % 100 = 0 then 'in_run' else 'waiting' end,
        case when n % 100 = 0 then ${runId} end, now()
      from generate_series(${sql.lit(from)}, ${sql.lit(to)}) n`.execute(connection)
    // PostgreSQL decides on a plan that it keeps after five calls.
    const change = async (n: number) => {
      await add(n, n)
      const settled = { settled_at: new Date(n) }
      await connection.updateTable('automation_runs').set(settled).where('id', '=', runId).execute()
      await connection
        .updateTable('jobs')
        .set({ pull_state: n % 2 === 0 ? 'open' : 'merged' })
        .where('id', '=', jobId)
        .execute()
    }
    for (let n = 1; n <= 8; n += 1) await change(n)
    await add(1_000, 6_000)
    await connection.transaction().execute(async (trx) => {
      const before = await readSoFar(trx)
      const ofOne = trx.updateTable('automation_commits').where('automation_id', '=', automationId)
      await ofOne.set({ state: 'skipped' }).where('commit', '=', '1001'.padStart(40, '0')).execute()
      const read = (await readSoFar(trx)) - before
      assert.ok(read > 0 && read < 100, `${read} rows were read`)
    })
  })
  assert.deepEqual(await kept(db), await expected(db))
})
