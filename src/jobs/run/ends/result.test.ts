import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitPartsOf, describeBranch } from '../../pulls/description.ts'
import { readResult } from '../../job.ts'
import { toResult } from './result.ts'

test('a reply is in the result, and in no text of the pull request or commit', () => {
  const said = { kind: 'change', title: 'Add it', summary: 'It is there.' } as const
  const replied = { ...said, reply: 'I left b.md alone:\u0000 it is generated.' }
  assert.deepEqual(toResult(replied, ['Careful.']), {
    kind: 'change',
    title: 'Add it',
    text: 'It is there.\n\nDocent adds:\n- Careful.',
    reply: 'I left b.md alone:\ufffd it is generated.',
  })
  assert.equal(toResult(said).reply, null)
  const earlier = { kind: 'change', title: 'Add it', text: 'It is there.' } as const
  assert.equal(readResult(earlier).reply, null)
  assert.deepEqual(describeBranch([replied]), describeBranch([said]))
  assert.deepEqual(commitPartsOf(replied), commitPartsOf(said))
})

test('a run that stops without finishing says that nothing was published', () => {
  const said = { kind: 'question', question: "Done!\nI've added the page.", keptFiles: 2 } as const
  assert.deepEqual(toResult(said), {
    kind: 'question',
    title: 'The agent stopped without finishing: nothing of this run was published.',
    reply: null,
    text: "The agent stopped without finishing: nothing of this run was published.\n\n2 changed files are kept and not checked. Reply “finish” to have them published, or say what to do. The agent's last words:\n\n> Done!\n> I've added the page.",
  })
  assert.match(toResult({ ...said, keptFiles: 0 }).text, /\n\nNo file is changed\. Reply with what to do\. The agent's/)
  assert.equal(toResult({ kind: 'question', question: 'Which page?' }).text, 'Which page?')
})
