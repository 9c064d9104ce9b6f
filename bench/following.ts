// Measures 1,000 automations that follow 100 branches on which nothing moves: the CPU of the looks, git included, as a share of a core.
// The repositories are folders, so git's part of the host is in the figure, too.

import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { createAutomation } from '../src/automations/automations.ts'
import { lookAtBranches } from '../src/automations/positions/look.ts'
import { settleRuns } from '../src/automations/runs/settle.ts'
import { takeCommits } from '../src/automations/positions/take.ts'
import { triageSkipped } from '../src/automations/ledger/triage.ts'
import { createFactsReader } from '../src/checks/facts/reader.ts'
import { createId } from '../src/lib/id.ts'
import { createLog } from '../src/lib/observability/log.ts'
import { operator } from '../src/projects/keys.ts'
import { generateKey, parseKeys } from '../src/secrets/keys.ts'
import { createSecrets } from '../src/secrets/secrets.ts'
import { addProject } from '../test/support/database.ts'
import { createRemote, testGit } from '../test/support/git-remote.ts'
import { createManualClock } from '../test/support/manual-clock.ts'
import { openEmbeddedEngine } from './engines.ts'

const projects = 10
const sources = 10
const each = 10
const looks = 5
const lookSeconds = 60
const loopSeconds = 5

const ending: (() => unknown)[] = []
const t = { after: (end: () => unknown) => void ending.push(end) } as Parameters<typeof createRemote>[0]
const engine = await openEmbeddedEngine()
const [postgres] = engine.workers
if (!postgres) throw new Error('no engine')
const { db } = postgres
const git = await testGit(t)
const facts = createFactsReader()
const clock = createManualClock()
const ring = parseKeys(generateKey())
const context = { db, clock, secrets: createSecrets(() => ring), modelId: 'docent/rules', publicUrl: 'http://x' }
const { signal } = new AbortController()
const openModel = () => {
  throw new Error('no model')
}
const log = createLog('error')
const options = { ...context, git, facts, log, signal, openModel, now: () => clock.now(), hide: (text: string) => text }
const at = new Date()
for (let project = 0; project < projects; project += 1) {
  const projectId = await addProject(db)
  for (let source = 0; source < sources; source += 1) {
    const remote = createRemote(t)
    remote.commit('main', { 'src/a.ts': 'a\n' })
    const row = {
      id: createId('src'),
      project_id: projectId,
      name: `s${source}`,
      repository: remote.directory,
      paths: '[]',
    }
    await db
      .insertInto('sources')
      .values({ ...row, created_at: at, updated_at: at })
      .execute()
    const trigger = { type: 'code', source: row.name, paths: [], when: 'merge' } as const
    for (let number = 0; number < each; number += 1) {
      const given = { name: `${row.name} ${number}`, trigger, instructions: 'Update the docs.' }
      await createAutomation(context, operator, projectId, given)
    }
  }
}
await lookAtBranches(options)

/** Milliseconds of this process and of its children that have ended. */
function cpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10
}

async function measure(work: () => Promise<void>, times: number): Promise<number> {
  const before = cpuMs()
  for (let time = 0; time < times; time += 1) await work()
  return (cpuMs() - before) / times
}

const look = await measure(async () => {
  await sql`update followed_repositories set look_after = now()`.execute(db)
  await lookAtBranches(options)
}, looks)
const loop = await measure(async () => {
  await settleRuns(options)
  await takeCommits(options)
  await triageSkipped(options)
}, looks * 20)
const share = look / (10 * lookSeconds) + loop / (10 * loopSeconds)
console.log(`${projects * sources} branches: ${look.toFixed(0)} ms of CPU a look at all, each minute`)
console.log(`${projects * sources * each} automations: ${loop.toFixed(1)} ms of CPU a loop, each ${loopSeconds} s`)
console.log(`together ${share.toFixed(1)} % of a core`)
await facts.close()
for (const end of ending.toReversed()) await end()
await engine.close()
