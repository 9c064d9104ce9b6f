import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCases, verdictOf } from '../../../test/support/policy-cases.ts'

test('each trick gets the verdict that it should', async () => {
  const wrong: string[] = []
  for (const one of readCases()) {
    const verdict = await verdictOf(one)
    if (verdict !== one.want) wrong.push(`${one.key}: ${verdict}, should be ${one.want}`)
  }
  assert.deepEqual(wrong, [])
})

test('at most 15 % of the tricks may pass', () => {
  const cases = readCases()
  assert.equal(new Set(cases.map(({ key }) => key)).size, cases.length)
  assert.ok(cases.filter(({ want }) => want === 'passes').length <= cases.length * 0.15)
})
