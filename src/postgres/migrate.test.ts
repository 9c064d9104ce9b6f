import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../test/support/engine.ts'
import { migrate, migrations } from './migrate.ts'

test('a database that lacks the lease of sealing gets it, and others keep theirs', async (t) => {
  const postgres = await openTestDatabase()
  t.after(() => postgres.close())
  const { db } = postgres
  const upTo = (last: string) =>
    migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < last)))
  const begin = async () => {
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
    await upTo('0023')
  }
  await begin()
  await sql`insert into seal_lease values (1, 'a', now())`.execute(db)
  assert.deepEqual(await upTo('0024'), ['0023-seal-lease'])
  assert.equal((await db.selectFrom('seal_lease').selectAll().execute()).length, 1)
  await begin()
  // As a revision made it in which 0021-salt-windows had no lease.
  await sql`drop table seal_lease`.execute(db)
  await upTo('0024')
  assert.deepEqual(await db.selectFrom('seal_lease').selectAll().execute(), [])
})

test('a credential of the release before sources stays, and its statements go through', async (t) => {
  const postgres = await openTestDatabase()
  t.after(() => postgres.close())
  const { db } = postgres
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0036')))
  await sql`insert into projects (id, name, repository, created_at, updated_at)
    values ('prj_1', 'Docs', 'https://git.example/docs.git', now(), now())`.execute(db)
  const enter = (account: string) =>
    sql`insert into credentials (project_id, kind, account, created_at, updated_at)
      values ('prj_1', 'basic', ${account}, now(), now())
      on conflict (project_id) do update set account = excluded.account`.execute(db)
  await enter('before')
  await migrate(db)
  const read = () => db.selectFrom('credentials').select(['owner', 'project_id', 'source_id', 'account']).execute()
  const row = { owner: 'prj_1', project_id: 'prj_1', source_id: null }
  assert.deepEqual(await read(), [{ ...row, account: 'before' }])
  await enter('after')
  assert.deepEqual(await read(), [{ ...row, account: 'after' }])
  const times = { created_at: new Date(), updated_at: new Date() }
  const source = { id: 'src_1', project_id: 'prj_1', name: 'api', repository: 'https://git.example/api.git' }
  await db
    .insertInto('sources')
    .values({ ...source, ...times })
    .execute()
  await db
    .insertInto('credentials')
    .values({ source_id: 'src_1', kind: 'basic', account: 'of the source', ...times })
    .execute()
  const { rows } = await sql<{ account: string }>`select account from credentials where project_id = 'prj_1'`.execute(
    db,
  )
  assert.deepEqual(rows, [{ account: 'after' }])
  await sql`delete from projects where id = 'prj_1'`.execute(db)
  assert.deepEqual(await read(), [])
})

test('a run of an automation gets the first message of its job, and how its run ended', async (t) => {
  const postgres = await openTestDatabase()
  t.after(() => postgres.close())
  const { db } = postgres
  await sql`drop schema public cascade`.execute(db)
  await sql`create schema public`.execute(db)
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0041')))
  await sql`insert into projects (id, name, repository, created_at, updated_at)
    values ('prj_1', 'Docs', 'https://git.example/docs.git', now(), now())`.execute(db)
  await sql`insert into automations (id, project_id, name, trigger, instructions, update_mode, enabled, created_at, updated_at)
    values ('aut_1', 'prj_1', 'a', '{"type":"person"}', '"Do it."', 'draft', true, now(), now())`.execute(db)
  const ends = {
    question: ['{"kind":"question","question":"Which?"}', null, null],
    nothing: ['{"kind":"no_change","reason":"Fine."}', 'c0ffee', null],
    empty: ['{"kind":"change","title":"A","summary":"B"}', null, null],
    change: ['{"kind":"change","title":"A","summary":"B"}', 'c0ffee', null],
    failed: [null, null, 'model_refused'],
  } as const
  for (const [name, [finish, commit, error]] of Object.entries(ends)) {
    await sql`insert into jobs (id, project_id, status, repository, branch, model, created_at, updated_at)
      values (${name}, 'prj_1', 'completed', 'https://git.example/docs.git', ${name}, 'm', now(), now())`.execute(db)
    for (const message of ['first', 'second']) {
      await sql`insert into messages (id, job_id, prompt, created_at) values (${`${name} ${message}`}, ${name}, '""', now())`.execute(
        db,
      )
    }
    await sql`insert into runs (id, job_id, number, state, available_at, created_at, finish, commit_id, error_code)
      values (${name}, ${name}, 1, 'ended', now(), now(), ${finish}, ${commit}, ${error})`.execute(db)
    await sql`insert into automation_runs (id, automation_id, trigger, job_id, created_at)
      values (${name}, 'aut_1', 'person', ${name}, now())`.execute(db)
  }
  await sql`insert into automation_runs (id, automation_id, trigger, ended_as, created_at)
    values ('without', 'aut_1', 'person', 'capped', now())`.execute(db)
  await migrate(db)
  const rows = await db.selectFrom('automation_runs').select(['id', 'message_id']).orderBy('ordinal').execute()
  const first = Object.keys(ends).map((id) => ({ id, message_id: `${id} first` }))
  assert.deepEqual(rows, [...first, { id: 'without', message_id: null }])
  const outcomes = await db.selectFrom('runs').select(['id', 'outcome']).execute()
  assert.deepEqual(Object.fromEntries(outcomes.map(({ id, outcome }) => [id, outcome])), {
    question: 'needs_input',
    nothing: 'no_changes',
    empty: 'no_changes',
    change: 'pull_request',
    failed: null,
  })
  // A second run of the same job, and never two of one message.
  const follow = (id: string, message: string) =>
    sql`insert into automation_runs (id, automation_id, trigger, job_id, message_id, created_at)
      values (${id}, 'aut_1', 'person', 'change', ${message}, now())`.execute(db)
  await follow('again', 'change second')
  await assert.rejects(follow('twice', 'change second'), /duplicate key/)
})
