// A process of its own, whose young generation is as small as at a start: it does not grow while such work runs, grows
// again after all of it, and stays below a limit.

import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { limitYoungGeneration, withoutYoungGrowth, youngBytes } from './young-generation.ts'

/** The young generation grows with the objects that survive. */
function keep(kept: object[], count = 1_000_000): void {
  for (let at = 0; at < count; at += 1) kept.push({ at, text: [at] })
}

const kept: object[] = []
const before = youngBytes()
const loaded = await withoutYoungGrowth(async () => {
  // The end of other work changes nothing.
  await withoutYoungGrowth(() => Promise.resolve())
  keep(kept)
  return youngBytes()
})
assert.ok(loaded <= 2 * before, `${before} before, ${loaded} after loading`)
await assert.rejects(
  withoutYoungGrowth(() => Promise.reject(new Error('no such module'))),
  /no such module/,
)
const unlimit = limitYoungGeneration(4 * loaded)
// The observer of collections runs between pieces of work, as requests are.
for (let piece = 0; piece < 200; piece += 1) {
  keep(kept, 5_000)
  await setImmediate()
}
const limited = youngBytes()
assert.ok(limited > loaded && limited <= 4 * loaded, `${loaded} after loading, ${limited} with a limit`)
unlimit()
keep(kept)
assert.ok(youngBytes() > limited, `${limited} with a limit, ${youngBytes()} without`)
assert.equal(kept.length, 3_000_000)
