import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { JobEvent } from '../../api/jobs.ts'
import { progressOf, subjectOf, toItems } from './items.ts'

const own = { createdAt: '2026-11-20T09:00:00.000Z', runId: 'run_1' }
const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 }

function turn(id: number, calls: readonly { readonly name: string; readonly input: string }[]): JobEvent {
  return {
    ...own,
    id,
    type: 'turn',
    number: id,
    text: '',
    calls: [...calls],
    usage,
    total: { ...usage, costUsd: 0, turns: 1 },
  }
}

suite('the lines of a transcript', () => {
  test('a call has its subject, and its result once that has come', () => {
    const read = { name: 'read_file', input: '{"path":"guides/a \\"b\\".md"}' }
    const results: JobEvent = {
      ...own,
      id: 2,
      type: 'results',
      turn: 1,
      results: [{ tool: 'read_file', isError: true, summary: 'There is no such file.' }],
      changed: { files: 0, bytes: 0 },
    }
    const call = (events: readonly JobEvent[]) => {
      const [item] = toItems(events)
      return item?.kind === 'turn' ? item.calls[0] : undefined
    }
    assert.deepEqual(call([turn(1, [read])]), { index: 0, ...read, subject: 'guides/a "b".md', result: undefined })
    assert.equal(call([turn(1, [read]), results])?.result?.summary, 'There is no such file.')
  })

  test('a result stands without brackets, and does not repeat its subject', () => {
    const shown = (path: string, summary: string) => {
      const results = [{ tool: 'read_file', isError: false, summary }]
      const read = { name: 'read_file', input: JSON.stringify({ path }) }
      const changed = { files: 0, bytes: 0 }
      const [item] = toItems([turn(1, [read]), { ...own, id: 2, type: 'results', turn: 1, results, changed }])
      return item?.kind === 'turn' ? item.calls[0]?.result?.summary : undefined
    }
    assert.equal(shown('', '[30 files]'), '30 files')
    assert.equal(shown('a/[id].md', '[all 42 lines of a/[id].md]'), 'all 42 lines')
    assert.equal(shown('a.md', '[all 9 lines of a.md; it goes on]'), 'all 9 lines; it goes on')
    assert.equal(shown('a.md', '[changed a.md: lines 2-3; 2 edits made]'), 'lines 2-3; 2 edits made')
    assert.equal(shown('', '[a] and [b]'), '[a] and [b]')
  })

  test('the subject is found in a cut input, and a strange one is no error', () => {
    assert.equal(subjectOf('{"path":"a/very long… [cut]'), 'a/very long… [cut]')
    assert.equal(subjectOf('{"pattern":"x\\'), 'x')
    assert.equal(subjectOf('{"edits":[1]}'), '')
    assert.equal(subjectOf(''), '')
  })

  test('the end of a turn is what the agent said, not a call', () => {
    const input = '{"title":"Renamed","summary":"In 3\\nfiles.","reply":"Because."}'
    const [item] = toItems([turn(1, [{ name: 'finish', input }])])
    assert.ok(item?.kind === 'turn')
    assert.deepEqual([item.finished, item.calls], [{ title: 'Renamed', text: 'In 3\nfiles.', reply: 'Because.' }, []])
  })

  test('a question is what the agent said, and the end of the job names it', () => {
    const result = { kind: 'question', title: 'Which?', text: 'Which?', reply: null } as const
    const ended = { status: 'completed', outcome: 'needs_input', result, prLink: '/pulls/1', error: null } as const
    const [asked, end] = toItems([
      turn(1, [{ name: 'finish', input: '{"question":"Which?"}' }]),
      { ...own, id: 2, type: 'job_ended', ...ended },
    ])
    assert.deepEqual(asked?.kind === 'turn' && asked.finished, { title: '', text: 'Which?', reply: '' })
    assert.deepEqual(end?.kind === 'note' && end.text, 'The run ended with a question')
  })

  test('phases and successful ends of runs make no line', () => {
    const events: JobEvent[] = [
      { ...own, id: 1, type: 'phase', phase: 'editing' },
      { ...own, id: 2, type: 'run_ended', error: null },
      { ...own, id: 3, type: 'run_ended', error: { code: 'internal', message: 'It broke.' } },
      { ...own, id: 4, type: 'job_ended', status: 'failed', outcome: null, result: null, prLink: null, error: null },
    ]
    assert.deepEqual(
      toItems(events).map(({ id, kind }) => [id, kind]),
      [[3, 'failure']],
    )
  })

  test('the progress of a check is shown until something else happens', () => {
    const progress: JobEvent = { ...own, id: 2, type: 'progress', phase: 'checking', done: 1_200, total: 5_000 }
    assert.equal(progressOf([turn(1, []), progress]), 'Checking the documentation: 1,200 of 5,000 files')
    assert.equal(progressOf([progress, turn(3, [])]), undefined)
    assert.equal(progressOf([]), undefined)
    assert.deepEqual(toItems([progress]), [])
  })
})
