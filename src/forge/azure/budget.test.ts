import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpAnswer } from '../../../test/support/scripted-http.ts'
import { scriptedForge } from '../../../test/support/forge-client.ts'
import { createBudget } from './budget.ts'

const signal = new AbortController().signal
const get = { method: 'GET', path: '/a' } as const

const rows: readonly (readonly [name: string, answer: HttpAnswer, seconds: number])[] = [
  ['a response that worked asks to wait', { headers: { 'Retry-After': '7' } }, 7],
  ['nothing is left', { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '9' } }, 9],
  ['a refusal asks to wait', { status: 429, headers: { 'Retry-After': '11' } }, 11],
]

for (const [name, answer, seconds] of rows) {
  test(`no request is sent to the organization while ${name}`, async (t) => {
    let now = Date.UTC(2026, 0, 2)
    const budget = createBudget({ now: () => new Date(now) })
    const { client, requests } = await scriptedForge(t, { 'GET /a': [{ body: {}, ...answer }, { body: {} }] })
    await budget(client, 'acme').ask(get, signal)
    now += 1_000
    const limited = await budget(client, 'acme').ask(get, signal)
    assert.deepEqual(limited, { kind: 'limited', retryAfter: seconds - 1, words: '' })
    assert.equal(requests.length, 1)
    assert.equal((await budget(client, 'other').ask(get, signal)).kind, 'response')
    now += seconds * 1_000
    assert.equal((await budget(client, 'acme').ask(get, signal)).kind, 'response')
    assert.equal((await budget(client, 'acme').ask(get, signal)).kind, 'response')
  })
}
