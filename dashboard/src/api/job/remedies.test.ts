import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobFailures } from '../../../../src/lib/failure.ts'
import { placeOf, remedyOf } from './remedies.ts'

test('every error of a job has the advice of the reference', () => {
  for (const [code, { todo }] of Object.entries(jobFailures)) assert.equal(remedyOf(code), todo, code)
  assert.match(remedyOf('new_code'), /send a message/)
})

test('errors that a setting causes name its page; others name no page', () => {
  const places = Object.keys(jobFailures).map((code) => [code, placeOf(code)])
  const byPage = Map.groupBy(places, ([, page]) => page)
  assert.deepEqual(
    ['models', 'jobs', 'repository'].map((page) => byPage.get(page)?.length),
    [2, 3, 7],
  )
  assert.equal(placeOf('constructor'), undefined)
})
