// The docs of a project on a loopback GitHub, its product on a bare repository, and whole runs: the engines of a service, a model behind a
// socket, and the loops as steps. All time is simulated, also that of the forge.

import { join } from 'node:path'
import type { ConfirmHead } from '../../src/automations/positions/ask-host.ts'
import { lookAtBranches } from '../../src/automations/positions/look.ts'
import { takeCommits } from '../../src/automations/positions/take.ts'
import { settleRuns } from '../../src/automations/runs/settle.ts'
import { startDue } from '../../src/automations/schedule/start-due.ts'
import type { AutomationsContext } from '../../src/automations/automations.ts'
import { parseConfig } from '../../src/config/config.ts'
import { handleMentions } from '../../src/jobs/comments/handle.ts'
import { deleteBranches } from '../../src/jobs/upkeep/delete-branches.ts'
import { finishChecks } from '../../src/jobs/upkeep/finish-checks.ts'
import { pollPulls } from '../../src/jobs/upkeep/poll-pulls.ts'
import { createId } from '../../src/lib/id.ts'
import type { Db } from '../../src/postgres/types.ts'
import { confirmHead } from '../../src/projects/access/confirm-head.ts'
import { enterCredential } from '../../src/projects/access/enter.ts'
import { type Engines, openEngines } from '../../src/service/engines.ts'
import { createRunDeps } from '../../src/service/run-deps.ts'
import type { RunDeps } from '../../src/jobs/run/context.ts'
import { addProject } from '../support/database.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { serverSettings } from '../support/engine.ts'
import { startForge, type TestForge } from '../support/forge/forge.ts'
import { type Cleanup, createRemote, temporaryFolder } from '../support/git-remote.ts'
import { createHistory, type History } from './history.ts'
import { openSimulated, type SimulatedClock } from './simulated-clock.ts'
import { timeZone } from './slots.ts'
import { createTruth, type Truth } from './truth.ts'
import { areas, observeBegun, pageOf } from './world.ts'

export type ForgeWorld = {
  readonly db: Db
  readonly clock: SimulatedClock
  readonly projectId: string
  readonly forge: TestForge
  readonly docs: History
  readonly api: History
  readonly truth: Truth
  readonly context: AutomationsContext
  readonly deps: RunDeps
  /** As the loops of the service do it, except the runs. */
  step(): Promise<void>
  /** Only what reads the forge. */
  readonly poll: () => Promise<void>
}

export async function openForgeWorld(t: Cleanup, start: Date, modelUrl: string): Promise<ForgeWorld> {
  const { postgres, clock, url, close } = await openSimulated(start)
  t.after(close)
  const { db } = postgres
  const pages = Object.fromEntries(areas.map((area) => [`docs/en/${area}.md`, pageOf(area)]))
  const files = { 'docs/index.md': '# Home\n', ...pages }
  const forge = await startForge(t, { kind: 'github', files, switches: { isPrivate: true } })
  const engines = await openEnginesOn(t, { url, modelUrl, host: forge.host })
  const product = createRemote(t)
  product.commit('main', { '.github/ci.yml': 'on: push\n' }, 'First')
  const docs = createHistory(forge.remote, 'docs', () => clock.now())
  const api = createHistory(product, 'api', () => clock.now())
  const projectId = await addProject(db, forge.repository)
  await db.updateTable('projects').set({ time_zone: timeZone }).where('id', '=', projectId).execute()
  const source = { id: createId('src'), project_id: projectId, name: 'api', repository: product.directory, paths: '[]' }
  await db
    .insertInto('sources')
    .values({ ...source, created_at: clock.now(), updated_at: clock.now() })
    .execute()
  const { signal } = new AbortController()
  const { secrets, git } = engines
  const entering = { db, secrets, git, privateHosts: [forge.host] }
  await enterCredential(entering, projectId, { forge: 'github', token: forge.createToken().value }, signal)
  const truth = createTruth()
  return {
    db,
    clock,
    projectId,
    forge,
    docs,
    api,
    truth,
    context: { db, clock, secrets, modelId: engines.config.model.id, publicUrl: 'http://x' },
    ...loopsOf(engines, { db, clock, truth, signal }),
  }
}

type Place = { readonly url: string; readonly modelUrl: string; readonly host: string }

async function openEnginesOn(t: Cleanup, { url, modelUrl, host }: Place): Promise<Engines> {
  const config = parseConfig({
    ...serverSettings(url),
    CLICKHOUSE_URL: await frontDatabase(),
    DOCENT_DATA_DIR: join(temporaryFolder(t), 'data'),
    DOCENT_LOG_LEVEL: 'silent',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    DOCENT_PRIVATE_REPOSITORY_HOSTS: host,
    DOCENT_MODEL: 'compatible/scripted',
    DOCENT_COMPATIBLE_BASE_URL: modelUrl,
  })
  const engines = await openEngines(config)
  t.after(() => engines.close())
  return engines
}

type Looping = Pick<ForgeWorld, 'clock' | 'db' | 'truth'> & { readonly signal: AbortSignal }

function loopsOf(engines: Engines, { db, clock, truth, signal }: Looping) {
  const deps = createRunDeps({ ...engines, clock }, { reached: undefined })
  const { log } = engines
  const upkeepTime = async () => clock.now()
  const hide = (text: string) => text
  const { connections } = engines.forges
  const confirm: ConfirmHead = (...asked) => confirmHead({ db, connections }, ...asked)
  const given = { log, signal, upkeepTime, hide, readsPerHour: 500, confirmHead: confirm, now: () => clock.now() }
  const options = { ...deps, publicUrl: 'http://x', ...given }
  const seen = new Set<string>()
  const poll = async () => {
    await pollPulls(options)
    await handleMentions(options)
    await lookAtBranches(options)
  }
  return {
    deps,
    poll,
    step: async () => {
      await poll()
      await finishChecks(options)
      await deleteBranches(options)
      await startDue(options)
      await settleRuns(options)
      await takeCommits(options)
      await observeBegun({ db, truth, seen, now: clock.now(), most: Infinity })
    },
  }
}
