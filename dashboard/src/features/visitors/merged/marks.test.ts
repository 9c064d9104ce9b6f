import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pull } from '../../../api/pulls.ts'
import { marksOf } from './marks.ts'

const pull = (number: number, mergedAt: string | null) => ({ number, forge: 'docent', mergedAt }) as Pull

test('a merge stands in the interval with its day, in the zone of the project', () => {
  const pulls = [pull(3, '2026-11-09T11:30:00Z'), pull(2, '2026-11-02T20:00:00Z'), pull(1, null)]
  const marks = marksOf(pulls, ['2026-11-02', '2026-11-09', '2026-11-10'], 'Pacific/Auckland')
  assert.deepEqual(
    marks.map(({ id, date, day }) => [id, date, day]),
    [
      ['docent 2', '2026-11-02', '2026-11-03'],
      ['docent 3', '2026-11-10', '2026-11-10'],
    ],
  )
  assert.deepEqual(marksOf(pulls, ['2026-11-11'], 'UTC'), [])
})
