// Measures the ledger of a project with 500,000 rows: 100 automations that have followed 5,000 commits each, on the embedded database. All of them
// follow one source, then five each of 20 sources. Run it with `node bench/ledger.ts`.

import { sql } from 'kysely'
import { readThreshold } from '../src/automations/ledger/calibrate.ts'
import { countStates, readLedger } from '../src/automations/ledger/ledger.ts'
import { readSavings } from '../src/automations/ledger/savings.ts'
import { createAutomation } from '../src/automations/automations.ts'
import { createId } from '../src/lib/id.ts'
import { operator } from '../src/projects/keys.ts'
import type { Db } from '../src/postgres/types.ts'
import { generateKey, parseKeys } from '../src/secrets/keys.ts'
import { createSecrets } from '../src/secrets/secrets.ts'
import { addJob, addProject } from '../test/support/database.ts'
import { createManualClock } from '../test/support/manual-clock.ts'
import { openEmbeddedEngine } from './engines.ts'

const automations = 100
const commits = 5_000
const rounds = 10
/** Each run has so many commits, and every fifth commit is in one. */
const ofRun = 10

for (const sources of [1, 20]) await measure(sources)

async function measure(sources: number): Promise<void> {
  const engine = await openEmbeddedEngine()
  const filling = performance.now()
  const [postgres] = engine.workers
  if (!postgres) throw new Error('no engine')
  const { db } = postgres
  const projectId = await fill(db, sources)
  console.log(`filled in ${Math.round(performance.now() - filling)} ms`)
  const context = { db, publicUrl: 'http://x' }
  console.log(`${automations * commits} rows, ${sources * commits} commits of ${sources} sources:`)
  const first = await readLedger(context, projectId, { limit: 50 })
  const cursor = first.nextCursor ?? ''
  await report('first page', () => readLedger(context, projectId, { limit: 50 }))
  await report('next page', () => readLedger(context, projectId, { limit: 50, cursor }))
  await report('page of a source', () => readLedger(context, projectId, { limit: 50, source: 's0' }))
  await report('page of rejected ones', () => readLedger(context, projectId, { limit: 50, state: 'rejected' }))
  await report('counts', () => countStates(db, projectId, {}))
  await report('counts of a source', () => countStates(db, projectId, { source: 's0' }))
  await report('savings', () => readSavings(db, projectId, undefined))
  await report('threshold', () => readThreshold(db, projectId, 's0'))
  await reportStoring(db, sources)
  await engine.close()
}

/** 500 new commits of one automation, as a look stores them, and then the same ones of another automation. */
async function reportStoring(db: Db, sources: number): Promise<void> {
  for (const number of [0, sources]) {
    const began = performance.now()
    await sql`insert into automation_commits (automation_id, commit, subject, author, committed_at, state, seen_at)
      select a.id, 'new' || n, 'feat: change', 'Ada', now(), 'waiting', now() from automations a cross join generate_series(1, 500) n
      where a.name = ${`a${number}`}`.execute(db)
    const ms = Math.round(performance.now() - began)
    console.log(`  500 commits stored     ${String(ms).padStart(8)} ms, with ${automations / sources} automations`)
  }
}

async function report(name: string, work: () => Promise<unknown>): Promise<void> {
  await work()
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  const median = times.toSorted((a, b) => a - b)[rounds / 2] ?? 0
  console.log(`  ${name.padEnd(22)} ${median.toFixed(1).padStart(8)} ms`)
}

async function fill(db: Db, sources: number): Promise<string> {
  const projectId = await addProject(db)
  const ring = parseKeys(generateKey())
  const context = { db, clock: createManualClock(), secrets: createSecrets(() => ring), modelId: 'x/y', publicUrl: '' }
  const at = new Date()
  for (let source = 0; source < sources; source += 1) {
    const names = { id: createId('src'), name: `s${source}`, repository: `https://example.com/s${source}.git` }
    const row = { ...names, project_id: projectId, paths: '[]', created_at: at, updated_at: at }
    await db.insertInto('sources').values(row).execute()
  }
  for (let number = 0; number < automations; number += 1) {
    const trigger = { type: 'code', source: `s${number % sources}`, paths: [], when: 'merge' } as const
    const given = { name: `a${number}`, trigger, instructions: 'Update.' }
    await createAutomation(context, operator, projectId, given)
  }
  await addRuns(db, projectId)
  // The triggers would read the rows of all automations for each row. Some commits of each automation at a time, as followed branches do.
  await sql`alter table automation_commits disable trigger user`.execute(db)
  await sql`insert into automation_commits (automation_id, commit, parent, subject, author, committed_at, state, run_id, score, reason, seen_at)
    select a.id, encode(sha256(((a.trigger::jsonb ->> 'source') || '/' || n)::bytea), 'hex'), repeat('0', 40), 'feat: change ' || n, 'Ada',
      timestamptz '2020-01-01' + n * interval '1 hour',
      case when n % 5 = 0 then 'in_run' when n % 101 = 0 then 'set_aside' when n > ${commits - 20} then 'waiting' else 'skipped' end,
      case when n % 5 = 0 then 'aru_' || a.id || '_' || n / ${5 * ofRun} end, 0.3, 'It does not concern the docs.', now()
    from generate_series(1, ${commits}) n cross join automations a order by n / 10, a.id, n`.execute(db)
  await sql`alter table automation_commits enable trigger user`.execute(db)
  await sql`vacuum analyze`.execute(db)
  await sql`insert into ledger_commits (project_id, repository_id, commit, committed_at, ordinal, automation_id, state, is_saved)
    select ${projectId}, p.repository_id, c.commit, c.committed_at, min(c.ordinal), '', '', false
    from automation_commits c join automation_positions p on p.automation_id = c.automation_id group by 1, 2, 3, 4`.execute(
    db,
  )
  await sql`analyze ledger_commits`.execute(db)
  await sql`select refresh_ledger(array(select distinct commit from automation_commits))`.execute(db)
  await sql`vacuum analyze`.execute(db)
  return projectId
}

/** One in ten was closed. */
async function addRuns(db: Db, projectId: string): Promise<void> {
  const jobId = await addJob(db, projectId)
  await sql`insert into jobs overriding system value select (jsonb_populate_record(j, jsonb_build_object('id', 'job_' || a.id || '_' || n,
      'ordinal', row_number() over () + 10, 'status', 'completed', 'phase', null, 'pull_state', case when n % 10 = 0 then 'closed' else 'merged' end))).*
    from jobs j cross join automations a cross join generate_series(0, ${commits / 5 / ofRun}) n where j.id = ${jobId}`.execute(
    db,
  )
  await sql`insert into automation_runs (id, automation_id, trigger, job_id, settled_at, created_at)
    select 'aru_' || a.id || '_' || n, a.id, 'code', 'job_' || a.id || '_' || n, now(), now()
    from automations a cross join generate_series(0, ${commits / 5 / ofRun}) n`.execute(db)
}
