// Several processes with one data directory: which of them waits, how long, and with which result.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import { lockDirectory } from '../lib/directory-lock.ts'
import { enterDirectory } from './data-directory.ts'
import { socketPath } from './socket.ts'

async function createPlace(t: TestContext) {
  const dataDir = await temporaryFolder('directory')
  t.after(() => removeFolder(dataDir))
  return { dataDir }
}

/** A clock without waiting: `then` happens in each sleep. Counts the milliseconds that were slept. */
function countingClock(then: () => unknown) {
  const slept = { ms: 0 }
  const sleep = async (ms: number) => {
    slept.ms += ms
    await then()
  }
  return { slept, clock: { now: () => new Date(), sleep } }
}

test('a free data directory is held at once', async (t) => {
  const place = await createPlace(t)
  const { clock, slept } = countingClock(() => assert.fail('there is nothing to wait for'))
  const lock = await enterDirectory(place, { clock, onWait: () => assert.fail('there is nothing to wait for') })
  assert.notEqual(lock, 'served')
  assert.equal(lockDirectory(place.dataDir), undefined)
  if (lock !== 'served') lock.release()
  assert.equal(slept.ms, 0)
})

test('a data directory that a command holds is held as soon as the command ends', async (t) => {
  const place = await createPlace(t)
  const held = lockDirectory(place.dataDir)
  const { clock, slept } = countingClock(() => slept.ms >= 29_000 && held?.release())
  let waits = 0
  const lock = await enterDirectory(place, { clock, onWait: () => (waits += 1) })
  assert.notEqual(lock, 'served')
  if (lock !== 'served') lock.release()
  assert.equal(waits, 1)
})

test('waiting for a data directory ends after 30 seconds', async (t) => {
  const place = await createPlace(t)
  const held = lockDirectory(place.dataDir)
  t.after(() => held?.release())
  const { clock, slept } = countingClock(() => undefined)
  await assert.rejects(enterDirectory(place, { clock, onWait: () => undefined }), { code: 'data_in_use' })
  assert.equal(slept.ms, 30_000)
})

test('a service that starts while a command waits is found by its socket', async (t) => {
  const place = await createPlace(t)
  const held = lockDirectory(place.dataDir)
  t.after(() => held?.release())
  const server = createServer()
  t.after(() => server.close())
  const { clock } = countingClock(async () => {
    if (!server.listening) await once(server.listen(socketPath(place)), 'listening')
  })
  assert.equal(await enterDirectory(place, { clock, onWait: () => undefined }), 'served')
})

test('a socket without a lock is left of a process that was killed', async (t) => {
  const place = await createPlace(t)
  const server = createServer()
  t.after(() => server.close())
  await once(server.listen(socketPath(place)), 'listening')
  const { clock } = countingClock(() => assert.fail('there is nothing to wait for'))
  const lock = await enterDirectory(place, { clock, onWait: () => assert.fail('there is nothing to wait for') })
  assert.notEqual(lock, 'served')
  if (lock !== 'served') lock.release()
})

test('waiting for a data directory ends when it is stopped', async (t) => {
  const place = await createPlace(t)
  const held = lockDirectory(place.dataDir)
  t.after(() => held?.release())
  const stop = new AbortController()
  const { clock, slept } = countingClock(() => stop.abort())
  const entered = enterDirectory(place, { clock, onWait: () => undefined, signal: stop.signal })
  await assert.rejects(entered, { code: 'data_in_use' })
  assert.equal(slept.ms, 200)
})

test('a data directory that cannot be created is an invalid setting', async (t) => {
  const { dataDir } = await createPlace(t)
  const held = lockDirectory(dataDir)
  t.after(() => held?.release())
  const place = { dataDir: join(dataDir, 'lock.db', 'below-a-file') }
  const { clock } = countingClock(() => assert.fail('waiting does not help'))
  await assert.rejects(enterDirectory(place, { clock, onWait: () => undefined }), { code: 'config_invalid' })
})
