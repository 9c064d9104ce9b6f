// Automations that follow branches, for tests: a project and a source on real bare repositories, and the loop of the service in
// steps, without waiting. Runs end as the test says.

import { createFactsReader } from '../../src/checks/facts/reader.ts'
import type { Model } from '../../src/agent/model/types.ts'
import { triageSkipped } from '../../src/automations/ledger/triage.ts'
import { createAutomation } from '../../src/automations/automations.ts'
import type { Beginning, NewAutomation } from '../../src/automations/automation.ts'
import type { ConfirmHead } from '../../src/automations/positions/ask-host.ts'
import { hastenLook, lookAtBranches } from '../../src/automations/positions/look.ts'
import { takeCommits } from '../../src/automations/positions/take.ts'
import { sayReleases } from '../../src/automations/releases/say.ts'
import { startDue } from '../../src/automations/schedule/start-due.ts'
import { settleRuns } from '../../src/automations/runs/settle.ts'
import { settle } from '../../src/jobs/queue/settle.ts'
import { settleJob } from '../../src/jobs/run/ends/settle-job.ts'
import type { ForgeHost } from '../../src/forge/host.ts'
import { Failure } from '../../src/lib/failure.ts'
import { createId } from '../../src/lib/id.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import type { AutomationCommitRow, AutomationRunRow } from '../../src/postgres/schema/automations.ts'
import type { Db } from '../../src/postgres/types.ts'
import { operator } from '../../src/projects/keys.ts'
import { generateKey, parseKeys } from '../../src/secrets/keys.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { addProject, claimNext, completeRun, toLeased } from './database.ts'
import { type Cleanup, createRemote, testGit, type TestRemote } from './git-remote.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

export type Following = {
  readonly db: Db
  readonly projectId: string
  readonly sourceId: string
  readonly docs: TestRemote
  readonly product: TestRemote
  readonly clock: ManualClock
  /** With the trigger `code` on the source `api`, unless given. */
  create(given?: Partial<NewAutomation & Beginning>): Promise<string>
  /** Reads all branches, settles runs that have ended, and starts those that are due. */
  step(): Promise<void>
  look(): Promise<void>
  /** As after a webhook about a push to the source, which may be one of a tag. */
  lookAtTags(): Promise<void>
  /** Sets the commit statuses that are due. `set` undefined: there is no credential. */
  sayReleases(set: ForgeHost['setStatus'] | undefined): Promise<void>
  /** Shows skipped commits to this model, if that is due. */
  triage(model: Model): Promise<void>
  /** Ends the run that has waited longest: `failed` with this code, with a question, or without a change. Returns its job. */
  end(how?: 'model_refused' | 'cancelled' | 'model_not_configured' | 'question'): Promise<string | undefined>
  commits(automationId: string): Promise<readonly AutomationCommitRow[]>
  runs(automationId: string): Promise<readonly AutomationRunRow[]>
}

export const page = '# Client\n\nCall `createClient` with `retryLimit`, and stop it with `closeClient`.\n'

const asking = { finish: { kind: 'question', question: 'Which one?' }, change: null } as const

export async function following(
  t: Cleanup,
  db: Db,
  given: { readonly confirmHead?: ConfirmHead; readonly product?: TestRemote } = {},
): Promise<Following> {
  const { confirmHead = () => Promise.resolve(undefined), product = createRemote(t) } = given
  const docs = createRemote(t)
  docs.commit('main', { 'index.md': '# Docs\n', 'client.md': page })
  product.commit('main', { 'src/client.ts': 'export function createClient(retryLimit = 3) {}\n' }, 'First')
  // Runs of the test before would be claimed first.
  await db.deleteFrom('projects').execute()
  const projectId = await addProject(db, docs.directory)
  const sourceId = createId('src')
  const at = new Date()
  const source = { id: sourceId, project_id: projectId, name: 'api', repository: product.directory, paths: '[]' }
  await db
    .insertInto('sources')
    .values({ ...source, created_at: at, updated_at: at })
    .execute()
  const git = await testGit(t)
  const facts = createFactsReader()
  t.after(() => facts.close())
  const clock = createManualClock(new Date('2026-11-20T09:05:00Z'))
  const ring = parseKeys(generateKey())
  const secrets = createSecrets(() => ring)
  const context = { db, clock, secrets, modelId: 'docent/rules', publicUrl: 'http://x' }
  const { signal } = new AbortController()
  const log = createLog('silent')
  const options = {
    ...context,
    git,
    confirmHead,
    facts,
    log,
    signal,
    now: () => clock.now(),
    hide: (text: string) => text,
  }
  const lookNow = async () => {
    await db
      .updateTable('followed_repositories')
      .set({ look_after: new Date(0), claimed_until: null })
      .execute()
    await lookAtBranches(options)
  }
  return {
    db,
    projectId,
    sourceId,
    docs,
    product,
    clock,
    create: async (given = {}) => {
      const trigger = { type: 'code', source: 'api', paths: [], when: 'merge' } as const
      const wanted = { name: createId('aut'), trigger, instructions: 'Document it', ...given }
      const { row } = await createAutomation(context, operator, projectId, wanted)
      return row.id
    },
    look: lookNow,
    lookAtTags: async () => {
      await hastenLook(db, [sourceId])
      await lookNow()
    },
    sayReleases: async (setStatus) => {
      const statuses = setStatus && { setStatus }
      await sayReleases({ ...options, statusesOf: async () => statuses, dashboardUrl: 'https://docent.example' })
    },
    step: async () => {
      await lookNow()
      await startDue({ ...options, upkeepTime: async () => clock.now() })
      await settleRuns(options)
      await takeCommits(options)
    },
    triage: (model) => triageSkipped({ ...options, modelId: model.id, openModel: () => model }),
    end: async (how) => {
      const run = await claimNext(db)
      if (!run) return undefined
      const leased = toLeased(db, run)
      if (how === undefined) await completeRun(leased)
      else if (how === 'question') await completeRun(leased, asking)
      else await settle(leased, new Failure(how, 'The test said so.'), settleJob)
      return run.job_id
    },
    commits: (id) =>
      db.selectFrom('automation_commits').selectAll().where('automation_id', '=', id).orderBy('ordinal').execute(),
    runs: (id) =>
      db.selectFrom('automation_runs').selectAll().where('automation_id', '=', id).orderBy('ordinal').execute(),
  }
}
