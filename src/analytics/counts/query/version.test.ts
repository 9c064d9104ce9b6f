import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPageView } from '../../collect/group-commit.ts'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import { insertPageViews } from '../../store.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { readWindows, versionOf, versionSql } from './version.ts'

const readVersion = async (store: ClickHouse, projectId: string) => versionOf(await readWindows(store, projectId))

test('the version of a project is read from the projection, and is its own', async () => {
  const store = await sharedStore()
  const mine = { projectId: 'prj_version' }
  const none = await readVersion(store, mine.projectId)
  await insertPageViews(store, [pageView(mine), pageView(mine)])
  const before = await readVersion(store, mine.projectId)
  await insertPageViews(store, [pageView({ projectId: 'prj_other_version' })])
  assert.equal(await readVersion(store, mine.projectId), before)
  assert.notEqual(before, none)
  const lines = await store.read<{ explain: string }>(`EXPLAIN ${versionSql()}`, mine)
  assert.match(lines.map(({ explain }) => explain).join('\n'), /ReadFromMergeTree \(filtered_windows\)/)
})

test('the version changes with the rows, even if an erased view is sent again', async () => {
  const store = await sharedStore()
  const first = pageView()
  const changes: readonly Partial<NewPageView>[] = [
    {},
    { operator: 'OpenAI' },
    { agent: 'GPTBot' },
    { category: 'ai_training' },
    { verified: 'failed' },
    { path: '/other' },
    { visitor: 2n },
    { time: first.time - 1 },
    { status: 404 },
    { source: 'browser' },
    { representation: 'markdown' },
    { referrer: 'example.com' },
    { siteId: 'site_1' },
  ]
  const views = changes.map((change, at) => ({ ...first, ...change, projectId: `prj_version_${at}` }))
  await insertPageViews(store, views)
  const versions = await Promise.all(views.map(({ projectId }) => readVersion(store, projectId)))
  assert.equal(new Set(versions).size, changes.length)
})
