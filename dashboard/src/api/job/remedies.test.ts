import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobFailures } from '../../../../src/lib/failure.ts'
import { remedyOf } from './remedies.ts'

test('every error of a job has the advice of the reference', () => {
  for (const [code, { todo }] of Object.entries(jobFailures)) assert.equal(remedyOf(code), todo, code)
  assert.match(remedyOf('new_code'), /send a message/)
})
