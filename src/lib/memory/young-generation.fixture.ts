// A process of its own, whose young generation is as small as at a start: it does not grow while such work runs, and grows
// again after all of it.

import assert from 'node:assert/strict'
import { getHeapSpaceStatistics } from 'node:v8'
import { withoutYoungGrowth } from './young-generation.ts'

function sizeOfYoung(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0
}

/** The young generation grows with the objects that survive. */
function keep(kept: object[]): void {
  for (let at = 0; at < 1_000_000; at += 1) kept.push({ at, text: [at] })
}

const kept: object[] = []
const before = sizeOfYoung()
const loaded = await withoutYoungGrowth(async () => {
  // The end of other work changes nothing.
  await withoutYoungGrowth(() => Promise.resolve())
  keep(kept)
  return sizeOfYoung()
})
assert.ok(loaded <= 2 * before, `${before} before, ${loaded} after loading`)
await assert.rejects(
  withoutYoungGrowth(() => Promise.reject(new Error('no such module'))),
  /no such module/,
)
keep(kept)
assert.ok(sizeOfYoung() > loaded)
assert.equal(kept.length, 2_000_000)
