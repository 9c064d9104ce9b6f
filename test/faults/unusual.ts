// Runs that do not go as usual: an answer that breaks off, a question, a full budget, a provider that is away. Their
// model, and the claims that must hold of them.

import assert from 'node:assert/strict'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { EventPage } from '../../src/jobs/events/list.ts'
import { branches } from '../support/repository.ts'
import type { ChatMessage, Scripted } from '../support/model-server.ts'
import type { Client } from '../support/service.ts'
import { answerTo, type Arranged, assertDoneOnce, promptsIn } from './arrange.ts'
import type { Cluster } from './cluster.ts'

/** The turns of a run; `part` ends there. */
const turns = 4

/** Publishes what a run has at its budget. Default: as the project was. */
export async function publishAtBudget(arranged: Arranged, cluster: Cluster): Promise<void> {
  const { projectId } = arranged.connectTo(cluster.addresses)
  const operator = openSocketApi(parseConfig(cluster.environment))
  const sent = await operator.send('PATCH', `/v1/projects/${projectId}`, { budget: { turns }, onBudgetEnd: 'publish' })
  assert.equal(sent.status, 200, sent.body)
}

/** As `answerTo`, but the first answer to `ask NAME` breaks off, and `page away` gets no answer until `returns` is called. */
export function createUnusualModel() {
  const cut = new Set<string>()
  const provider = { isAway: true }
  return {
    returns: () => void (provider.isAway = false),
    script: (messages: readonly ChatMessage[]): Scripted => {
      const [prompt = ''] = promptsIn(messages)
      if (prompt === 'page away' && provider.isAway) return { status: 503, headers: { 'Retry-After': '2' } }
      if (!prompt.startsWith('ask ') || cut.has(prompt)) return answerTo(messages)
      cut.add(prompt)
      return { text: 'I begin.', unfinished: true }
    },
  }
}

type Spent = { readonly input: number; readonly output: number }

/** Returns the usage of the answer that broke off, known from an undisturbed job whose prompt is as long. */
export async function spentOnCut(client: Client, jobId: string): Promise<Spent> {
  const { usage } = await client.job(jobId)
  const spent = { input: usage.inputTokens - 200, output: usage.outputTokens - 20 }
  assert.ok(spent.input > 100 && spent.output === 2, JSON.stringify(usage))
  return spent
}

const nothing: Spent = { input: 0, output: 0 }
const changesTokens = 50

async function assertCounted(client: Client, jobId: string, wanted: number, cut = nothing): Promise<void> {
  const { usage } = await client.job(jobId)
  const { turns: made, inputTokens: input, outputTokens: output } = usage
  assert.deepEqual({ made, output }, { made: wanted, output: wanted * 10 + cut.output })
  const expected = wanted * 100 + cut.input
  // A busy machine may leave the last changes of the documentation out of a brief: of this one, or of the compared one.
  const tolerance = cut === nothing ? 0 : changesTokens
  assert.ok(Math.abs(input - expected) <= tolerance, `${input} input tokens, of ${expected}`)
}

/** How often each kind of event is in the job. */
export async function countEvents(client: Client, jobId: string): Promise<Readonly<Record<string, number>>> {
  const { events } = await client.call<EventPage>(
    'GET',
    `/v2/agent/${client.projectId}/job/${jobId}/events.json?limit=1000`,
  )
  return Object.fromEntries(
    Map.groupBy(events, ({ type }) => type)
      .entries()
      .map(([type, all]) => [type, all.length]),
  )
}

/** The job waits for its answer, with nothing published. */
export async function assertAsks(arranged: Arranged, client: Client, jobId: string, cut?: Spent): Promise<void> {
  const job = await client.ended(jobId)
  assert.deepEqual([job.status, job.outcome, job.result?.text], ['completed', 'needs_input', 'Which name?'])
  assert.deepEqual(
    (await branches(arranged.repository)).filter((branch) => branch.includes(jobId)),
    [],
  )
  await assertCounted(client, jobId, 2, cut)
  const { run_ended: runs, job_ended: ends } = await countEvents(client, jobId)
  assert.deepEqual([runs, ends], [1, 1])
}

/** The response was taken, and the edit from before the question is published with the one after it. */
export async function assertAnswered(arranged: Arranged, client: Client, jobId: string, page: string): Promise<void> {
  const expected = { page, prompt: `ask ${page}`, extras: [`${page}-more`], questions: 1, unstoredAnswers: 1 }
  await assertDoneOnce(arranged, client, jobId, expected)
  const { run_ended: runs, job_ended: ends } = await countEvents(client, jobId)
  assert.deepEqual([runs, ends], [2, 2])
}

export async function assertPart(arranged: Arranged, client: Client, jobId: string, page: string): Promise<void> {
  const expected = { page, prompt: `part ${page}`, extras: [], outcome: 'partial', unstoredAnswers: 0 } as const
  await assertDoneOnce(arranged, client, jobId, expected)
  const { result, pullRequest } = await client.job(jobId)
  assert.deepEqual([result?.title, pullRequest?.draft], [`Part: part ${page}`, true])
  await assertCounted(client, jobId, turns)
}

/** Tries in between count as neither turns nor tokens. */
export async function assertBack(arranged: Arranged, client: Client, jobId: string): Promise<void> {
  await assertDoneOnce(arranged, client, jobId, { page: 'away', extras: [], unstoredAnswers: Infinity })
  await assertCounted(client, jobId, 3)
}
