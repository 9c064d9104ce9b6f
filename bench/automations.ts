// Measures 1,000 automations with schedules: the CPU of a process that looks for due ones while nothing is due, as a share of a
// core, and the time until all of one slot have their jobs, on the embedded database.

import { lookingMs, startDue, type ScheduleOptions } from '../src/automations/schedule/start-due.ts'
import { createAutomation } from '../src/automations/automations.ts'
import { createLog } from '../src/lib/observability/log.ts'
import { operator } from '../src/projects/keys.ts'
import { generateKey, parseKeys } from '../src/secrets/keys.ts'
import { createSecrets } from '../src/secrets/secrets.ts'
import { addProject } from '../test/support/database.ts'
import { createManualClock } from '../test/support/manual-clock.ts'
import { openEmbeddedEngine } from './engines.ts'

const projects = 10
const each = 100
const looks = 400

const engine = await openEmbeddedEngine()
const [postgres] = engine.workers
if (!postgres) throw new Error('no engine')
const { db } = postgres
const clock = createManualClock()
const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
const context = { db, clock, secrets, modelId: 'docent/rules', publicUrl: 'http://x' }
const options: ScheduleOptions = {
  ...context,
  upkeepTime: async () => clock.now(),
  log: createLog('error'),
  signal: new AbortController().signal,
}
const trigger = { type: 'schedule', cron: '0 3 * * *', timeZone: null } as const
for (let project = 0; project < projects; project += 1) {
  const id = await addProject(db)
  for (let at = 0; at < each; at += 1) {
    await createAutomation(context, operator, id, { name: `a${at}`, trigger, instructions: 'Fix broken links.' })
  }
}

const before = process.cpuUsage()
for (let look = 0; look < looks; look += 1) await startDue(options)
const { user, system } = process.cpuUsage(before)
const cpuMs = (user + system) / 1_000 / looks
const share = ((100 * cpuMs) / lookingMs).toFixed(3)
console.log(`${projects * each} automations at rest: ${cpuMs.toFixed(2)} ms of CPU a look, ${share} % of a core`)

await clock.pass(24 * 3_600_000)
const began = performance.now()
await startDue(options)
const runs = await db.selectFrom('automation_runs').select('job_id').execute()
const started = runs.filter(({ job_id: id }) => id !== null).length
console.log(`${started} jobs started in ${Math.round(performance.now() - began)} ms`)
await engine.close()
