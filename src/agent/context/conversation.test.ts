import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { arrange, done, toResponse, type Call } from '../../../test/support/scripted-loop.ts'
import { Failure } from '../../lib/failure.ts'
import { runLoop } from '../loop.ts'
import type { ModelRequest } from '../model/types.ts'
import type { Turn } from '../transcript.ts'

const unlimited = { turns: 999, tokens: 1e9, costUsd: 1e9, seconds: 1e9, changedFiles: 999, changedBytes: 1e9 }
const page = (number: number): Call => ({
  name: 'write',
  input: { path: `guides/page-${number}.md`, content: `# Page ${number}\n\n${'A sentence of the page. '.repeat(425)}` },
})
const writing = (turns: number) => [...Array.from({ length: turns }, (_, i) => [page(i)]), [done]]
const look = (number: number): readonly Call[] => [{ name: 'look', input: { path: `guides/page-${number}.md` } }]

type Script = readonly (readonly Call[])[]
type Options = {
  readonly contextTokens: number
  readonly stored?: readonly Turn[]
  readonly earlier?: readonly Turn[]
  /** Whether the provider refuses a request of this size for its length. */
  readonly refuses?: (size: number) => boolean
}

/** Runs the script, of which the stored turns are the beginning. */
async function run(script: Script, { contextTokens, stored = [], earlier = [], refuses = () => false }: Options) {
  const made = arrange([], stored.length === 0 ? ['do it'] : [])
  made.turns.push(...stored)
  const sizes: number[] = []
  const requests: ModelRequest[] = []
  const shortened: number[] = []
  const end = await runLoop(
    {
      ...made.context,
      earlier,
      budget: unlimited,
      changed: () => ({ files: 1, bytes: 0 }),
      tools: [...made.context.tools, lookTool(made.context.tools[0])],
      store: {
        ...made.context.store,
        saveResponse: (number, response, isShortened) => {
          if (isShortened) shortened.push(number)
          return made.context.store.saveResponse(number, response)
        },
      },
      model: {
        ...made.context.model,
        contextTokens,
        respond: (request) => {
          sizes.push(sizeOf(request))
          if (refuses(sizeOf(request))) return Promise.reject(new Failure('context_exceeded', 'prompt is too long'))
          requests.push(request)
          const number = stored.length + requests.length
          return Promise.resolve(toResponse(script[number - 1] ?? [], number))
        },
      },
    },
    stored,
  ).catch((error: unknown) => error)
  return { turns: made.turns, requests, sizes, shortened, end }
}

type AnyTool = ReturnType<typeof arrange>['context']['tools'][number]
function lookTool(like: AnyTool | undefined): AnyTool {
  assert.ok(like)
  return { ...like, name: 'look', run: () => Promise.resolve({ text: 'A line of the page.\n'.repeat(1_500) }) }
}

const sizeOf = ({ messages }: ModelRequest) => JSON.stringify(messages).length
const sent = (request: ModelRequest | undefined) =>
  createHash('sha256').update(JSON.stringify(request?.messages)).digest('hex')

test('a job that writes 10 kB a turn completes eighty pages within 128,000 tokens', async () => {
  const { end, requests, sizes, shortened } = await run(writing(80), { contextTokens: 128_000 })
  assert.deepEqual(end, { kind: 'change', title: 't', summary: 's' })
  assert.equal(requests.length, 81)
  assert.ok(Math.max(...sizes) < 128_000 * 3)
  assert.ok(shortened.length > 2 && shortened.length < 12, `shortened before turns ${shortened.join(', ')}`)
})

test('a job that reads 30 kB a turn completes 150 turns within 30,000 tokens', async () => {
  const script = [...Array.from({ length: 150 }, (_, i) => look(i)), [done]]
  const { end, sizes } = await run(script, { contextTokens: 30_000 })
  assert.deepEqual(end, { kind: 'change', title: 't', summary: 's' })
  assert.ok(Math.max(...sizes) < 30_000 * 3)
})

test('a continued run sends the messages that it would have sent, byte for byte', async () => {
  const script = [...writing(20).slice(0, -1), ...Array.from({ length: 20 }, (_, i) => look(i)), [done]]
  const whole = await run(script, { contextTokens: 30_000 })
  for (const at of [3, 7, 8, 15, 25, 33, 40]) {
    const stored = JSON.parse(JSON.stringify(whole.turns.slice(0, at))) as Turn[]
    const { requests, shortened } = await run(script, { contextTokens: 30_000, stored })
    assert.equal(sent(requests[0]), sent(whole.requests[at]))
    assert.equal(sent(requests.at(-1)), sent(whole.requests.at(-1)))
    assert.deepEqual(
      shortened,
      whole.shortened.filter((number) => number > at),
    )
  }
})

test('a request that the provider refuses for its length is sent again with half of it', async () => {
  const { end, sizes, requests, shortened } = await run(writing(30), {
    contextTokens: 128_000,
    refuses: (size) => size > 100_000,
  })
  assert.deepEqual(end, { kind: 'change', title: 't', summary: 's' })
  const refused = sizes.filter((size) => size > 100_000)
  assert.deepEqual([refused.length, requests.length], [1, 31])
  assert.ok(shortened.includes(sizes.findIndex((size) => size > 100_000) + 1))
})

test('a run whose shortened request is refused too is context_exceeded', async () => {
  const asked = { times: 0 }
  const refuses = () => (asked.times += 1) > 3
  const { end, sizes } = await run(writing(9), { contextTokens: 128_000, refuses })
  assert.ok(end instanceof Failure)
  assert.deepEqual([end.code, sizes.length], ['context_exceeded', 5])
  assert.ok((sizes[4] ?? 0) < (sizes[3] ?? 0) / 2)
})

test('a run with the whole transcripts of earlier runs goes on, however long they are', async () => {
  const { turns } = await run(writing(80), { contextTokens: 128_000 })
  const { end, sizes } = await run([look(1), [done]], { contextTokens: 128_000, earlier: turns })
  assert.deepEqual(end, { kind: 'change', title: 't', summary: 's' })
  assert.ok(Math.max(...sizes) < 128_000 * 3)
})
