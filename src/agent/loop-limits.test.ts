// The edges of what a run may use: each budget at its value and one beyond, and the ways in which a model gets nowhere.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrange, type Call, done, lastText, toResponse, write } from '../../test/support/scripted-loop.ts'
import type { Budget } from './budget/budget.ts'
import { type LoopContext, runLoop } from './loop.ts'
import { countIdleTurns, type Turn } from './transcript.ts'

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
    ['changedBytes', 'changed bytes'],
  ] as const) {
    const changed = () => ({ files: 5, bytes: 5, byThisRun: true })
    assert.deepEqual(await run(2, { [key]: 5 }, changed), { end: 'finished', requests: 2 }, key)
    const over = await run(2, { [key]: 4 }, changed)
    assert.deepEqual(over, { end: `The run used up its budget of 4 ${name}.`, requests: 0 }, key)
  }
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
