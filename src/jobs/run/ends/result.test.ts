import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toResult } from './result.ts'

test('a run that stops without finishing says that nothing was published', () => {
  const said = { kind: 'question', question: "Done!\nI've added the page.", keptFiles: 2 } as const
  assert.deepEqual(toResult(said), {
    kind: 'question',
    title: 'The agent stopped without finishing: nothing of this run was published.',
    text: "The agent stopped without finishing: nothing of this run was published.\n\n2 changed files are kept and not checked. Reply “finish” to have them published, or say what to do. The agent's last words:\n\n> Done!\n> I've added the page.",
  })
  assert.match(toResult({ ...said, keptFiles: 0 }).text, /\n\nNo file is changed\. Reply with what to do\. The agent's/)
  assert.equal(toResult({ kind: 'question', question: 'Which page?' }).text, 'Which page?')
})
