import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../../lib/failure.ts'
import { expectProblem, openTestApp } from '../../../../test/support/openapi-app.ts'
import { openImport } from '../../../analytics/import/import-records.ts'

test('a batch for which there is no room is refused before it is parsed', async () => {
  const app = await openTestApp()
  const checkRoom = () => {
    throw new Failure('unavailable', 'Too many page views are waiting.', { retryAfter: 2 })
  }
  const path = `/v1/analytics/${app.project.id}/page-views`
  const noJson = { method: 'POST', body: 'no JSON', headers: { 'Content-Type': 'application/json' } }
  const { call } = await app.start({ ingest: { ...app.deps.ingest, checkRoom } })
  await expectProblem(await app.call(path, noJson), 400, 'invalid_input')
  await expectProblem(await call(path, noJson), 503, 'unavailable')
})

test('an import is finished once, with what was found on each day, or without a body', async () => {
  const app = await openTestApp()
  const open = async (fingerprint: string) => {
    const { id } = await openImport(app.db, app.project.id, { name: 'a', format: 'combined', fingerprint })
    return `/v1/analytics/${app.project.id}/imports/${id}/finish`
  }
  const day = { day: '2026-11-20', pageViews: 3, of: 10 }
  const finish = async (where: string, automated: unknown) =>
    app.call(where, { key: app.keys.write, json: { automated } })
  const where = await open('a')
  const table: [unknown, string][] = [
    [[{ ...day, pageViews: 11 }], '#/automated/0/pageViews'],
    [[{ ...day, day: '2026-02-30' }], '#/automated/0/day'],
    [[{ ...day, of: 10.5 }], '#/automated/0/of'],
    [[day, day], '#/automated'],
    [Array.from({ length: 4_001 }, () => day), '#/automated'],
  ]
  for (const [automated, pointer] of table) {
    const { details } = await expectProblem(await finish(where, automated), 400, 'invalid_input')
    assert.equal(details?.[0]?.pointer, pointer)
  }
  assert.equal((await finish(where, [day])).status, 200)
  await expectProblem(await finish(where, [day]), 404, 'not_found')
  const earlier = await app.call(await open('b'), { method: 'POST', key: app.keys.write })
  assert.equal(earlier.status, 200, 'earlier releases send no body')
  const rows = await app.db.selectFrom('automated_days').select(['page_views', 'judged']).execute()
  assert.deepEqual(rows, [{ page_views: 3, judged: 10 }])
})
