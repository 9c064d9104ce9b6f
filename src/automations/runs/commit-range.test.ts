// The commits of a run, as the model is given them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countNamed, giveCommits } from './commit-range.ts'

const idOf = (number: number) => number.toString(16).padStart(40, 'a')
const commit = (number: number, parent: number) => {
  const names = { subject: `feat: number ${number}`, author: 'Ada', generation: 0 }
  return { commit: idOf(number), parent: idOf(parent), ...names }
}
const place = { repository: 'https://example.com/api.git', source: 'api' }

test('a run is given no more commits than its prompt and its data name', () => {
  // Every other commit concerns the docs, so no two of them make a range.
  const apart = Array.from({ length: 200 }, (_, at) => commit(2 * at + 2, 2 * at + 1))
  const inRow = Array.from({ length: 200 }, (_, at) => commit(at + 2, at + 1))
  assert.deepEqual([apart, inRow, inRow.slice(0, 3)].map(countNamed), [60, 200, 3])
  // The last range of the prompt ends after the list.
  assert.equal(countNamed([...apart.slice(0, 19), ...inRow.slice(50, 150), ...apart.slice(150)]), 119)
  const given = apart.slice(0, countNamed(apart))
  const [first, ...others] = given
  assert.ok(first)
  const { words, data } = giveCommits([first, ...others], place, (text) => text)
  for (const { commit: id } of given) assert.ok(`${words} ${JSON.stringify(data)}`.includes(id.slice(0, 12)), id)
})
