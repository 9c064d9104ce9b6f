import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Circle, findCircle } from './circling.ts'
import { circleNotice, newRunNotice } from './notices/notices.ts'
import { type StoredResult, type Turn, userMessage } from './transcript.ts'

type Made = {
  readonly tool: string
  readonly input: unknown
  readonly text: string
  readonly facts?: StoredResult['facts']
}

const read = (path: string): Made => ({ tool: 'read_file', input: { path }, text: `the text of ${path}` })
const finish = (summary: string): Made => {
  const input = { title: 't', summary }
  return { tool: 'finish', input, text: 'Not finished: no.', facts: { refusal: 'policy' } }
}

function toTurn(calls: readonly Made[], number: number): Turn {
  const ids = calls.map((_, index) => `call_${number}_${index}`)
  const content = calls.map(({ tool, input }, index) => {
    return { type: 'tool-call' as const, toolCallId: ids[index] ?? '', toolName: tool, input }
  })
  const results = calls.map(({ tool, text, facts }, index): StoredResult => {
    return { callId: ids[index] ?? '', tool, text, isError: false, ...(facts ? { facts } : {}) }
  })
  const response = {
    model: 'm',
    messages: [{ role: 'assistant' as const, content }],
    calls: [],
    text: '',
    finishReason: 'tool-calls' as const,
    usage: { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, costUsd: null },
  }
  return { number, input: number === 1 ? [userMessage('go')] : [], response, results }
}

const toTurns = (script: readonly (readonly Made[])[]) => script.map((calls, index) => toTurn(calls, index + 1))

/** Returns the finding after each turn, as `turn:stage`, up to the end of the run. */
function follow(turns: readonly Turn[]): readonly string[] {
  const found: string[] = []
  for (let count = 1; count <= turns.length; count += 1) {
    const circle = findCircle(turns.slice(0, count))
    if (circle) found.push(`${count}:${circle.stage}`)
    if (circle?.stage === 'end') break
  }
  return found
}

const repeat = (pattern: readonly (readonly Made[])[], times: number) =>
  Array.from({ length: times }, () => pattern).flat()
const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(read)

test('messages that came together may each begin with the same call', () => {
  const turns = toTurns(repeat([[letters[0] ?? finish('')]], 8))
  const together = turns.map((turn) => ({ ...turn, input: turn.input.flatMap((one) => [one, one, one]) }))
  assert.deepEqual(
    [follow(turns), follow(together)],
    [
      ['3:notice', '4:end'],
      ['5:notice', '6:end'],
    ],
  )
})

test('a cycle of one to four calls gets a notice the third time and ends the fourth', () => {
  for (const period of [1, 2, 3, 4]) {
    const singly = letters.slice(0, period).map((call) => [call])
    assert.deepEqual(follow(toTurns(repeat(singly, 5))), [`${period * 3}:notice`, `${period * 4}:end`])
    assert.deepEqual(follow(toTurns(repeat([letters.slice(0, period)], 5))), ['3:notice', '4:end'])
  }
})

test('turns of more than four calls that repeat are a circle too', () => {
  assert.deepEqual(follow(toTurns(repeat([letters], 5))), ['3:notice', '4:end'])
  assert.deepEqual(follow(toTurns(repeat([letters.slice(0, 5), letters.slice(5)], 5))), ['6:notice', '8:end'])
})

test('a circle that began after other work is found', () => {
  const turns = toTurns([[read('x')], [read('y'), read('a')], ...repeat([[read('a')], [read('b')]], 5)])
  assert.deepEqual(follow(turns), ['8:notice', '10:end'])
})

test('many equal calls in one turn get a notice before they end the run', () => {
  assert.deepEqual(follow(toTurns(repeat([repeat([[read('a')]], 9).flat()], 3))), ['1:notice', '2:end'])
})

test('repeated writes of the same content with a refused finish are a cycle', () => {
  const write: Made = { tool: 'write_file', input: { path: 'a', content: 'b' }, text: '[a has this content already]' }
  const script = Array.from({ length: 9 }, (_, index) => [[write], [finish(`try ${index}`)]]).flat()
  assert.deepEqual(follow(toTurns(script)), ['6:notice', '8:end'])
  assert.equal(findCircle(toTurns(script.slice(0, 8)))?.holdsRefusal, true)
  assert.equal(findCircle(toTurns(repeat([[read('a')]], 4)))?.holdsRefusal, false)
})

test('wrong calls that the messages answer already are a circle', () => {
  const turns = toTurns(repeat([[{ tool: 'fly', input: {}, text: '' }]], 6)).map((turn, index): Turn => {
    const output = { type: 'error-text' as const, value: 'no such tool' }
    const result = { type: 'tool-result' as const, toolCallId: `call_${index + 1}_0`, toolName: 'fly', output }
    const messages = [...(turn.response?.messages ?? []), { role: 'tool' as const, content: [result] }]
    return { ...turn, response: turn.response && { ...turn.response, messages }, results: [] }
  })
  assert.deepEqual(follow(turns), ['3:notice', '4:end'])
})

test('other results of the same call are no circle', () => {
  const script = Array.from({ length: 20 }, (_, index) => [{ ...read('a'), text: `version ${index}` }])
  assert.deepEqual(follow(toTurns(script)), [])
})

test('a long circle without an order ends as turns that bring nothing new', () => {
  const order = [0, 3, 1, 5, 2, 4, 5, 0, 2, 3, 1, 4, 0, 5, 3, 2, 4, 1, 0, 2, 5, 4, 3, 1, 0, 4, 2, 1, 5, 3]
  const found = follow(toTurns(order.map((index) => letters.slice(index, index + 1))))
  assert.deepEqual(found, ['14:notice', '22:end'])
})

test('a message of the user begins a new count, a notice does not', () => {
  const turns = toTurns(repeat([[read('a')]], 5))
  const withInput = (input: Turn['input']) => turns.map((turn, index) => (index === 2 ? { ...turn, input } : turn))
  assert.deepEqual(follow(withInput([userMessage('again')])), ['5:notice'])
  assert.deepEqual(follow(withInput([circleNotice('did it'), newRunNotice(0)])), ['3:notice', '4:end'])
})

test('reading any number of pages, once more after each edit, never ends a run', () => {
  const script = fc
    .array(fc.record({ pages: fc.integer({ min: 1, max: 60 }), batch: fc.integer({ min: 1, max: 20 }) }), {
      maxLength: 8,
    })
    .map((rounds) => {
      return rounds.flatMap(({ pages, batch }, round) => {
        const calls = Array.from({ length: pages }, (_, index) => read(`p/${index}`))
        const turns = Array.from({ length: Math.ceil(pages / batch) }, (_, turn) => {
          return calls.slice(turn * batch, (turn + 1) * batch)
        })
        return [...turns, [{ tool: 'edit_file', input: { round }, text: `[changed ${round}]` }]]
      })
    })
  const ends = (found: Circle | undefined) => found?.stage === 'end'
  fc.assert(
    fc.property(script, (turns) => {
      const stored = toTurns(turns)
      for (let count = 1; count <= stored.length; count += 1) assert.ok(!ends(findCircle(stored.slice(0, count))))
    }),
    { numRuns: 60 },
  )
})
