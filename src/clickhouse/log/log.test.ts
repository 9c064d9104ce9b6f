import assert from 'node:assert/strict'
import { appendFile, cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
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
  const reported: object[] = []
  const options: LogOptions = {
    folder,
    limit,
    report: { warn: (about: object) => reported.push(about), error: (about: object) => reported.push(about) },
    insert: async (blocks, mayBeStored) => {
      await insert(blocks.toString())
      inserted.push({ text: blocks.toString(), mayBeStored })
    },
  }
  return { log: await openLog(options), inserted, reported }
}

const append = (log: BlockLog, text: string) => log.append(Buffer.from(text))
const segments = async (folder: string) => (await readdir(folder)).toSorted()

test('blocks are inserted in order, and leave the folder', async (t) => {
  const folder = await makeFolder(t)
  const { log, inserted } = await open(folder)
  for (const text of ['a', 'b', 'c']) await append(log, text)
  assert.ok((await log.waiting()).bytes > 0)
  await log.drain()
  await append(log, 'd')
  await log.drain()
  assert.deepEqual(inserted, [
    { text: 'abc', mayBeStored: false },
    { text: 'd', mayBeStored: false },
  ])
  assert.deepEqual(await segments(folder), [])
  assert.deepEqual(await log.waiting(), { bytes: 0, seconds: 0, damaged: 0 })
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

/** The blocks of a segment that a crash left, in the present form or that of earlier releases. */
async function leave(
  folder: string,
  blocks: readonly string[],
): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const { log } = await open(folder, () => Promise.reject(new Error('crashed')))
  for (const text of blocks) await append(log, text)
  await log.close()
  const [name = ''] = await segments(folder)
  const path = join(folder, name)
  return { path, bytes: await readFile(path) }
}

test('whichever bit of a segment flips, only its block may be lost, never silently', async (t) => {
  const folder = await makeFolder(t)
  const texts = ['first', 'second', 'third']
  const { path, bytes } = await leave(folder, texts)
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    await writeFile(path, flipped)
    const { log, inserted, reported } = await open(folder)
    const read = inserted.map(({ text }) => text).join('')
    const whole = texts.filter((text) => read.includes(text))
    assert.equal(whole.join(''), read, `bit ${bit}`)
    assert.ok(whole.length >= 2, `bit ${bit}`)
    assert.equal(reported.length, 1, `bit ${bit}`)
    assert.equal((await log.waiting()).damaged, 1)
    assert.deepEqual(await readFile(`${path}.damaged`), flipped)
    await log.close()
    await rm(`${path}.damaged`)
  }
})

test('a flipped bit in the length of a block loses nothing', async (t) => {
  const folder = await makeFolder(t)
  const { path, bytes } = await leave(folder, ['first', 'second'])
  for (const at of [0, 1, 2, 3]) {
    const wrong = Buffer.from(bytes)
    wrong[at] = 0xff
    await writeFile(path, wrong)
    const { log, inserted, reported } = await open(folder)
    assert.deepEqual(inserted, [{ text: 'firstsecond', mayBeStored: true }])
    assert.deepEqual(reported, [{ file: `${basename(path)}.damaged`, lost: 0 }])
    await log.close()
  }
})

test('a segment that is damaged during a run is kept aside, and later ones go on', async (t) => {
  const folder = await makeFolder(t)
  const state = { isFirst: true }
  const { log, inserted, reported } = await open(folder, async () => {
    if (!state.isFirst) return
    state.isFirst = false
    const [name = ''] = await segments(folder)
    await truncate(join(folder, name), 20)
    throw new Error('away')
  })
  for (const text of ['first', 'second']) await append(log, text)
  await assert.rejects(log.drain(), /away/)
  await log.drain()
  await append(log, 'third')
  await log.drain()
  assert.deepEqual(inserted, [
    { text: 'first', mayBeStored: true },
    { text: 'third', mayBeStored: false },
  ])
  assert.deepEqual(reported, [{ file: '0000000000000001.segment.damaged', lost: 18 }])
  assert.equal((await log.waiting()).damaged, 1)
  await log.close()
})

/** A segment of releases whose headers had no checksum. */
function toOldSegment(blocks: readonly string[]): Buffer {
  return Buffer.concat(
    blocks.flatMap((text) => {
      const header = Buffer.alloc(8)
      header.writeUInt32LE(text.length, 0)
      header.writeUInt32LE(crc32(text), 4)
      return [header, Buffer.from(text)]
    }),
  )
}

test('segments of the release before are read, and kept aside if they are damaged', async (t) => {
  const folder = await makeFolder(t)
  const path = join(folder, '0000000000000007.log')
  const bytes = toOldSegment(['first', 'second'])
  await writeFile(path, bytes)
  const whole = await open(folder)
  assert.deepEqual(whole.inserted, [{ text: 'firstsecond', mayBeStored: true }])
  await append(whole.log, 'later')
  assert.deepEqual(await segments(folder), ['0000000000000008.segment'])
  await whole.log.close()
  bytes[13 + 2] = 1
  await writeFile(path, bytes)
  const damaged = await open(folder)
  assert.deepEqual(damaged.inserted, [{ text: 'first', mayBeStored: true }])
  assert.deepEqual(damaged.reported, [{ file: '0000000000000007.log.damaged', lost: 14 }])
  assert.deepEqual(await readFile(`${path}.damaged`), bytes)
  await damaged.log.close()
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

test('a disk that others fill refuses blocks a second later, and takes them again', async (t) => {
  const disk = { freeBytes: 2_000, now: 0 }
  const log = await openLog({
    folder: await makeFolder(t),
    insert: async () => undefined,
    readSpace: async () => ({ freeBytes: disk.freeBytes, leastBytes: 1_000 }),
    now: () => disk.now,
  })
  await append(log, 'a')
  disk.freeBytes = 999
  disk.now = 999
  await append(log, 'b')
  disk.now = 1_000
  const refused = { code: 'unavailable', message: /The disk is nearly full/ }
  await assert.rejects(append(log, 'c'), refused)
  await assert.rejects(append(log, 'd'), refused)
  disk.freeBytes = 1_000
  await append(log, 'e')
  await log.close()
})
