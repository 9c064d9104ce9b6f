// Page views that an older list labelled, labelled again over HTTP and on the command line: counts and tags follow.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openClickHouse } from '../../src/clickhouse/open.ts'
import { type Collecting, type Place, startCollecting, view } from '../support/collecting.ts'
import { runCommand } from '../support/command.ts'

let t: Collecting
before(async () => {
  t = await startCollecting()
})
after(() => t.close())

const assistant =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)'

/** As a list would have labelled it that knew no AI agents. */
async function labelAsBefore({ projectId }: Place): Promise<void> {
  const store = await openClickHouse({ kind: 'server', url: t.service.environment['CLICKHOUSE_URL'] ?? '' })
  await store.rewrite(
    "ALTER TABLE page_views UPDATE category = 'crawler', agent = '', rule = 'old' WHERE project_id = {projectId:String} AND category != 'browser'",
    { projectId },
  )
  await store.close()
}

async function arrange(): Promise<Place> {
  const place = await t.makePlace()
  const monthsAgo = Date.now() - 70 * 86_400_000
  await t.record(place, [
    view(),
    view({ userAgent: assistant, address: '192.0.2.2' }),
    view({ userAgent: assistant, address: '192.0.2.3', timestamp: monthsAgo }),
  ])
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 2, total: 3 })
  await labelAsBefore(place)
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 0, total: 1 })
  return place
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

test('over HTTP: the requested days are reclassified, and counts and tags follow', async () => {
  const place = await arrange()
  const path = `/v1/analytics/${place.projectId}`
  const tag = async () => (await t.asOperator('GET', `${path}/visitors`)).headers['etag']
  const before = await tag()
  const since = dayOf(Date.now() - 86_400_000)
  assert.deepEqual(await t.asAdmin('POST', `${path}/reclassify`, { since }), { looked: 2, changed: 1 })
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 1, total: 2 })
  assert.notEqual(await tag(), before)
  assert.deepEqual(await t.asAdmin('POST', `${path}/reclassify`, { since: '2020-01-01', until: since }), {
    looked: 1,
    changed: 1,
  })
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 2, total: 3 })
  const { status, body } = await t.asOperator('POST', `${path}/reclassify`, { since: '2020-01-01' })
  assert.deepEqual([status, JSON.parse(body)], [200, { looked: 2, changed: 0 }])
})

test('over HTTP: an invalid range is refused, and so is a key without `admin`', async () => {
  const place = await t.makePlace()
  const path = `/v1/analytics/${place.projectId}/reclassify`
  for (const body of [{}, { since: '2026-02-30' }, { since: 'x' }, { since: '2026-11-02', until: '2026-11-01' }]) {
    await assert.rejects(t.asAdmin('POST', path, body), { code: 'invalid_input' })
  }
  const { client } = t.service
  const own = `/v1/analytics/${client.projectId}/reclassify`
  await client.call('POST', own, { since: '2026-11-01' }, 403)
})

test('on the command line: one month at a time, with a report', async () => {
  const place = await arrange()
  const since = dayOf(Date.now() - 80 * 86_400_000)
  const command = ['analytics', 'reclassify', '--project', place.projectId, '--since', since]
  const { code, stdout, stderr } = await runCommand(command, t.service.environment)
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  assert.ok(lines.length >= 4)
  assert.match(lines.at(-1) ?? '', /^Done: 3 kinds of client read, 2 reclassified\.$/)
  assert.deepEqual((await t.visitors(place)).totals, { human: 1, ai: 2, total: 3 })
})
