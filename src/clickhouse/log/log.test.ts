import assert from 'node:assert/strict'
import { appendFile, cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { type BlockLog, type LogOptions, openLog } from './log.ts'

type Inserted = { readonly text: string; readonly mayBeStored: boolean }

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await temporaryFolder('log')
  t.after(() => removeFolder(folder))
  return folder
}

/** `insert` runs before a segment is in the table. */
async function open(folder: string, insert: (text: string) => unknown = () => undefined, limit?: number) {
  const inserted: Inserted[] = []
  const options: LogOptions = {
    folder,
    limit,
    insert: async (blocks, mayBeStored) => {
      await insert(blocks.toString())
      inserted.push({ text: blocks.toString(), mayBeStored })
    },
  }
  return { log: await openLog(options), inserted }
}

const append = (log: BlockLog, text: string) => log.append(Buffer.from(text))
const segments = async (folder: string) => (await readdir(folder)).toSorted()

test('blocks are inserted in order, and leave the folder', async (t) => {
  const folder = await makeFolder(t)
  const { log, inserted } = await open(folder)
  for (const text of ['a', 'b', 'c']) await append(log, text)
  assert.ok(log.waiting().bytes > 0)
  await log.drain()
  await append(log, 'd')
  await log.drain()
  assert.deepEqual(inserted, [
    { text: 'abc', mayBeStored: false },
    { text: 'd', mayBeStored: false },
  ])
  assert.deepEqual(await segments(folder), [])
  assert.deepEqual(log.waiting(), { bytes: 0, seconds: 0 })
  await log.close()
})

test('nobody needs to wait for what is appended to be inserted', async (t) => {
  const done = Promise.withResolvers<string>()
  const { log } = await open(await makeFolder(t), (text) => done.resolve(text))
  await append(log, 'a')
  assert.equal(await done.promise, 'a')
  await log.close()
})

test('blocks that arrive during an insert are inserted together after it', async (t) => {
  const gate = Promise.withResolvers<void>()
  const folder = await makeFolder(t)
  const { log, inserted } = await open(folder, () => gate.promise)
  await append(log, 'a')
  const first = log.drain()
  for (const text of ['b', 'c']) await append(log, text)
  const second = log.drain()
  gate.resolve()
  await first
  assert.deepEqual(inserted.map(({ text }) => text).join(' '), 'a')
  await second
  assert.deepEqual(inserted.map(({ text }) => text).join(' '), 'a bc')
  await log.close()
})

test('a failed insert is tried again, and says that rows may be stored', async (t) => {
  const folder = await makeFolder(t)
  const state = { isBroken: true }
  const { log, inserted } = await open(folder, () => {
    if (state.isBroken) throw new Error('away')
  })
  await append(log, 'a')
  await assert.rejects(log.drain(), /away/)
  await append(log, 'b')
  await assert.rejects(log.drain(), /away/)
  state.isBroken = false
  await log.drain()
  assert.deepEqual(inserted, [
    { text: 'a', mayBeStored: true },
    { text: 'b', mayBeStored: false },
  ])
  await log.close()
})

test('a segment that cannot be removed is compared with the table again', async (t) => {
  const folder = await makeFolder(t)
  const kept = `${folder}-kept`
  t.after(() => rm(kept, { recursive: true, force: true }))
  const state = { moves: true }
  const { log, inserted } = await open(folder, async () => {
    if (!state.moves) return
    const [name = ''] = await segments(folder)
    await cp(folder, kept, { recursive: true })
    await rm(join(folder, name))
    state.moves = false
  })
  await append(log, 'a')
  await assert.rejects(log.drain(), { code: 'ENOENT' })
  await cp(kept, folder, { recursive: true })
  await log.drain()
  assert.deepEqual(inserted, [
    { text: 'a', mayBeStored: false },
    { text: 'a', mayBeStored: true },
  ])
  await log.close()
})

test('blocks that a crash left are inserted first, wherever the last one was cut off', async (t) => {
  const folder = await makeFolder(t)
  const { log } = await open(folder, () => Promise.reject(new Error('crashed')))
  await append(log, 'whole')
  const [name = ''] = await segments(folder)
  const path = join(folder, name)
  const { size } = await stat(path)
  await append(log, 'torn')
  const bytes = await readFile(path)
  await log.close()
  for (let end = size; end <= bytes.length; end += 1) {
    await writeFile(path, bytes)
    await truncate(path, end)
    const next = await open(folder)
    assert.deepEqual(next.inserted, [{ text: end === bytes.length ? 'wholetorn' : 'whole', mayBeStored: true }])
    assert.deepEqual(await segments(folder), [])
    await next.log.close()
  }
})

test('a block that was not written whole in the end is left out', async (t) => {
  const folder = await makeFolder(t)
  const { log } = await open(folder, () => Promise.reject(new Error('crashed')))
  for (const text of ['whole', 'torn']) await append(log, text)
  const [name = ''] = await segments(folder)
  const path = join(folder, name)
  const bytes = await readFile(path)
  await log.close()
  bytes[bytes.length - 1] = 0
  await writeFile(path, bytes)
  const next = await open(folder)
  assert.deepEqual(next.inserted, [{ text: 'whole', mayBeStored: true }])
  await next.log.close()
})

test('a damaged block that was acknowledged stops the start, and loses nothing', async (t) => {
  const folder = await makeFolder(t)
  const { log } = await open(folder, () => Promise.reject(new Error('crashed')))
  for (const text of ['first', 'second']) await append(log, text)
  const [name = ''] = await segments(folder)
  await log.close()
  const bytes = await readFile(join(folder, name))
  bytes[9] = 0
  await writeFile(join(folder, name), bytes)
  await assert.rejects(open(folder), /is damaged at byte 0\. To start without its page views, move it/)
  assert.deepEqual(await readFile(join(folder, name)), bytes)
})

test('a full log refuses more and says when to try again', async (t) => {
  const folder = await makeFolder(t)
  const state = { isBroken: true }
  const { log, inserted } = await open(folder, () => state.isBroken && Promise.reject(new Error('away')), 2_000)
  await append(log, 'a'.repeat(1_500))
  await assert.rejects(append(log, 'b'.repeat(600)), { code: 'unavailable', retryAfter: 5 })
  await assert.rejects(log.drain(), /away/)
  state.isBroken = false
  await log.drain()
  await append(log, 'b'.repeat(600))
  await log.drain()
  assert.deepEqual(
    inserted.map(({ text }) => text.length),
    [1_500, 600],
  )
  await log.close()
})

test('a close inserts what it can, and leaves the rest to the next process', async (t) => {
  const folder = await makeFolder(t)
  const first = await open(folder)
  await append(first.log, 'a')
  await first.log.close()
  assert.deepEqual(first.inserted, [{ text: 'a', mayBeStored: false }])
  const second = await open(folder, () => Promise.reject(new Error('away')))
  await append(second.log, 'b')
  await second.log.close()
  const third = await open(folder)
  assert.deepEqual(third.inserted, [{ text: 'b', mayBeStored: true }])
  await third.log.close()
})

test('other files in the folder stay as they are', async (t) => {
  const folder = await makeFolder(t)
  await appendFile(join(folder, 'notes.txt'), 'x')
  const { log, inserted } = await open(folder)
  assert.deepEqual(inserted, [])
  assert.deepEqual(await segments(folder), ['notes.txt'])
  await log.close()
})
