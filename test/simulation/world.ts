// A project with its docs and two sources of its product on real bare repositories, and automations with every trigger that starts by
// itself. The loops of the service are steps; all time is simulated.

import assert from 'node:assert/strict'
import type { AutomationsContext } from '../../src/automations/automations.ts'
import { triageSkipped } from '../../src/automations/ledger/triage.ts'
import { lookAtBranches } from '../../src/automations/positions/look.ts'
import { takeCommits } from '../../src/automations/positions/take.ts'
import { settleRuns } from '../../src/automations/runs/settle.ts'
import { startDue } from '../../src/automations/schedule/start-due.ts'
import { createFactsReader } from '../../src/checks/facts/reader.ts'
import { freeLostRuns } from '../../src/jobs/queue/claims.ts'
import { createId } from '../../src/lib/id.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import type { Db } from '../../src/postgres/types.ts'
import { generateKey, parseKeys } from '../../src/secrets/keys.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { addProject } from '../support/database.ts'
import type { Files } from '../support/git-objects.ts'
import { type Cleanup, createRemote, testGit } from '../support/git-remote.ts'
import { createHistory, type History } from './history.ts'
import { expectMayBegin } from './oracle.ts'
import { openSimulated, type SimulatedClock } from './simulated-clock.ts'
import { timeZone } from './slots.ts'
import { triageModel } from './triage-model.ts'
import { type Automation, createTruth, type Run, type Truth } from './truth.ts'

export const areas = ['client', 'server', 'queue', 'cache', 'token', 'search', 'upload', 'mail'] as const
export const runsPerDay = 12

/** The features of a source are about these names, and so are the pages. */
export const nameOf = (source: string, area: string) => `${source}${area[0]?.toUpperCase()}${area.slice(1)}`
export function pageOf(area: string): string {
  const names = ['api', 'web'].map((source) => nameOf(source, area))
  return `# ${area}\n\n${names.map((name) => `Call \`${name}\` with \`${name}Limit\`.\n`).join('\n')}`
}

export type World = {
  readonly db: Db
  readonly clock: SimulatedClock
  readonly projectId: string
  readonly docs: History
  readonly sources: readonly [History, History]
  readonly truth: Truth
  readonly context: AutomationsContext
  /** For pull requests of people and of automations. */
  nextNumber(): number
  /** As the loops of the service do it: reads branches, starts what is due, stores what follows from ends. */
  step(mayLook?: boolean): Promise<void>
  triage(): Promise<void>
}

export async function openWorld(t: Cleanup, start: Date): Promise<World> {
  const { postgres, clock, close } = await openSimulated(start)
  const { db } = postgres
  t.after(close)
  const now = () => clock.now()
  const pages = Object.fromEntries(areas.map((area) => [`docs/en/${area}.md`, pageOf(area)]))
  const begin = (name: string, files: Files) => {
    const remote = createRemote(t)
    remote.commit('main', files, 'First')
    return createHistory(remote, name, now)
  }
  const docs = begin('docs', { 'docs/index.md': '# Home\n', ...pages })
  const ci = { '.github/ci.yml': 'on: push\n' }
  const sources = [begin('api', ci), begin('web', ci)] as const
  const projectId = await addProject(db, docs.remote.directory)
  const caps = JSON.stringify({ runsPerDay })
  await db
    .updateTable('projects')
    .set({ time_zone: timeZone, automation_caps: caps })
    .where('id', '=', projectId)
    .execute()
  for (const { name, remote } of sources) {
    const row = { id: createId('src'), project_id: projectId, name, repository: remote.directory, paths: '[]' }
    await db
      .insertInto('sources')
      .values({ ...row, created_at: now(), updated_at: now() })
      .execute()
  }
  const git = await testGit(t)
  const facts = createFactsReader()
  t.after(() => facts.close())
  const ring = parseKeys(generateKey())
  const context = { db, clock, secrets: createSecrets(() => ring), modelId: 'test/model', publicUrl: 'http://x' }
  const { signal } = new AbortController()
  const log = createLog('silent')
  const options = {
    ...context,
    git,
    confirmHead: () => Promise.resolve(undefined),
    facts,
    log,
    signal,
    now,
    hide: (text: string) => text,
    openModel: () => triageModel,
  }
  const truth = createTruth()
  const seen = new Set<string>()
  let number = 100
  return {
    db,
    clock,
    projectId,
    docs,
    sources,
    truth,
    context,
    nextNumber: () => (number += 1),
    step: async (mayLook = true) => {
      const slots = truth.automations.flatMap((one) => one.slots ?? [])
      while (slots.some((one) => one.isOpen(now()))) await clock.pass(60_000)
      for (const one of slots) one.step(now())
      if (mayLook) await lookAtBranches(options)
      await startDue({ ...options, upkeepTime: async () => clock.now() })
      await freeLostRuns(db)
      await settleRuns(options)
      await takeCommits(options)
      await observeBegun({ db, truth, seen, now: now() })
    },
    triage: () => triageSkipped(options),
  }
}

type Observing = {
  readonly db: Db
  readonly truth: Truth
  readonly seen: Set<string>
  readonly now: Date
  readonly most?: number
}

/** Every run that has begun since the last look. */
export async function observeBegun({ db, truth, seen, now, most = runsPerDay }: Observing): Promise<void> {
  const rows = await db
    .selectFrom('automation_runs as r')
    .innerJoin('messages as m', 'm.id', 'r.message_id')
    .select(['r.id', 'r.automation_id', 'r.job_id', 'r.ranges', 'r.ordinal', 'm.prompt', 'm.data'])
    .where('r.settled_at', 'is', null)
    .orderBy('r.ordinal')
    .execute()
  for (const row of rows) {
    if (seen.has(row.id) || row.job_id === null) continue
    seen.add(row.id)
    const automation = truth.automations.find(({ id }) => id === row.automation_id)
    assert.ok(automation)
    const commits = expand(automation.follows, row.ranges)
    const words = `${row.prompt} ${row.data}`
    for (const id of commits) assert.ok(isNamed(automation, id, words), `the model is not given the commit ${id}`)
    const run: Run = {
      id: row.id,
      automation,
      job: row.job_id,
      commits,
      at: now,
      end: undefined,
      isAnswered: false,
      costUsd: 0,
    }
    expectMayBegin(truth, run, { runsPerDay: most })
    truth.begin(run)
  }
}

function expand(history: History | undefined, ranges: string): readonly string[] {
  const all = JSON.parse(ranges) as readonly { readonly from: string | null; readonly to: string }[]
  return all.flatMap(({ from, to }) => history?.between(from ?? undefined, to).map(({ id }) => id) ?? [])
}

/** By its own name, or in a range. */
function isNamed({ follows }: Automation, id: string, words: string): boolean {
  if (words.includes(id.slice(0, 12))) return true
  return [...words.matchAll(/from ([0-9a-f]{40}) to ([0-9a-f]{40})/g)].some(([, from, to = '']) =>
    follows?.between(from, to).some((one) => one.id === id),
  )
}
