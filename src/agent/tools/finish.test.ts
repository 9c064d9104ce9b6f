import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import type { Finish } from '../tool.ts'
import { createFinishTool } from './finish.ts'

const tool = createFinishTool()

async function finishWith(input: unknown): Promise<Finish | undefined> {
  const given = tool.input.safeParse(input)
  if (!given.success) return undefined
  const context = { workspace: createMemoryWorkspace({}), signal: new AbortController().signal }
  return (await tool.run(given.data, context)).finish
}

test('finish takes a title with a summary and a reply, or a reason or a question alone', async () => {
  assert.deepEqual(await finishWith({ title: ' T ', summary: 'S' }), { kind: 'change', title: 'T', summary: 'S' })
  assert.deepEqual(await finishWith({ title: 'T', summary: 'S', reply: ' Because. ' }), {
    kind: 'change',
    title: 'T',
    summary: 'S',
    reply: 'Because.',
  })
  assert.deepEqual(await finishWith({ noChange: 'nothing to do' }), { kind: 'no_change', reason: 'nothing to do' })
  assert.deepEqual(await finishWith({ question: ' Which page? ' }), { kind: 'question', question: 'Which page?' })
  const wrong = [
    {},
    { title: 'T', question: 'x' },
    { noChange: 'x', question: 'x' },
    { question: ' ' },
    { question: 'x'.repeat(40_001) },
    { title: 'T' },
    { reply: 'x' },
    { noChange: 'x', reply: 'x' },
    { question: 'x', reply: 'x' },
    { title: 'T', summary: 'S', reply: ' ' },
    { summary: 'S' },
    { title: 'T', summary: 'S', noChange: 'x' },
    { title: 'a\nb', summary: 'S' },
    { title: 'x'.repeat(121), summary: 'S' },
    { title: ' ', summary: 'S' },
    { noChange: '' },
  ]
  for (const input of wrong) assert.equal(await finishWith(input), undefined, JSON.stringify(input))
})
