import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTally } from './tally.ts'

test('each reason keeps three examples, and the most frequent reason comes first', () => {
  const tally = createTally()
  tally.reject('b', 'other')
  for (let n = 0; n < 4; n += 1) {
    const part = createTally()
    part.accept(10)
    for (const line of ['1', '2']) part.reject('a', `${n}${line}`)
    tally.add(part)
  }
  assert.deepEqual(tally.counts(), {
    lines: 49,
    accepted: 40,
    rejected: [
      { reason: 'a', count: 8, examples: ['01', '02', '11'] },
      { reason: 'b', count: 1, examples: ['other'] },
    ],
  })
})
