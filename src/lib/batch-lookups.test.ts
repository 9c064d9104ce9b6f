import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchLookups } from './batch-lookups.ts'

type Row = { readonly id: string; readonly version: number }

function arrange(load?: (keys: readonly string[]) => Promise<readonly Row[]>) {
  const asked: (readonly string[])[] = []
  const state = { version: 1 }
  const read = batchLookups<Row>(
    async (keys) => {
      asked.push(keys)
      return load ? load(keys) : keys.filter((key) => key !== 'none').map((id) => ({ id, version: state.version }))
    },
    (row) => row.id,
  )
  return { asked, state, read }
}

test('calls at the same moment share one look-up, and each gets its own row', async () => {
  const { asked, read } = arrange()
  const rows = await Promise.all(['a', 'b', 'none', 'a'].map((key) => read(key)))
  assert.deepEqual(
    rows.map((row) => row?.id),
    ['a', 'b', undefined, 'a'],
  )
  assert.deepEqual(asked, [['a', 'b', 'none']])
})

test('nothing is cached: a later call reads the new row', async () => {
  const { state, read } = arrange()
  assert.equal((await read('a'))?.version, 1)
  state.version = 2
  assert.equal((await read('a'))?.version, 2)
})

test('a failed look-up fails for all of its callers, and not for later ones', async () => {
  let fails = true
  const { read } = arrange(async (keys) => {
    if (fails) throw new Error('away')
    return keys.map((id) => ({ id, version: 1 }))
  })
  const both = await Promise.allSettled([read('a'), read('b')])
  assert.deepEqual(
    both.map((one) => one.status),
    ['rejected', 'rejected'],
  )
  fails = false
  assert.equal((await read('a'))?.id, 'a')
})
