// Unique visitors counted again over HTTP and on the command line: right counters are confirmed, wrong ones are found.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openClickHouse } from '../../src/clickhouse/open.ts'
import { type Collecting, startCollecting, view } from '../support/collecting.ts'
import { runCommand } from '../support/command.ts'

let t: Collecting
before(async () => {
  t = await startCollecting()
})
after(() => t.close())

/** Returns the lines that `docent analytics rebuild` prints. */
async function rebuild(...options: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await runCommand(['analytics', 'rebuild', ...options], t.service.environment)
  assert.equal(code, 0, stderr)
  return stdout.trimEnd().split('\n')
}

test('windows are listed and counted again; wrong counters are found and repaired', async () => {
  const place = await t.makePlace()
  const { projectId } = place
  const monthAgo = Date.now() - 40 * 86_400_000
  await t.record(place, [
    view(),
    view({ address: '192.0.2.2', visitorId: 'a' }),
    view({ address: '192.0.2.2', timestamp: monthAgo, visitorId: 'a' }),
  ])
  const path = `/v1/analytics/${projectId}/visitor-windows`
  const { visitorWindows } = await t.asAdmin<{ visitorWindows: readonly { name: string; pageViews: number }[] }>(
    'GET',
    path,
  )
  assert.equal(
    visitorWindows.reduce((sum, { pageViews }) => sum + pageViews, 0),
    3,
  )
  for (const { name } of visitorWindows) {
    assert.deepEqual(await t.asAdmin('POST', `${path}/rebuild`, { name }), { result: 'new' })
  }
  await assert.rejects(t.asAdmin('POST', `${path}/rebuild`, { name: 'month:1999-01' }), { code: 'not_found' })
  const lines = await rebuild('--project', projectId)
  assert.equal(lines.length, visitorWindows.length + 1)
  assert.match(lines.at(-1) ?? '', /^\d windows? counted\. All stored counters were right\.$/)
  const store = await openClickHouse({ kind: 'server', url: t.service.environment['CLICKHOUSE_URL'] ?? '' })
  await store.rewrite(
    'ALTER TABLE counters UPDATE total = arrayMap(one -> one + 1, total) WHERE project_id = {projectId:String}',
    { projectId },
  )
  await store.close()
  const found = JSON.parse((await rebuild('--project', projectId, '--json')).join('')) as object
  const windows = visitorWindows.length
  assert.deepEqual(found, { windows, equal: 0, different: windows, new: 0, moving: 0 })
  assert.deepEqual((await t.visitors(place)).totals, { human: 2, ai: 0, total: 2 })
  const { body: metrics } = await t.asOperator('GET', '/metrics')
  assert.match(metrics, new RegExp(`^docent_visitor_counters_wrong_total ${windows}$`, 'm'))
})

test('a project without page views has no windows, and a key needs `admin`', async () => {
  const { projectId } = await t.makePlace()
  assert.deepEqual(await rebuild('--project', projectId), ['The project has no page views.'])
  const { client } = t.service
  await client.call('GET', `/v1/analytics/${client.projectId}/visitor-windows`, undefined, 403)
  await client.call('POST', `/v1/analytics/${client.projectId}/visitor-windows/rebuild`, { name: '' }, 403)
})
