// Shared by the fault tests: a data directory with a project, a model whose answers follow from the conversation
// alone, and the claims that must hold of a job whatever happened to the process.

import assert from 'node:assert/strict'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { type Api, openSocketApi } from '../../src/cli/api/api.ts'
import type { PullResponse } from '../../src/forge/own/response.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { serve } from '../../src/service/service.ts'
import { engineSettings } from '../support/engine.ts'
import { branches, createRepository, git, show } from '../support/repository.ts'
import { type ChatMessage, type ModelServer, type Scripted, startModelServer } from '../support/model-server.ts'
import { joinAs } from '../support/person.ts'
import { type Client, connect, createClient, createDataDir, validatedFetch } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

export type Arranged = {
  readonly environment: Environment
  /** The bare repository. */
  readonly repository: string
  readonly model: ModelServer
  readonly hosted: Hosted | undefined
  /** A client of the service at these addresses, which it asks in turn. Only a key may record page views. */
  connectTo(addresses: readonly string[], as?: 'person' | 'key'): Client
  close(): Promise<void>
}

/** A repository that is no folder of this machine. */
export type Hosted = {
  readonly address: string
  /** The bare repository. */
  readonly directory: string
  /** Gives the project its credential. The service is at `address`. */
  readonly connect: (operator: Api, projectId: string, address: string) => Promise<void>
  /** The job has one pull request there, as it says. */
  readonly assertProposed: (job: JobResponse) => void
}

/** Everybody's jobs are hers. */
const ada = { name: 'Ada Lovelace', email: 'ada@example.com' }

export async function arrange(settings: Environment = {}, hosted?: Hosted): Promise<Arranged> {
  const folder = await temporaryFolder('faults')
  const model = await startModelServer(answerTo)
  const repository = hosted?.directory ?? createRepository(folder, { 'index.md': '# Home\n' })
  const environment: Environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'silent',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_CREATES_PER_HOUR: '100000',
    DOCENT_FORGE_READS_PER_HOUR: '100000',
    DOCENT_MESSAGES_PER_HOUR: '100000',
    DOCENT_MODEL: 'compatible/scripted',
    DOCENT_COMPATIBLE_BASE_URL: model.baseUrl,
    ...(await engineSettings()),
    ...settings,
  }
  const service = await serve(parseConfig(environment))
  const { projectId, key } = await createClient(environment, [service.address], hosted?.address ?? repository)
  await hosted?.connect(openSocketApi(parseConfig(environment)), projectId, service.address)
  const caller = await joinAs(environment, service.address, ada)
  const send = await validatedFetch([service.address])
  await service.stop()
  const close = async () => {
    await model.close()
    await removeFolder(folder)
  }
  return {
    environment,
    repository,
    model,
    hosted,
    connectTo: (addresses, as = 'person') =>
      connect({ addresses, projectId, key, send, ...(as === 'person' ? { caller } : {}) }),
    close,
  }
}

/**
 * `page NAME` writes NAME.md in two turns, `extra NAME` in one, and `part NAME` other files, too; `ask NAME` writes NAME.md
 * and asks a question. Then the model finishes.
 */
export function answerTo(messages: readonly ChatMessage[]): Scripted {
  const calls = messages
    .flatMap((message) => message.tool_calls ?? [])
    .map((call) => call.function.name + call.function.arguments)
  const wanted = promptsIn(messages).flatMap(callsFor)
  const next = wanted.find((call) => !calls.includes(call.name + JSON.stringify(call.input)))
  return { calls: [next ?? { name: 'finish', input: { title: 'Pages', summary: 'New pages.' } }] }
}

export function promptsIn(messages: readonly ChatMessage[]): readonly string[] {
  return messages
    .filter((message) => message.role === 'user' && !/^<(?:notice|repository-notes)/.test(message.content ?? ''))
    .map((message) => message.content ?? '')
}

function callsFor(prompt: string): readonly { readonly name: string; readonly input: object }[] {
  const [kind, name] = prompt.split(' ')
  const path = `${name}.md`
  const write = (file: string, content: string) => ({ name: 'write_file', input: { path: file, content } })
  if (kind === 'extra') return [write(path, `extra ${name}\n`)]
  if (kind === 'part') return [path, 'b.md', 'c.md', 'd.md', 'e.md'].map((file) => write(file, `page ${name}\n`))
  if (kind === 'ask') return [write(path, `page ${name}\n`), { name: 'finish', input: { question: 'Which name?' } }]
  return [
    { name: 'write_file', input: { path, content: `draft ${name}\n` } },
    { name: 'edit_file', input: { path, edits: [{ oldText: 'draft', newText: 'page' }] } },
  ]
}

export type Expected = {
  readonly page: string
  /** Default: `page PAGE`. */
  readonly prompt?: string
  readonly outcome?: 'pull_request' | 'partial'
  /** How many of its runs ended with a question, and have no commit. */
  readonly questions?: number
  /** Follow-ups that were acknowledged. */
  readonly extras: readonly string[]
  /** How many of the answers may have been asked for twice: those that were not stored when the process died. */
  readonly unstoredAnswers: number
  /** All pull requests of the project, where there are more than the API lists. */
  readonly pulls?: readonly Pick<PullResponse, 'jobId'>[]
}

/** One branch, one commit for a run, one pull request, the right content, every message taken, nothing asked twice. */
export async function assertDoneOnce(
  arranged: Arranged,
  client: Client,
  jobId: string,
  expected: Expected,
): Promise<void> {
  const job = await client.ended(jobId)
  assert.equal(job.status, 'completed', JSON.stringify(job.error))
  assert.equal(job.outcome, expected.outcome ?? 'pull_request')
  const { repository } = arranged
  const mine = (await branches(repository)).filter((branch) => branch.includes(jobId))
  assert.deepEqual(mine, [job.source.ref])
  const messages = await client.messages(jobId)
  assert.equal(messages.length, 1 + expected.extras.length)
  assert.ok(messages.every((message) => message.runId !== null))
  const trailers = (
    await git(repository, 'log', '--format=%(trailers:key=Docent-Job,valueonly,separator=)', `main..${mine[0]}`)
  ).split('\n')
  assert.equal(new Set(trailers).size, trailers.length, 'one commit for a run')
  const runs = new Set(messages.map((message) => message.runId)).size
  assert.equal(trailers.length, runs - (expected.questions ?? 0))
  const named = await git(repository, 'log', '--format=%(trailers:key=Co-authored-by,valueonly)', `main..${mine[0]}`)
  assert.deepEqual(
    named.split('\n').filter((line) => line !== ''),
    trailers.map(() => `${ada.name} <${ada.email}>`),
    'every commit names its person',
  )
  if (arranged.hosted) arranged.hosted.assertProposed(job)
  else assert.equal((expected.pulls ?? (await client.pulls())).filter((pull) => pull.jobId === jobId).length, 1)
  assert.equal(await show(repository, mine[0] ?? '', `${expected.page}.md`), `page ${expected.page}`)
  for (const extra of expected.extras)
    assert.equal(await show(repository, mine[0] ?? '', `${extra}.md`), `extra ${extra}`)
  assertAskedOnce(arranged.model, expected)
}

function assertAskedOnce(model: ModelServer, { page, prompt = `page ${page}`, unstoredAnswers }: Expected): void {
  const counts = new Map<string, number>()
  for (const messages of model.requests) {
    if (!messages.some((message) => message.role === 'user' && message.content === prompt)) continue
    const conversation = JSON.stringify(messages)
    counts.set(conversation, (counts.get(conversation) ?? 0) + 1)
  }
  const repeated = [...counts.values()].reduce((sum, count) => sum + count - 1, 0)
  assert.ok(repeated <= unstoredAnswers, `${repeated} stored answers were asked for again`)
}
