import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageView } from '../../../../test/support/page-views.ts'
import { sharedStore } from '../../../../test/support/test-store.ts'
import type { ClickHouse } from '../../../clickhouse/open.ts'
import { readWindows, versionOf } from '../query/version.ts'
import { insertPageViews } from '../../store.ts'
import { deleteWhere } from '../../delete.ts'
import { knownWindows, refreshWindows } from './windows.ts'

const base: ClickHouse = { ...(await sharedStore()), isOwned: true }
const names = { projects: 0 }

/** A project of a process that owns its store, and what happens once while the store reads. */
function open() {
  const projectId = `prj_windows_${process.pid}_${(names.projects += 1)}`
  const state = { during: undefined as (() => Promise<unknown>) | undefined }
  const store: ClickHouse = {
    ...base,
    read: async (...given) => {
      const rows = await base.read(...given)
      const { during } = state
      state.during = undefined
      await during?.()
      return rows as never
    },
  }
  const put = (visitor: bigint) =>
    insertPageViews(store, [pageView({ projectId, visitor, saltWindow: 'month:2026-11' })])
  const erase = (visitor: bigint) =>
    deleteWhere(store, 'page_views', `project_id = {projectId:String} AND visitor = ${visitor}`, { projectId })
  const isKnown = async () =>
    versionOf(await knownWindows(store, projectId)) === versionOf(await readWindows(base, projectId))
  return { projectId, state, store, put, erase, isKnown }
}

test('a window has the version of its rows once it was read after the last write', async () => {
  const { store, put, erase, isKnown } = open()
  await put(1n)
  assert.equal(await isKnown(), true, 'read for the first time')
  await put(2n)
  assert.equal(await isKnown(), false, 'written since')
  await refreshWindows(store)
  assert.equal(await isKnown(), true)
  await erase(2n)
  assert.equal(await isKnown(), true, 'read again')
})

test('a window that is written while it is read does not have the version of its rows', async () => {
  const { projectId, state, store, put } = open()
  await put(1n)
  state.during = () => put(2n)
  const first = versionOf(await knownWindows(store, projectId))
  state.during = () => put(3n)
  await refreshWindows(store)
  const second = versionOf(await knownWindows(store, projectId))
  await put(4n)
  const versions = [first, second, versionOf(await knownWindows(store, projectId))]
  assert.equal(new Set(versions).size, 3)
})

test('a version that was read before an erasure is not used after it', async () => {
  const { projectId, state, store, put, erase, isKnown } = open()
  await put(1n)
  await put(2n)
  await knownWindows(store, projectId)
  state.during = async () => {
    await erase(2n)
    await knownWindows(store, projectId)
  }
  await refreshWindows(store)
  assert.equal(await isKnown(), true)
})
