// The edges of what a run may use: each budget at its value and one beyond, and the ways in which a model gets nowhere.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrange, type Call, done, lastText, nothing, toResponse, write } from '../../test/support/scripted-loop.ts'
import type { Budget } from './budget/budget.ts'
import type { FailedAttempt, Model } from './model/types.ts'
import { type LoopContext, runLoop } from './loop.ts'
import { countIdleTurns } from './ends/idle.ts'
import { refuseFinish } from './ends/refuse-finish.ts'
import { idleNotice, kindOf } from './notices/notices.ts'
import { type Turn, userMessage } from './transcript.ts'

/** Turns that each write another file, then a finish: one response takes 11 tokens, half a dollar and one second. */
async function run(turns: number, budget: Partial<Budget>, changed?: LoopContext['changed']) {
  const script = Array.from({ length: turns - 1 }, (_, index) => [write(`f${index}`)])
  const { context, requests } = arrange([...script, [done]])
  const now = () => new Date(requests.length * 1_000)
  const unlimited = Object.fromEntries(Object.keys(context.budget).map((key) => [key, Infinity])) as Budget
  const limited: LoopContext = {
    ...context,
    clock: { ...context.clock, now },
    startedAt: new Date(0),
    budget: { ...unlimited, ...budget },
    ...(changed ? { changed } : {}),
  }
  const end = await runLoop(limited, []).catch((error: unknown) => error)
  return { end: end instanceof Error ? end.message : 'finished', requests: requests.length }
}

test('an attempt that broke off counts in the budgets of tokens and money', async () => {
  const usage = { inputTokens: 70, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 20, costUsd: 3 }
  const attempt: FailedAttempt = { id: 'att_1', model: 'test/model', cause: 'broken', usage, isEstimate: true }
  for (const budget of [{ tokens: 101 }, { costUsd: 3.5 }]) {
    const { context, turns } = arrange([[write('a')], [done]])
    const { model } = context
    const respond: Model['respond'] = async (request, signal) => {
      await request.saveAttempt?.(attempt)
      return model.respond(request, signal)
    }
    const limited = { ...context, model: { ...model, respond }, budget: { ...context.budget, ...budget } }
    await assert.rejects(runLoop(limited, []), { code: 'budget_exceeded' })
    assert.equal(turns.length, 1)
    await assert.rejects(runLoop(limited, turns), { code: 'budget_exceeded' })
    // The process died after it stored the attempt.
    const resumed = arrange([[write('a')], [done]])
    const stored = {
      number: 1,
      input: [userMessage('do it')],
      failed: [attempt],
      response: undefined,
      results: undefined,
    }
    resumed.turns.push(stored)
    const again = { ...resumed.context, budget: limited.budget }
    await assert.rejects(runLoop(again, [stored]), { code: 'budget_exceeded' })
    assert.deepEqual(
      resumed.requests.map(({ failed }) => failed),
      [[attempt]],
    )
  }
})

test('a run of three turns fits a budget of three, not of two', async () => {
  const used = { turns: 3, tokens: 33, costUsd: 1.5, seconds: 3 }
  const names = { turns: 'turns', tokens: 'tokens', costUsd: 'US dollars', seconds: 'seconds' }
  const perTurn = { turns: 1, tokens: 11, costUsd: 0.5, seconds: 1 }
  for (const key of ['turns', 'tokens', 'costUsd', 'seconds'] as const) {
    assert.deepEqual(await run(3, { [key]: used[key] }), { end: 'finished', requests: 3 }, key)
    // A used-up budget ends the run before the third turn; the smallest amount that is left allows it.
    const spent = used[key] - perTurn[key]
    const end = `The run used up its budget of ${spent} ${names[key]}.`
    assert.deepEqual(await run(3, { [key]: spent }), { end, requests: 2 }, key)
    assert.deepEqual(await run(3, { [key]: spent + 0.001 }), { end: 'finished', requests: 3 }, key)
  }
})

test('a run may change as many files and bytes as its budget says, not one more', async () => {
  for (const [key, name] of [
    ['changedFiles', 'changed files'],
    ['changedBytes', 'bytes of changed files'],
  ] as const) {
    const changed = () => ({ files: 5, bytes: 5 })
    assert.deepEqual(await run(2, { [key]: 5 }, changed), { end: 'finished', requests: 2 }, key)
    const over = await run(2, { [key]: 4 }, changed)
    assert.deepEqual(over, { end: `The run used up its budget of 4 ${name}.`, requests: 0 }, key)
  }
})

test('the finish may have as many files and bytes as the budget says, not one more', async () => {
  const budget = { changedFiles: 5, changedBytes: 50 }
  const change = { kind: 'change', title: 'A title', summary: 'A summary.' } as const
  for (const [files, bytes, code] of [
    [5, 50, undefined],
    [6, 50, 'over_budget'],
    [5, 51, 'over_budget'],
  ] as const) {
    const refused = await refuseFinish(change, { budget, changed: () => ({ files, bytes }) }, [])
    assert.equal(refused?.code, code)
  }
})

test('a run that begins beyond its budget of changes may go on until they grow', async () => {
  for (const [files, requests] of [
    [6, 1],
    [7, 0],
  ] as const) {
    const { context, requests: asked } = arrange([[nothing]])
    const changed = () => ({ files, bytes: 60 })
    const carried = { files: 6, bytes: 60 }
    const budget = { ...context.budget, changedFiles: 5, changedBytes: 50 }
    await runLoop({ ...context, changed, carried, budget }, []).catch(() => undefined)
    assert.equal(asked.length > 0 ? 1 : 0, requests, String(files))
  }
})

test('a run at its budget ends with the finish of the service, after its last turn', async () => {
  const { context, requests, turns } = arrange([[write('a')], [write('b')], [done]])
  const part = { kind: 'change', title: 'Part: a', summary: 's', unfinished: 'turns' } as const
  const ended: unknown[] = []
  const end = await runLoop(
    {
      ...context,
      budget: { ...context.budget, turns: 2 },
      endAtBudget: ({ message }, all) => {
        ended.push(message, all.length)
        return Promise.resolve(part)
      },
      store: { ...context.store, saveFinish: (finish) => Promise.resolve(void ended.push(finish)) },
    },
    [],
  )
  assert.deepEqual([end, requests.length, turns.length], [part, 2, 2])
  assert.deepEqual(ended, ['The run used up its budget of 2 turns.', 2, part])
})

const budgetNotices = (turns: readonly Turn[]) =>
  turns.flatMap(({ number, input }) =>
    input
      .filter((message) => kindOf(message) === 'budget')
      .map((message) => [number, JSON.stringify(message)] as const),
  )

test('the model is warned once, before the turn at which 80 % of a budget is used', async () => {
  const script = Array.from({ length: 9 }, (_, index) => [write(`f${index}`)])
  const { context, turns } = arrange([...script, [done]])
  const changed = () => ({ files: 1, bytes: 1 })
  await runLoop({ ...context, changed, budget: { ...context.budget, turns: 10 } }, [])
  const [[number, text] = [], ...others] = budgetNotices(turns)
  assert.deepEqual([number, others], [9, []])
  assert.match(text ?? '', /: 2 of 10 turns left\. Finish/)
})

test('a run that continues elsewhere is not warned again, and of another budget once', async () => {
  const warned = arrange([[write('a')], [write('b')], [write('c')], [write('d')], [done]])
  const budget = { ...warned.context.budget, turns: 5, changedFiles: 100 }
  await runLoop({ ...warned.context, budget }, [])
  assert.deepEqual(
    budgetNotices(warned.turns).map(([number]) => number),
    [5],
  )
  const stored = [...warned.turns]
  const again = arrange([[write('e')], [done]])
  again.turns.push(...stored)
  const seconds = { now: () => new Date(48_000) }
  const limits = { ...budget, turns: 7, seconds: 60 }
  const moved = { ...again.context, startedAt: new Date(0), clock: { ...again.context.clock, ...seconds } }
  await runLoop({ ...moved, budget: limits }, stored)
  const [, second, ...others] = budgetNotices(again.turns)
  assert.deepEqual([second?.[0], others], [6, []])
  assert.match(second?.[1] ?? '', /: 12 of 60 seconds left\./)
})

test('a turn runs 64 calls and answers every further one with an error', async () => {
  for (const count of [63, 64, 65, 100]) {
    const calls = Array.from({ length: count }, (_, index) => write(`f${index}`))
    const { context, edits, turns } = arrange([calls, [done]])
    await runLoop({ ...context, budget: { ...context.budget, changedFiles: 100 } }, [])
    assert.equal(edits.length, Math.min(count, 64))
    assert.equal(turns[0]?.results?.length, count)
    assert.equal(turns[0].results.filter(({ isError }) => isError).length, Math.max(0, count - 64))
  }
})

function storedTurn(calls: readonly Call[], wrong: boolean): Turn {
  const response = toResponse(calls, 1)
  const output = { type: 'error-text' as const, value: 'wrong' }
  const content = [{ type: 'tool-result' as const, toolCallId: 'w', toolName: 'fly', output }]
  const messages = wrong ? [...response.messages, { role: 'tool' as const, content }] : response.messages
  return { number: 1, input: [], response: { ...response, messages }, results: [] }
}

const answered = { ...storedTurn([], false), input: [userMessage('The first.'), idleNotice(1)] }
const noticed = { ...storedTurn([], false), input: [idleNotice(1)] }

test('a turn is idle without a call; one with only a wrong call is not', () => {
  const [idle, wrong, busy] = [storedTurn([], false), storedTurn([], true), storedTurn([write('a')], false)]
  const table = [
    [[], 0],
    [[idle], 1],
    [[idle, idle], 2],
    [[idle, wrong], 0],
    [[wrong, idle], 1],
    [[idle, busy], 0],
    [[busy, idle, idle], 2],
    [[idle, noticed], 2],
    [[idle, noticed, answered], 1],
    [[answered, noticed], 2],
  ] as const
  for (const [turns, expected] of table) assert.equal(countIdleTurns(turns), expected)
})

test('a model that goes in circles gets one notice, then the run ends', async () => {
  const cases = [
    { name: 'one call after another', pattern: [[write('a')], [write('b')]], requests: 8, words: '2 calls 4 times' },
    { name: 'a pair in each turn', pattern: [[write('a'), write('b')]], requests: 4, words: '2 calls 4 times' },
    { name: 'a refused finish', pattern: [[write('refused')], [done]], requests: 8, words: '2 calls 4 times' },
    { name: 'one call', pattern: [[write('a')]], requests: 4, words: 'call of write 4 times' },
  ]
  for (const { name, pattern, requests, words } of cases) {
    const arranged = arrange(Array.from({ length: 20 }, () => pattern).flat())
    const budget = { ...arranged.context.budget, changedFiles: 100 }
    const message = `The model made the same ${words} in a row, with the same results.`
    await assert.rejects(runLoop({ ...arranged.context, budget }, []), { code: 'budget_exceeded', message }, name)
    assert.equal(arranged.requests.length, requests, name)
    const noticed = arranged.requests.filter((request) => lastText(request).includes('Do something else'))
    assert.equal(noticed.length, 1, name)
  }
})
