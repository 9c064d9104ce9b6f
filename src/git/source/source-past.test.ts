import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fetchesOf, servedSource, within } from '../../../test/support/git-source.ts'

const all = within('**')
const file = 'src/a.ts'

test('the contents of the past come in one request for each list of changes', async (t) => {
  const { server, remote, source } = await servedSource(t, { [file]: 'one\n', 'secret/a.ts': 'hidden\n', 'a.bin': '1' })
  remote.commit('main', { [file]: 'two\n', 'secret/a.ts': 'hidden too\n', 'a.bin': '2' })
  remote.commit('main', { [file]: 'three\n', 'src/b.ts': 'new\n' })
  const isVisible = within('src/**', 'a.bin')
  const { commit } = await source.fetch({ branch: null, isVisible }, t.signal)
  const isWanted = (path: string) => path.endsWith('.ts')
  const past = source.pastOf({ name: 'api', commit, isVisible, isWanted })
  assert.deepEqual(
    (await past.files(t.signal)).map(({ path }) => path),
    ['a.bin', file, 'src/b.ts'],
  )
  const revisions = await past.history(100, t.signal)
  assert.equal(revisions.length, 3)
  const before = fetchesOf(server)
  const spans = revisions.slice(1).map((older, at) => ({ from: older.commit, to: revisions[at]?.commit ?? '' }))
  const changes = await past.changes(spans, t.signal)
  assert.deepEqual(
    changes.map((files) => files.map(({ path }) => path)),
    [
      [file, 'src/b.ts'],
      ['a.bin', file],
    ],
  )
  assert.equal(fetchesOf(server), before + 1)
  const texts: unknown[] = []
  const wanted = changes.flat().flatMap(({ path, before: oid }) => (oid === null ? [] : [{ path, oid }]))
  await past.read(wanted, ({ path }, content) => texts.push([path, content?.toString('utf8')]), t.signal)
  assert.deepEqual(texts, [
    [file, 'two\n'],
    ['a.bin', undefined],
    [file, 'one\n'],
  ])
  assert.equal(fetchesOf(server), before + 1)
  assert.equal(await past.settled(t.signal), false)
})

test('a host that is a shallow copy has no past that anything can be told from', async (t) => {
  const { remote, source } = await servedSource(t, { [file]: 'one\n' })
  remote.commit('main', { [file]: 'two\n' })
  writeFileSync(join(remote.directory, 'shallow'), `${remote.commit('main', { [file]: 'three\n' })}\n`)
  const { commit } = await source.fetch({ branch: null, isVisible: all }, t.signal)
  const past = source.pastOf({ name: 'api', commit, isVisible: all, isWanted: all })
  assert.deepEqual(await past.history(100, t.signal), [])
})
