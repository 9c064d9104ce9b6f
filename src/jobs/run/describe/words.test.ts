import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUnmet, readWords, type WordsCase } from '../../../../test/support/policy-cases.ts'
import { describeBranch, summaryOf, titleOf } from './description.ts'

test('the words of the model have no powers on forges, except the listed ones', () => {
  const unmet = readWords().flatMap((one) => {
    const text = publishedOf(one)
    return one.gone.some((power) => text.includes(power)) ? [`${one.place}: ${one.name}`] : []
  })
  assert.deepEqual(unmet, readUnmet('unmet-words.txt'))
})

function publishedOf({ place, text }: WordsCase): string {
  const finish = { kind: 'change', title: place === 'title' ? text : 'Fix', summary: text } as const
  if (place === 'title') return titleOf(finish)
  return place === 'body' ? describeBranch([finish]).body : `${titleOf(finish)}\n\n${summaryOf(finish)}`
}
