import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { createImportStore, line, many, run, writeLog } from '../../../test/support/import-store.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { rounds } from '../../../test/support/rounds.ts'

let folder: string
before(async () => void (folder = await temporaryFolder('import')))
after(() => removeFolder(folder))

const write = (content: string | Uint8Array, name?: string) => writeLog(folder, content, name)

test('a log that has grown continues, and identical lines keep their numbers', async () => {
  const { port, views, sent } = createImportStore()
  const path = await write(many(1_500) + line('/twice'))
  await run(path, port)
  const before = sent.views
  await write(many(1_500) + line('/twice') + line('/twice') + line('/new'), path.slice(folder.length + 1))
  const { summary } = await run(path, port)
  assert.deepEqual([summary.lines, summary.linesBefore, sent.views - before, views.size], [1_503, 1_501, 2, 1_503])
})

test('only the last megabytes of a large log are read again', async () => {
  const { port, views } = createImportStore()
  const log = many(200_000).replaceAll(' HTTP/1.1"', '.png HTTP/1.1"') + line('/twice')
  assert.ok(log.length > 16 * 1_048_576)
  const path = await write(log)
  await run(path, port)
  await write(log + line('/twice') + line('/new'), path.slice(folder.length + 1))
  const { summary } = await run(path, port)
  assert.deepEqual([summary.from, summary.lines, summary.linesBefore, views.size], [log.length, 200_003, 200_001, 3])
})

test('a rotated log that is imported again under another name, packed, counts once', async () => {
  const { port, views } = createImportStore()
  const { finish } = await run(await write(many(1_500)), port)
  await finish()
  const { summary } = await run(await write(gzipSync(many(1_500)), 'access.log.1.gz'), port)
  assert.deepEqual([summary.accepted, views.size], [1_500, 1_500])
  await run(await write(many(2_500).slice(many(700).length)), port)
  assert.equal(views.size, 2_500)
})

test('a log that is shorter than the position, or another log, is a new import', async () => {
  const { port, views, imports } = createImportStore()
  const first = line('/first')
  const path = await write(first + many(1_200))
  await run(path, port)
  for (const content of [first + many(100, 5_000), first + many(1_300, 8_000).replaceAll('192.0.2.1', '192.0.2.111')]) {
    await write(content, path.slice(folder.length + 1))
    const { summary, news } = await run(path, port)
    assert.equal(summary.from, 0)
    assert.equal(news[0]?.kind, 'restarted')
  }
  assert.equal(views.size, 1 + 1_200 + 100 + 1_300)
  assert.deepEqual(
    imports.map(({ isOpen }) => isOpen),
    [false, false, true],
  )
  const { summary } = await run(path, port, { fromStart: true })
  assert.deepEqual([summary.from, summary.lines, views.size], [0, 1_301, 2_601])
})

test('standard input continues after the position, too', async () => {
  const { port, sent } = createImportStore()
  await run(Buffer.from(many(1_200)), port)
  const before = sent.views
  const { summary } = await run(gzipSync(many(1_210)), port)
  assert.deepEqual([summary.lines, summary.linesBefore, sent.views - before], [1_210, 1_200, 10])
  await assert.rejects(run(Buffer.from(many(5)), port), /import it with --from-start/)
})

test('imported again with nothing new, any form of a log has as many lines as before', async () => {
  const { port, sent } = createImportStore()
  const log = `${many(1_500)}\r\n\nnonsense\n${line('/a.png')}`
  const entry = (n: number) => JSON.stringify({ source: 'static', timestamp: n, proxy: { path: '/a', timestamp: n } })
  const array = `[\n${Array.from({ length: 30 }, (_, n) => entry(n)).join(',\n')}\n]\n`
  for (const [content, lines] of [
    [log, 1_502],
    [gzipSync(log.replaceAll('192.', '193.')), 1_502],
    [array, 30],
  ] as const) {
    const path = await write(content)
    const { summary: first } = await run(path, port)
    const before = sent.views
    const { summary } = await run(path, port)
    assert.deepEqual([first.lines, first.linesBefore, summary.lines, summary.linesBefore], [lines, 0, lines, lines])
    assert.deepEqual([summary.accepted, summary.rejected, sent.views], [0, [], before])
  }
})

test('identical objects of an array keep their numbers when it has grown', async () => {
  const { port, views } = createImportStore()
  const entry = JSON.stringify({ source: 'static', timestamp: 1, proxy: { path: '/a', timestamp: 1 } })
  const path = await write(`[${entry},${entry}]`)
  await run(path, port)
  await write(`[${entry},${entry},${entry}]`, path.slice(folder.length + 1))
  const { summary } = await run(path, port)
  assert.deepEqual([summary.linesBefore, summary.accepted, views.size], [2, 1, 3])
})

class Killed extends Error {}

test('killed at any moment and started again, each line is there once', async () => {
  const log = many(9_000) + line('/twice').repeat(3)
  const paths = [await write(log), await write(gzipSync(log))]
  const moments = fc.array(
    fc.record({ after: fc.integer({ min: 1, max: 5 }), moment: fc.constantFrom('early', 'late') }),
    { maxLength: 4 },
  )
  const property = fc.asyncProperty(moments, fc.constantFrom(...paths), async (kills, path) => {
    const left = [...kills]
    const state = { from: 0 }
    const store = createImportStore((moment, calls) => {
      const [kill] = left
      if (kill?.moment === moment && calls >= state.from + kill.after) throw new Killed()
    })
    while (left.length > 0) {
      await run(path, store.port).catch((error: unknown) => assert.ok(error instanceof Killed))
      left.shift()
      state.from = store.sent.calls
    }
    const { summary } = await run(path, store.port)
    assert.equal(store.views.size, 9_003)
    assert.deepEqual([summary.position, summary.lines], [log.length, 9_003])
    assert.equal(summary.linesBefore + summary.accepted, 9_003)
  })
  await fc.assert(property, { numRuns: rounds(10) })
})
