import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDiskWatch, keepWatchingDisk } from './disk-watch.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'

function watchOf(disk: { freeBytes: number }) {
  const lines: string[] = []
  const read = async () => {
    if (disk.freeBytes < 0) throw new Error('no such folder')
    return { freeBytes: disk.freeBytes, leastBytes: 1_000_000_000 }
  }
  const log = {
    error: (_: object, words: string) => void lines.push(`error: ${words}`),
    info: (_: object, words: string) => void lines.push(`info: ${words}`),
  } as Parameters<typeof createDiskWatch>[0]['log']
  return { watch: createDiskWatch({ folder: '/data', log, read }), lines }
}

test('a disk that fills is one line of level error, and one when it has space again', async () => {
  const disk = { freeBytes: 1_000_000_000 }
  const { watch, lines } = watchOf(disk)
  assert.deepEqual(await watch.look(), { state: 'enough', freeBytes: 1_000_000_000, detail: null })
  assert.deepEqual(lines, [])
  disk.freeBytes = 999_999_999
  const { state, detail } = await watch.look()
  await Promise.all([watch.look(), watch.look()])
  assert.equal(state, 'nearly_full')
  assert.deepEqual(lines, [`error: ${detail}`])
  assert.match(String(detail), /nearly full: 1000 MB are free, less than 1.0 GB\. Page views, .* refused with 503/)
  disk.freeBytes = -1
  assert.deepEqual(await watch.look(), { state: 'nearly_full', freeBytes: null, detail: null })
  disk.freeBytes = 2_000_000_000
  assert.equal((await watch.look()).state, 'enough')
  assert.deepEqual(lines.slice(1), ['info: the disk of the data directory has space again'])
  disk.freeBytes = 0
  await watch.look()
  assert.equal(lines.length, 3)
})

test('the disk is read twice a minute, until the service stops', async () => {
  const disk = { freeBytes: 2_000_000_000 }
  const { watch, lines } = watchOf(disk)
  const clock = createManualClock(new Date('2026-11-10T09:00:00Z'))
  const stop = new AbortController()
  const watched = keepWatchingDisk(watch, clock, stop.signal)
  await clock.untilAsleep(1)
  disk.freeBytes = 0
  await clock.pass(29_000)
  assert.equal(lines.length, 0)
  await clock.pass(1_000)
  assert.equal(lines.length, 1)
  stop.abort()
  await watched
})
