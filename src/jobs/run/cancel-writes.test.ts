// A cancel in the middle of every write of a run. Both lock the job, then the run: whichever comes first, the other
// waits for it, neither is in the other's way, and nothing is written after the cancel.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { addJob, addProject, claimNext, toLeased } from '../../../test/support/database.ts'
import { engine, openTestDatabase } from '../../../test/support/engine.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createRepository } from '../../../test/support/repository.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import type { Model, ModelResponse } from '../../agent/model/types.ts'
import { createTools } from '../../agent/tools/all.ts'
import { createFactsReader } from '../../checks/facts/reader.ts'
import { parseConfig } from '../../config/config.ts'
import { createOwnForge } from '../../forge/own/forge.ts'
import { openGit } from '../../git/git.ts'
import type { Git } from '../../git/types.ts'
import { systemClock } from '../../lib/clock.ts'
import { createProcessRedactor } from '../../lib/outbound/redactor.ts'
import { Failure } from '../../lib/failure.ts'
import { createLog } from '../../lib/observability/log.ts'
import { createMetrics } from '../../lib/observability/metrics.ts'
import type { Postgres, Trx } from '../../postgres/types.ts'
import { cancelJob } from '../cancel.ts'
import { LeaseLost, type LockFirst } from '../queue/lease.ts'
import { executeRun } from './run.ts'
import { lockJobOfRun } from './ends/settle-job.ts'
import { pullJobs } from '../pulls/pull-jobs.ts'

let postgres: Postgres
let git: Git
const facts = createFactsReader(1)
let folder: string
let projectId: string
before(async () => {
  postgres = await openTestDatabase()
  folder = await temporaryFolder('cancel')
  const config = parseConfig({ DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true' })
  git = await openGit({
    directory: join(folder, 'mirrors'),
    allowLocal: true,
    privateHosts: [],
    maxRepositoryBytes: config.repositories.maxBytes,
    maxRepositoryFiles: config.repositories.maxFiles,
    maxFileBytes: 1_000_000,
    timeoutMs: 60_000,
    identity: config.commitIdentity,
    log: createLog('silent'),
  })
  projectId = await addProject(postgres.db, `file://${createRepository(folder, { 'a.md': '# A\n' })}`)
})
after(async () => {
  await facts.close()
  await git.close()
  await postgres.close()
  await removeFolder(folder)
})

const script = [
  { name: 'write_file', input: { path: 'b.md', content: '# B\n' } },
  { name: 'finish', input: { title: 'Add B', summary: 'A page.' } },
] as const

/** Writes a file in its first turn and finishes in its second. */
function createScriptedModel(): Model {
  let turn = 0
  const response = (): ModelResponse => {
    const call = { id: `call_${turn}`, isInvalid: false, ...(script[turn] ?? assert.fail('a turn too many')) }
    turn += 1
    const content = [{ type: 'tool-call' as const, toolCallId: call.id, toolName: call.name, input: call.input }]
    return {
      model: 'test/model',
      text: '',
      calls: [call],
      messages: [{ role: 'assistant', content }],
      finishReason: 'tool-calls',
      usage: { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1, costUsd: 0 },
    }
  }
  return { id: 'test/model', contextTokens: Infinity, isPriced: () => true, respond: async () => response() }
}

/** Executes a run; `interfere` takes part in each of its writes. Resolves with what the run threw. */
async function executeWith(lockFirst: (jobId: string) => LockFirst) {
  const { db } = postgres
  const jobId = await addJob(db, projectId)
  const run = await claimNext(db)
  assert.ok(run)
  const { budget } = parseConfig({})
  const log = createLog('silent')
  const own = { db, git, facts, log, clock: systemClock, budget, metrics: createMetrics(), tools: createTools() }
  const forge = createOwnForge({ db, git, jobs: pullJobs, publicUrl: '' })
  const explainRefusal = (_projectId: string, error: unknown) => Promise.resolve(error)
  const access = {
    hostOf: async () => undefined,
    requireAccess: async () => undefined,
    explainRefusal,
    publicUrl: undefined,
    pageViews: {
      failures: async () => undefined,
      brokenPages: async () => undefined,
      readPages: async () => undefined,
    },
    pages: { privateHosts: [] },
    nonceOf: () => 'nonce',
    readSyntax: () => Promise.resolve({ code: [], signs: [] }),
    redactor: createProcessRedactor(),
  }
  const model = createScriptedModel()
  const deps = { ...own, ...access, forge, modelId: model.id, openModel: () => model, reached: () => Promise.resolve() }
  // Progress would be one more write on a slow machine, so no time passes for the run.
  const leased = { ...toLeased(db, run), clock: createManualClock(new Date()), lockFirst: lockFirst(jobId) }
  const thrown = await executeRun(deps, leased).catch((error: unknown) => error)
  return { jobId, thrown }
}

const context = () => ({ db: postgres.db, clock: systemClock, modelId: 'm/m', publicUrl: '' })

/** In PGlite one transaction follows another; on a server the cancel has begun, and waits or is done, when this resolves. */
async function letBegin(trx: Trx, cancelling: Promise<unknown>): Promise<void> {
  if (engine === 'embedded') return
  const isDone = { value: false }
  void cancelling.finally(() => (isDone.value = true))
  const readWaiting = sql<{ waits: boolean }>`select exists (select 1 from pg_locks where not granted) as waits`
  while (!isDone.value && !(await readWaiting.execute(trx)).rows[0]?.waits) await setImmediate()
}

type Moment = 'before its locks' | 'after the job is locked'

/** Cancels in the write of this number. Resolves with what the run threw, and what came of the cancel. */
async function cancelIn(write: number, moment: Moment) {
  const counts = { writes: 0 }
  const cancels: Promise<Failure | undefined>[] = []
  const { jobId, thrown } = await executeWith((id) => async (trx, run) => {
    counts.writes += 1
    const isHere = counts.writes === write
    if (isHere && moment === 'before its locks') await begin(trx, id)
    const job = await lockJobOfRun(trx, run)
    if (isHere && moment === 'after the job is locked') await begin(trx, id)
    return job
  })
  async function begin(trx: Trx, id: string): Promise<void> {
    const cancelling = cancelJob(context(), projectId, id).then(
      () => undefined,
      (error: Failure) => error,
    )
    cancels.push(cancelling)
    await letBegin(trx, cancelling)
  }
  const job = postgres.db.selectFrom('jobs').selectAll().where('id', '=', jobId)
  const pulls = postgres.db.selectFrom('pulls').select('number').where('job_id', '=', jobId)
  const refusal = await cancels[0]
  return {
    thrown,
    refusal,
    writes: counts.writes,
    job: await job.executeTakeFirstOrThrow(),
    pulls: await pulls.execute(),
  }
}

test('a cancel in any write of a run comes before or after it, and ends the run', async () => {
  const undisturbed = await cancelIn(0, 'after the job is locked')
  assert.deepEqual([undisturbed.thrown, undisturbed.job.outcome], [undefined, 'pull_request'])
  const { writes } = undisturbed
  assert.ok(writes >= 10, `${writes} writes`)
  for (const moment of engine === 'embedded' ? moments.slice(1) : moments) {
    for (let write = 1; write <= writes; write += 1) {
      const { thrown, refusal, job, pulls } = await cancelIn(write, moment)
      const where = `write ${write}, ${moment}`
      if (write === writes && moment === 'after the job is locked') {
        assert.deepEqual([thrown, refusal?.code, job.status], [undefined, 'job_not_active', 'completed'], where)
        continue
      }
      const isRefused = thrown instanceof Failure && thrown.code === 'forge_refused'
      assert.ok(thrown instanceof LeaseLost || isRefused, `${where}: ${String(thrown)}`)
      assert.deepEqual([refusal, job.status, job.error_code], [undefined, 'failed', 'cancelled'], where)
      assert.equal(pulls.length, write === writes ? 1 : 0, where)
    }
  }
})

const moments: readonly Moment[] = ['before its locks', 'after the job is locked']
