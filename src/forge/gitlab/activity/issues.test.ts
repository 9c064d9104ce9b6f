import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type Routes, scriptedForge } from '../../../../test/support/forge-client.ts'
import { openGitLab } from '../gitlab.ts'
import { readIssues } from './issues.ts'

const { signal } = new AbortController()
const project = '/projects/acme%2Fdocs'
const since = '2026-11-20T10:00:00.000Z'
const at = '2026-11-20T12:00:00.500Z'
const issue = { iid: 9, updated_at: at, confidential: false, user_notes_count: 1 }
const ada = { id: 2, username: 'ada' }
const note = { id: 1, body: 'Hello', author: ada, created_at: at, updated_at: at, system: false }

async function read(t: TestContext, routes: Routes) {
  const { client, webUrl, asked } = await scriptedForge(t, routes)
  const gitlab = openGitLab(client, { webUrl, path: 'acme/docs' })
  return { found: await readIssues(gitlab, { issues: { since } }, signal), webUrl, asked: asked() }
}

test('new comments of the issues that changed are entries', async (t) => {
  const notes = [
    note,
    { ...note, id: 2, system: true },
    { ...note, id: 3, internal: true },
    { ...note, id: 4, created_at: '2026-11-20T09:00:00Z' },
  ]
  const { found, webUrl, asked } = await read(t, {
    [`GET ${project}/issues`]: {
      body: [{ ...issue, iid: 7, confidential: true }, { ...issue, iid: 8, user_notes_count: 0 }, issue],
    },
    [`GET ${project}/issues/9/notes`]: { body: notes },
  })
  const [entry, ...more] = found.entries
  assert.equal(more.length, 0)
  assert.deepEqual(
    [entry?.forgeId, entry?.number, entry?.isIssue, entry?.author?.login, entry?.link],
    ['1', 9, true, 'ada', `${webUrl}/acme/docs/-/issues/9#note_1`],
  )
  assert.deepEqual(found.marks, { issues: { since: '2026-11-20T11:58:00.000Z' } })
  assert.equal(asked.length, 2, 'nothing is asked about the other two')
  assert.match(asked[0] ?? '', /updated_after=2026-11-20T10%3A00%3A00\.000Z&scope=all&order_by=updated_at&sort=asc/)
})

test('nothing new moves no mark, and a flood is read in parts', async (t) => {
  const quiet = await read(t, { [`GET ${project}/issues`]: { body: [] } })
  assert.deepEqual([quiet.found.entries, quiet.found.marks], [[], { issues: { since } }])
  const rows = Array.from({ length: 20 }, () => ({ ...issue, user_notes_count: 0 }))
  const { found, asked } = await read(t, { [`GET ${project}/issues`]: { body: rows } })
  assert.equal(asked.length, 5)
  assert.deepEqual(found.marks, { issues: { since: at } }, 'the rest is newer')
})
