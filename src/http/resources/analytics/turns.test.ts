import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test } from 'node:test'
import { createTurns } from './turns.ts'

test('one piece of the work that waits begins in every second turn, in order', async () => {
  const turn = createTurns()
  const begun: string[] = []
  const pieces = ['a', 'b', 'c'].map(async (name) => {
    await turn()
    begun.push(name)
  })
  const seen: string[] = []
  while (begun.length < pieces.length) {
    await setImmediate()
    seen.push(begun.join(''))
  }
  await Promise.all(pieces)
  const turns = (state: string) => seen.filter((one) => one === state).length
  assert.deepEqual([turns('a'), turns('ab')], [2, 2])
  assert.ok(turns('') >= 1, 'others went first')
})

test('work that comes later waits no longer than the first', async () => {
  const turn = createTurns()
  await turn()
  const order: string[] = []
  await Promise.all([
    turn().then(() => order.push('work')),
    (async () => {
      for (let at = 0; at < 4; at += 1) {
        await setImmediate()
        order.push('other')
      }
    })(),
  ])
  assert.ok(order.indexOf('work') <= 2, order.join(' '))
})
