import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toResponse } from '../../../../test/support/scripted-loop.ts'
import { Failure } from '../../../lib/failure.ts'
import { type AtBudget, endAtBudget } from './at-budget.ts'

const failure = new Failure('budget_exceeded', 'The run used up its budget of 5 turns.')
const saying = (text: string, number: number) => {
  return { number, input: [], response: { ...toResponse([], number), text }, results: [] }
}
const at: AtBudget = {
  failure,
  wanted: 'publish',
  budget: { turns: 5, tokens: 1, costUsd: 1, seconds: 1, changedFiles: 2, changedBytes: 1_000 },
  changed: { files: 2, bytes: 1_000 },
  prompts: ['Rename Acme\nin all guides'],
  turns: [
    saying('I look around.', 1),
    saying('First the guides.', 2),
    saying('', 3),
    saying('Now the API.\n> Then links.', 4),
    saying('', 5),
  ],
}

test('the finish of the service has only facts: what was asked, changed and said', () => {
  assert.deepEqual(endAtBudget(at), {
    kind: 'change',
    title: 'Part: Rename Acme',
    summary: [
      'This is a part of the work. The run used up its budget of 5 turns. The agent had changed 2 files, 1,000 bytes, and it had not finished. To continue, send the job a message.',
      'The job was asked for:',
      '> Rename Acme\n> in all guides',
      'The last words of the agent:',
      '> First the guides.',
      '> Now the API.\n> > Then links.',
    ].join('\n\n'),
    unfinished: 'The run used up its budget of 5 turns.',
  })
})

test('its title is one short line, and long texts are cut', () => {
  const long = endAtBudget({
    ...at,
    prompts: ['\u001b' + 'y'.repeat(100), ...Array.from({ length: 6 }, () => 'x'.repeat(50_000))],
  })
  assert.ok(long.kind === 'change')
  assert.equal(long.title, `Part: \ufffd${'y'.repeat(99)}…`)
  assert.match(long.summary, /The last 5 of 7 messages asked for:/)
  assert.ok(long.summary.length < 8_000, String(long.summary.length))
  const empty = endAtBudget({ ...at, prompts: [' \n'], turns: [] })
  assert.ok(empty.kind === 'change')
  assert.equal(empty.title, 'Part: Update the documentation')
  assert.match(empty.summary, /did not say/)
})

test('otherwise the error says what is kept and how to continue', () => {
  const table: readonly (readonly [Partial<AtBudget>, string])[] = [
    [{ wanted: 'keep' }, '2 changed files are kept: send a message to continue, or set onBudgetEnd to publish.'],
    [
      { wanted: 'keep', changed: { files: 1, bytes: 0 } },
      '1 changed file is kept: send a message to continue, or set onBudgetEnd to publish.',
    ],
    [{ changed: { files: 0, bytes: 0 } }, 'No file is changed: send a message to continue.'],
    [
      { changed: { files: 3, bytes: 1 } },
      '3 changed files are kept, not published: send a message that says what to undo, or raise the budget.',
    ],
    [
      { changed: { files: 1, bytes: 1_001 } },
      '1 changed file is kept, not published: send a message that says what to undo, or raise the budget.',
    ],
  ]
  for (const [given, words] of table) {
    const message = `The run used up its budget of 5 turns. ${words}`
    assert.throws(() => endAtBudget({ ...at, ...given }), { code: 'budget_exceeded', message })
  }
})
