// Jobs with each provider, as a mock of its API answers: every fault ends well, or as a failed job with its code, and
// never as a completed one with nothing done.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type ChatCompletionRequest as Request, type FixtureResponse, LLMock } from '@copilotkit/aimock'
import type { JobResponse } from '../../src/jobs/response.ts'
import { show } from '../support/repository.ts'
import { startService, type TestService } from '../support/service.ts'

const providers = {
  anthropic: { model: 'claude-opus-5', path: '/v1' },
  openai: { model: 'gpt-5.4', path: '/v1' },
  google: { model: 'gemini-3.5-flash', path: '/v1beta' },
  compatible: { model: 'm', path: '/v1' },
} as const
type Provider = keyof typeof providers

const write = (name: string, content = 'written') => ({
  name: 'write_file',
  arguments: JSON.stringify({ path: `${name}.md`, content: `${content}\n` }),
})
const finish = { name: 'finish', arguments: JSON.stringify({ title: 'A title', summary: 'A summary.' }) }
const calls = (...toolCalls: readonly { name: string; arguments: string }[]) => ({ toolCalls: [...toolCalls] })

/** The responses of the model to a prompt, by how many results of tools it has seen. */
const scripts: Readonly<Record<string, (seen: number, request: Request) => FixtureResponse>> = {
  plain: (seen) =>
    seen === 0 ? { ...calls(write('plain')), reasoning: 'I see.', reasoningSignature: 'sig' } : calls(finish),
  parallel: (seen) => (seen === 0 ? calls(write('one'), write('two')) : calls(finish)),
  wrong: (seen) => {
    if (seen === 0) return calls({ name: 'write_file', arguments: '{"path": 7}' }, { name: 'fly', arguments: '{}' })
    return seen === 2 ? calls(write('wrong')) : calls(finish)
  },
  broken: (seen) => {
    if (seen === 0) return calls({ name: 'write_file', arguments: '{"path": "bro' })
    return seen === 1 ? calls(write('broken')) : calls(finish)
  },
  short: (seen, request) => {
    if (seen === 0) return { ...calls(write('short', 'cut of')), finishReason: 'length' }
    assert.match(JSON.stringify(request.messages), /cut off at its length limit/)
    return seen === 1 ? calls(write('short')) : calls(finish)
  },
  refused: () => ({ content: 'I will not.', finishReason: 'content_filter' }),
  silent: () => ({ content: '' }),
  talk: () => ({ content: 'I would write a page about it.' }),
  early: () => calls(finish),
}

for (const [name, { model, path }] of Object.entries(providers)) {
  const provider = name as Provider
  suite(provider, () => {
    const mock = new LLMock({ port: 0, logLevel: 'silent' })
    let running: TestService

    before(async () => {
      await mock.start()
      const prefix = `DOCENT_${provider.toUpperCase()}`
      running = await startService(
        { 'index.md': '# Home\n' },
        {
          DOCENT_MODEL: `${provider}/${model}`,
          [`${prefix}_API_KEY`]: 'key',
          [`${prefix}_BASE_URL`]: mock.url + path,
          DOCENT_LOG_LEVEL: 'silent',
        },
      )
      for (const [prompt, script] of Object.entries(scripts)) {
        const predicate = (request: Request) => asks(request, prompt)
        mock.on({ predicate }, (request) => script(countResults(request), request))
      }
    })
    after(async () => {
      await running.close()
      await mock.stop()
    })

    const run = async (prompt: string): Promise<JobResponse> => {
      const { client } = running
      return client.ended((await client.create(prompt)).id)
    }
    const completed = async (prompt: string, ...pages: readonly string[]): Promise<JobResponse> => {
      const job = await run(prompt)
      assert.equal(job.status, 'completed', JSON.stringify(job.error))
      assert.ok(job.prLink)
      for (const page of pages) {
        assert.equal(await show(running.repository, job.source.ref ?? '', `${page}.md`), 'written')
      }
      return job
    }
    const failed = async (prompt: string, code: string, words: RegExp): Promise<JobResponse> => {
      const job = await run(prompt)
      assert.deepEqual([job.status, job.error?.code, job.prLink], ['failed', code, null])
      assert.match(job.error?.message ?? '', words)
      return job
    }

    test(`${provider}: a job ends in a pull request`, async () => {
      const job = await completed('plain', 'plain')
      assert.deepEqual([job.model, job.usage.turns], [`${provider}/${model}`, 2])
    })

    test(`${provider}: parallel calls of one answer are all done`, async () => {
      await completed('parallel', 'one', 'two')
    })

    test(`${provider}: the model learns of a wrong input or unknown tool and continues`, async () => {
      await completed('wrong', 'wrong')
    })

    test(`${provider}: input that is not JSON is an error result, and the model continues`, async () => {
      await completed('broken', 'broken')
    })

    // The mock ends such an answer of OpenAI without the reason that the API gives: continuation.test.ts has it.
    if (provider !== 'openai') {
      test(`${provider}: a call cut at the length limit does not run`, async () => {
        await completed('short', 'short')
      })
    }

    test(`${provider}: 429 with Retry-After is waited for`, async () => {
      mock.prependFixture(once('limited', { error: { message: 'slow down' }, status: 429, retryAfter: 0 }))
      mock.on({ predicate: (request) => asks(request, 'limited') }, scriptOf('limited'))
      await completed('limited', 'limited')
    })

    test(`${provider}: 529 is retried`, async () => {
      mock.prependFixture(once('busy', { error: { message: 'Overloaded', type: 'overloaded_error' }, status: 529 }))
      mock.on({ predicate: (request) => asks(request, 'busy') }, scriptOf('busy'))
      await completed('busy', 'busy')
    })

    test(`${provider}: a stream that is cut is requested again`, async () => {
      mock.prependFixture({
        ...once('cut', { content: 'half of an answer, and then' }),
        chunkSize: 4,
        truncateAfterChunks: 3,
      })
      mock.on({ predicate: (request) => asks(request, 'cut') }, scriptOf('cut'))
      await completed('cut', 'cut')
    })

    test(`${provider}: a key without credit fails the job at once, and it says so`, async () => {
      const error = {
        message: 'Your credit balance is too low',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }
      const status = { anthropic: 400, openai: 429, google: 402, compatible: 402 }[provider]
      mock.on({ predicate: (request) => asks(request, 'credit') }, { error, status })
      const before = mock.getRequests().length
      await failed('credit', 'model_not_configured', /no credit/)
      assert.equal(mock.getRequests().length - before, 1)
    })

    test(`${provider}: another 4xx fails the job at once`, async () => {
      mock.on(
        { predicate: (request) => asks(request, 'bad') },
        { error: { message: 'no such parameter' }, status: 400 },
      )
      const before = mock.getRequests().length
      await failed('bad', 'model_refused', /no such parameter/)
      assert.equal(mock.getRequests().length - before, 1)
    })

    // The mock ends it without the reason that the other two give: providers.test.ts has them.
    if (provider === 'google' || provider === 'compatible') {
      test(`${provider}: a refusal fails the job`, async () => {
        await failed('refused', 'model_refused', /./)
      })
    }

    test(`${provider}: a model that returns nothing fails the job after one notice`, async () => {
      const job = await failed('silent', 'model_refused', /without doing or saying anything/)
      assert.equal(job.usage.turns, 2)
    })

    test(`${provider}: a model that only talks stops after one notice, and Docent says so`, async () => {
      const { outcome, result } = await run('talk')
      assert.deepEqual([outcome, result?.kind], ['needs_input', 'question'])
      assert.match(result?.text ?? '', /^The agent stopped without finishing: [^]*> I would write a page/)
    })

    test(`${provider}: a model that finishes with nothing done fails the job`, async () => {
      await failed('early', 'budget_exceeded', /same call of finish/)
    })
  })
}

const prompts = (request: Request) => request.messages.filter((message) => message.role === 'user').map(textOf)
// Some providers get all messages of a turn as one: notices come before the prompt.
const asks = (request: Request, prompt: string) => prompts(request).some((text) => text.endsWith(prompt))

function textOf({ content }: Request['messages'][number]): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('')
}

function countResults(request: Request): number {
  return request.messages.filter((message) => message.role === 'tool').length
}

function scriptOf(name: string): (request: Request) => FixtureResponse {
  return (request) => (countResults(request) === 0 ? calls(write(name)) : calls(finish))
}

/** Answers the first request of this job only. */
function once(prompt: string, response: FixtureResponse) {
  const given = { before: false }
  const predicate = (request: Request) => {
    if (given.before || !asks(request, prompt)) return false
    given.before = true
    return true
  }
  return { match: { predicate }, response }
}
