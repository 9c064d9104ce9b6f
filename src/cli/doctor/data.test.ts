import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPageViewLog } from './data.ts'

test('page views that wait too long are a warning that says what to do', () => {
  assert.deepEqual(checkPageViewLog({ bytes: 0, seconds: 0 }), {
    about: 'log of page views',
    state: 'ok',
    says: 'empty',
  })
  const short = checkPageViewLog({ bytes: 2_400_000, seconds: 1.2 })
  assert.deepEqual([short.state, short.says], ['ok', '2.4 MB wait to be inserted, the oldest for 1 s'])
  const long = checkPageViewLog({ bytes: 2_400_000, seconds: 31 })
  assert.equal(long.state, 'warning')
  assert.match(long.todo ?? '', /log of the service/)
})
