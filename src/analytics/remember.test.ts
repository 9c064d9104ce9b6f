import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { remember } from './remember.ts'

function counted() {
  const asked: string[] = []
  const lengthOf = remember((text) => {
    asked.push(text)
    return text.length % 2 === 0 ? undefined : text.length
  })
  return { asked, lengthOf }
}

test('a text is computed once, also if the result is undefined', () => {
  const { asked, lengthOf } = counted()
  for (const text of ['a', 'ab', 'a', 'ab', '']) assert.equal(lengthOf(text), text.length % 2 === 0 ? undefined : 1)
  assert.deepEqual(asked, ['a', 'ab', ''])
})

test('texts of late are kept, others are forgotten', () => {
  const { asked, lengthOf } = counted()
  lengthOf('first')
  for (let n = 0; n < 10_000; n += 1) lengthOf(String(n))
  lengthOf('first')
  assert.equal(asked.length, 10_001)
  for (let n = 10_000; n < 20_000; n += 1) lengthOf(String(n))
  lengthOf('first')
  assert.equal(asked.length, 20_001)
  for (let n = 20_000; n < 45_000; n += 1) lengthOf(String(n))
  lengthOf('first')
  assert.equal(asked.filter((text) => text === 'first').length, 2)
})

test('results of long texts are not kept', () => {
  const { asked, lengthOf } = counted()
  for (const length of [512, 513]) for (let n = 0; n < 2; n += 1) lengthOf('x'.repeat(length))
  assert.deepEqual(
    asked.map(({ length }) => length),
    [512, 513, 513],
  )
})

test('a text that was cut from a long one does not keep that in memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { lengthOf } = counted()
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (let n = 0; n < 3_000; n += 1) lengthOf(`/page-of-a-site-${n}?${'x'.repeat(20_000)}`.split('?')[0] ?? '')
  const grown = used() - before
  // It is still in use, so its texts were not collected.
  assert.equal(lengthOf('a'), 1)
  assert.ok(grown < 20_000_000, `${grown} bytes`)
})
