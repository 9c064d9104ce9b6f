import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWords, type WordsCase } from '../../../../test/support/policy-cases.ts'
import { bodyOn, commitPartsOf, describeBranch } from '../../pulls/description.ts'

test('the words of the model have no powers on forges', async () => {
  for (const one of readWords()) {
    const text = await publishedOf(one)
    for (const power of one.gone) assert.ok(!text.includes(power), `${one.place}: ${one.name}: ${text}`)
  }
})

async function publishedOf({ place, text }: WordsCase): Promise<string> {
  const finish = { kind: 'change', title: place === 'title' ? text : 'Fix', summary: text } as const
  if (place === 'title') return describeBranch([finish]).title
  if (place === 'commit') return Object.values(commitPartsOf(finish)).join('\n\n')
  return await bodyOn('gitlab', describeBranch([finish]).body, () => Promise.resolve({ code: [], signs: [] }))
}
