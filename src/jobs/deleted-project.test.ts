// A project is deleted while one of its runs is working: the worker gives up the run and only warns.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { addJob, addProject } from '../../test/support/database.ts'
import { openTestDatabase } from '../../test/support/engine.ts'
import { createFactsReader } from '../checks/facts/reader.ts'
import { parseConfig } from '../config/config.ts'
import { createOwnForge } from '../forge/own/forge.ts'
import type { Git, Repository } from '../git/types.ts'
import { systemClock } from '../lib/clock.ts'
import { createProcessRedactor } from '../lib/outbound/redactor.ts'
import { createMetrics } from '../lib/observability/metrics.ts'
import type { Postgres } from '../postgres/types.ts'
import { deleteProject } from '../projects/projects.ts'
import { createId } from '../lib/id.ts'
import { deleteSource } from '../projects/sources/sources.ts'
import { sweepMirrors } from './upkeep/sweep-mirrors.ts'
import type { RunDeps } from './run/context.ts'
import { executeRun } from './run/run.ts'
import { lockJobOfRun, settleJob } from './run/ends/settle-job.ts'
import { startWorker } from './queue/worker.ts'
import { pullJobs } from './pulls/pull-jobs.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

type Line = { readonly level: number; readonly msg: string }

/** Runs one job whose project is deleted when `meet` is reached, and gives what the worker logged. */
async function work(meet: 'claimed' | 'fetch' | 'failing fetch'): Promise<readonly Line[]> {
  const { db } = postgres
  const projectId = await addProject(db)
  const lines: Line[] = []
  const met = Promise.withResolvers<void>()
  const vanish = async () => {
    await deleteProject(db, projectId)
    met.resolve()
  }
  const repository: Pick<Repository, 'fetch'> = {
    fetch: async () => {
      if (meet !== 'claimed') await vanish()
      if (meet === 'failing fetch') throw new Error('the mirror is gone')
      return { base: { branch: 'main', commit: '0'.repeat(40) }, heads: new Map(), tags: new Map() }
    },
  }
  await addJob(db, projectId)
  const shared = { db, clock: systemClock, metrics: createMetrics() }
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line) as Line) })
  const deps: RunDeps = {
    ...shared,
    git: { repository: () => repository } as unknown as Git,
    forge: createOwnForge({ db, git: {} as Git, jobs: pullJobs, publicUrl: '' }),
    hostOf: async () => undefined,
    pageViews: {
      failures: async () => undefined,
      brokenPages: async () => undefined,
      readPages: async () => undefined,
    },
    pages: { privateHosts: [] },
    requireAccess: async () => undefined,
    explainRefusal: (_, error) => Promise.resolve(error),
    publicUrl: undefined,
    openModel: () => assert.fail('the run ends before a model is asked'),
    modelId: 'm/m',
    tools: [],
    readSyntax: () => assert.fail('the run ends before a page is changed'),
    nonceOf: () => 'nonce',
    facts: createFactsReader(1),
    log,
    redactor: createProcessRedactor(),
    budget: parseConfig({}).budget,
    reached: async () => {
      if (meet === 'claimed') await vanish()
    },
  }
  const worker = startWorker({
    ...shared,
    log,
    concurrency: 1,
    leaseSeconds: 15,
    graceMs: 5_000,
    lockFirst: lockJobOfRun,
    execute: (leased) => executeRun(deps, leased),
    settled: settleJob,
  })
  await met.promise
  await setImmediate()
  await worker.stop()
  return lines
}

for (const meet of ['claimed', 'fetch', 'failing fetch'] as const) {
  test(`a run whose project is deleted ends quietly (${meet})`, async () => {
    const lines = await work(meet)
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [[40, 'the lease is lost: another worker has the run, or its project was deleted']],
    )
  })
}

test('the mirrors of deleted projects and sources are deleted, and no others', async () => {
  const { db } = postgres
  const [kept, gone] = [await addProject(db), await addProject(db)]
  const addSource = async (projectId: string, name: string) => {
    const id = createId('src')
    const now = new Date()
    const row = { id, project_id: projectId, name, repository: 'https://example.com/api.git' }
    await db
      .insertInto('sources')
      .values({ ...row, created_at: now, updated_at: now })
      .execute()
    return id
  }
  const [source, ofGone, deleted] = [
    await addSource(kept, 'api'),
    await addSource(gone, 'api'),
    await addSource(kept, 'cli'),
  ]
  await deleteProject(db, gone)
  await deleteSource(db, { id: deleted })
  const removed: string[] = []
  const git = {
    mirrors: () => Promise.resolve([kept, gone, source, ofGone, deleted, 'something-else']),
    remove: (id: string) => Promise.resolve(void removed.push(id)),
  }
  await sweepMirrors(db, git)
  assert.deepEqual(removed, [gone, ofGone, deleted])
})
