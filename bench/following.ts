// Measures 1,000 automations that follow 100 branches on which nothing moves: the CPU of the looks as a share of a core, by plain git
// and by the API of a host. For git the repositories are folders, so git's part of the host is in the figure, too. The API is that of
// GitHub, over https, with its two questions about a default branch; the host is a process of its own, and is not counted.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { createAutomation } from '../src/automations/automations.ts'
import { lookAtBranches } from '../src/automations/positions/look.ts'
import { settleRuns } from '../src/automations/runs/settle.ts'
import { takeCommits } from '../src/automations/positions/take.ts'
import { triageSkipped } from '../src/automations/ledger/triage.ts'
import { createFactsReader } from '../src/checks/facts/reader.ts'
import { createForgeClient } from '../src/forge/client.ts'
import { gitHubHeaders } from '../src/forge/github/github.ts'
import { createGitHubHost } from '../src/forge/github/host.ts'
import { createId } from '../src/lib/id.ts'
import { createLog } from '../src/lib/observability/log.ts'
import { confirmHead } from '../src/projects/access/confirm-head.ts'
import { createConnections } from '../src/projects/connections.ts'
import { putCredential } from '../src/projects/credentials.ts'
import { operator } from '../src/projects/keys.ts'
import { generateKey, parseKeys } from '../src/secrets/keys.ts'
import { createSecrets } from '../src/secrets/secrets.ts'
import { addProject } from '../test/support/database.ts'
import { createRemote, testGit } from '../test/support/git-remote.ts'
import { certificate, certificateHost } from '../test/support/loopback-certificate.ts'
import { createManualClock } from '../test/support/manual-clock.ts'
import { openEmbeddedEngine } from './engines.ts'
import type { FromHost } from './following-host.ts'

const projects = 10
const sources = 10
const each = 10
/** So many that the figure of the API, whose looks are short, is not that of code that has just been compiled. */
const looks = { git: 3, api: 10, loop: 100 }
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
const secrets = createSecrets(() => ring)
const context = { db, clock, secrets, modelId: 'docent/rules', publicUrl: 'http://x' }
const { signal } = new AbortController()
const openModel = () => {
  throw new Error('no model')
}
const log = createLog('error')
const host = fork(fileURLToPath(new URL('following-host.ts', import.meta.url)))
const ask = async () => {
  const [answer] = (await once(host, 'message')) as [FromHost]
  return answer
}
const started = await ask()
const origin = `https://${certificateHost}:${'port' in started ? started.port : 0}`
setDefaultCACertificates([...getCACertificates('default'), certificate])
const connections = createConnections({
  db,
  secrets,
  clock,
  mintToken: () => Promise.reject(new Error('no App')),
  openHost: ({ apiUrl, ...repository }, token) => {
    const network = { privateHosts: [new URL(origin).host], resolve: () => Promise.resolve(['127.0.0.1']) }
    const authorization = { scheme: 'Bearer', token } as const
    return createGitHubHost({
      client: createForgeClient({ apiUrl, authorization, headers: gitHubHeaders, ...network }),
      repository,
    })
  },
})
const options = {
  ...context,
  git,
  facts,
  log,
  signal,
  openModel,
  now: () => clock.now(),
  hide: (text: string) => text,
  confirmHead: (...asked: [string, Parameters<typeof confirmHead>[2], AbortSignal]) =>
    confirmHead({ db, connections }, ...asked),
}
const heads: Record<string, string> = {}
const moves: { readonly id: string; readonly path: string }[] = []
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
    const path = `acme/r${project}-${source}`
    heads[path] = remote.head('main') ?? ''
    moves.push({ id: row.id, path })
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

const lookAtAll = async () => {
  await sql`update followed_repositories set look_after = now()`.execute(db)
  await lookAtBranches(options)
}
const byGit = await measure(lookAtAll, looks.git)

/** From folders to the host: what has been seen of the branches stays. */
for (const { id, path } of moves) {
  const repository = `${origin}/${path}`
  await db.updateTable('sources').set({ repository }).where('id', '=', id).execute()
  await db.updateTable('automation_positions').set({ repository }).where('repository_id', '=', id).execute()
  const addresses = { webUrl: origin, apiUrl: `${origin}/api/v3` }
  await putCredential({ db, secrets }, id, { kind: 'token', forge: 'github', secret: `github_pat_${id}`, ...addresses })
}
host.send(heads)
await lookAtAll()
host.send('count')
assert.deepEqual(await ask(), { whole: 2 * moves.length, unchanged: 0 })
const byApi = await measure(lookAtAll, looks.api)
host.send('count')
assert.deepEqual(await ask(), { whole: 0, unchanged: 2 * moves.length * looks.api })
host.send('end')

const loop = await measure(async () => {
  await settleRuns(options)
  await takeCommits(options)
  await triageSkipped(options)
}, looks.loop)
const atRest = loop / (10 * loopSeconds)
const share = (ms: number) => `${(ms / (10 * lookSeconds) + atRest).toFixed(1)} % of a core`
const branches = projects * sources
console.log(`${branches * each} automations: ${loop.toFixed(1)} ms of CPU a loop, each ${loopSeconds} s`)
console.log(
  `${branches} branches, by git: ${byGit.toFixed(0)} ms of CPU a look at all, each minute; together ${share(byGit)}`,
)
console.log(
  `${branches} branches, by API: ${byApi.toFixed(0)} ms of CPU a look at all, each minute; together ${share(byApi)}`,
)
await facts.close()
for (const end of ending.toReversed()) await end()
await engine.close()
