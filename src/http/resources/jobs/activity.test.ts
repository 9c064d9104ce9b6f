import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addJob } from '../../../../test/support/database.ts'
import { expectProblem, openTestApp, publicUrl, type TestApp } from '../../../../test/support/openapi-app.ts'
import { type Entry, mostEntries } from '../../../forge/activity/activity.ts'
import type { ActivityPage } from '../../../jobs/activity/read.ts'
import { storeEntries } from '../../../jobs/activity/store.ts'
import { pullJobs } from '../../../jobs/pulls/pull-jobs.ts'

let t: TestApp
let call: Awaited<ReturnType<TestApp['start']>>['call']
before(async () => {
  t = await openTestApp()
  ;({ call } = await t.start({}))
})

const ada = { id: '1', login: 'ada', isBot: false }

function entry(at: number, given: Partial<Entry> = {}): Entry {
  const nowhere = { path: null, line: null, state: null, link: 'https://github.com/acme/docs/pull/7' } as const
  const time = new Date(Date.parse('2026-11-20T09:00:00Z') + at * 1_000).toISOString()
  return { kind: 'comment', forgeId: `${at}`, number: 7, author: ada, at: time, text: `${at}`, ...nowhere, ...given }
}

async function arrange(entries: readonly Entry[]) {
  const jobId = await addJob(t.db, t.project.id)
  const pull = { jobId, forge: 'github', number: 7 } as const
  await storeEntries(t.db, pull, entries)
  const path = `/v2/agent/${t.project.id}/job/${jobId}/activity`
  const read = async (query = '') => (await (await call(`${path}${query}`)).json()) as ActivityPage
  return { jobId, pull, path, read }
}

test('activity is read in pages, the oldest first, also while more arrives', async () => {
  const { pull, read } = await arrange([3, 1, 2, 5, 4].map((at) => entry(at)))
  const first = await read('?limit=2')
  assert.deepEqual(
    first.activity.map(({ text }) => text),
    ['1', '2'],
  )
  await storeEntries(t.db, pull, [entry(6), entry(0, { forgeId: 'late' })])
  const seen: string[] = []
  for (let cursor = first.nextCursor; cursor !== null;) {
    const page = await read(`?limit=2&cursor=${cursor}`)
    seen.push(...page.activity.map(({ text }) => text))
    cursor = page.nextCursor
  }
  assert.deepEqual(seen, ['3', '4', '5', '6'])
  const all = await read()
  assert.deepEqual([all.activity.length, all.nextCursor, all.notRead], [7, null, []])
})

test('an entry that was read before keeps its id, and exactly 5,000 are kept', async () => {
  const { pull, read } = await arrange([entry(1)])
  const [before] = (await read()).activity
  await storeEntries(t.db, pull, [entry(1, { text: 'edited' }), entry(1, { text: 'edited again' })])
  const [now] = (await read()).activity
  assert.deepEqual([now?.id, now?.text], [before?.id, 'edited again'])
  const many = Array.from({ length: mostEntries }, (_, at) => entry(at + 1))
  await storeEntries(t.db, pull, many)
  const kept = () =>
    t.db
      .selectFrom('pull_activity')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('at').as('first')])
      .where('job_id', '=', pull.jobId)
      .executeTakeFirstOrThrow()
  assert.deepEqual((await kept()).count, mostEntries)
  await storeEntries(t.db, pull, [entry(mostEntries + 1)])
  const { count, first } = await kept()
  assert.deepEqual([count, first.toISOString()], [mostEntries, entry(2).at])
})

test('activity of a job that cannot be seen, and a foreign cursor, are refused', async () => {
  const { path } = await arrange([entry(1)])
  await expectProblem(await call(path, { key: t.keys.foreign }), 404, 'not_found')
  await expectProblem(await call(path.replace(/job_\w+/, `job_${'x'.repeat(20)}`)), 404, 'not_found')
  for (const wrong of ['x', Buffer.from('ajob_1').toString('base64url'), Buffer.from('a1.act_1').toString('base64url')])
    await expectProblem(await call(`${path}?cursor=${wrong}`), 400, 'invalid_input')
  await expectProblem(await call(`${path}?limit=101`), 400, 'invalid_input')
  assert.equal((await call(path, { key: t.keys.read })).status, 200)
})

test("comments on Docent's own pull requests, and their end, are activity, too", async () => {
  const { jobId, read } = await arrange([])
  const at = new Date('2026-11-20T09:00:00Z')
  const pull = { project_id: t.project.id, number: 70, job_id: jobId, title: 'T', body: '', branch: 'b', base: 'main' }
  const commits = { base_commit: 'a', head_commit: 'b', merge_commit: null, created_at: at, updated_at: at }
  await t.db
    .insertInto('pulls')
    .values({ ...pull, ...commits, state: 'open', token: 'page' })
    .execute()
  const columns = { pull_forge: 'docent', pull_number: 70, pr_link: '/pulls/page', pull_state: 'open' } as const
  await t.db.updateTable('jobs').set(columns).where('id', '=', jobId).execute()
  const { id: messageId } = await t.db
    .selectFrom('messages')
    .select('id')
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  const comment = { project_id: t.project.id, number: 70, message_id: messageId, path: 'a.md', line: 2 }
  await t.db
    .insertInto('pull_comments')
    .values({
      ...comment,
      id: `cmt_${'1'.repeat(20)}`,
      at: 'head',
      quote: 'q',
      text: 'Why?',
      author: 'Ada',
      created_at: at,
    })
    .execute()
  const ended = { state: 'merged', draft: false, mergedAt: null, base: 'main', head: undefined, link: '' } as const
  const merged = { forge: 'docent', number: 70, ...ended } as const
  for (let count = 0; count < 2; count += 1)
    await t.db.transaction().execute((trx) => pullJobs.show(trx, jobId, merged))
  const { activity } = await read()
  assert.deepEqual(
    activity.map(({ kind, pull: of, author, text, path, line, link, state }) => [
      kind,
      of,
      author,
      text,
      path,
      line,
      link,
      state,
    ]),
    [
      [
        'review_comment',
        { forge: 'docent', number: 70 },
        { login: 'Ada', isBot: false, mayWrite: true },
        'Why?',
        'a.md',
        2,
        `${publicUrl}/pulls/page`,
        null,
      ],
      [
        'state',
        { forge: 'docent', number: 70 },
        { login: null, isBot: false, mayWrite: null },
        '',
        null,
        null,
        null,
        'merged',
      ],
    ],
  )
})

test('activity is erased with its job', async () => {
  const { jobId } = await arrange([entry(1)])
  await t.db.deleteFrom('jobs').where('id', '=', jobId).execute()
  assert.deepEqual(await t.db.selectFrom('pull_activity').select('id').where('job_id', '=', jobId).execute(), [])
})
