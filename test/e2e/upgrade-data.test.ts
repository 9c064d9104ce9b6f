// A data directory written by revision ffe62e2 is opened by this one: its jobs, pull requests and page views are all
// there although the clock is wrong at the first start, follow-ups work, and its salts still recognise the same
// visitors. `make.sh` beside the data says how that revision made it.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { assertHolds, type DataService, type Row, serveData, unpackData } from '../support/data-directory.ts'
import { connect } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

type Visitors = { readonly totals: Row; readonly visitors: readonly Row[] }
/** The responses of that revision about its data, right before it stopped. */
type Recorded = Readonly<
  Record<'demo' | 'project' | 'monthly' | 'site' | 'open' | 'archived' | 'key' | 'diff', string>
> &
  Readonly<Record<'demoVisitors' | 'projectVisitors' | 'monthlyVisitors', Visitors>> &
  Readonly<Record<'demoViews' | 'projectViews' | 'monthlyViews', Row>> & {
    readonly projectJobs: { readonly jobs: readonly Row[] }
    readonly projectPulls: { readonly pulls: readonly Row[] }
    readonly demoPulls: { readonly pulls: readonly Row[] }
    readonly demoJobs: { readonly jobs: readonly [{ readonly id: string }] }
    readonly messages: { readonly messages: readonly Row[] }
  }

const fixture = fileURLToPath(new URL('../fixtures/data-ffe62e2/', import.meta.url))
const recorded = JSON.parse(await readFile(join(fixture, 'expected.json'), 'utf8')) as Recorded
const range = 'dateFrom=2026-10-01&dateTo=2026-12-01&limit=250'

let folder: string
let saltsAfterWrongClock: readonly string[]
let service: DataService
before(async () => {
  folder = await temporaryFolder('upgrade')
  const dataDir = await unpackData(fixture, folder)
  saltsAfterWrongClock = await startWithWrongClock(dataDir)
  service = await serve(dataDir)
})
after(async () => {
  await service?.stop()
  await removeFolder(folder)
})

/** Its stop waits for the sweeps that begin with it. Returns the windows whose salts are left. */
async function startWithWrongClock(dataDir: string): Promise<readonly string[]> {
  const ahead = await serve(dataDir, { TEST_CLOCK: '+100d', DOCENT_ARCHIVE_AFTER_DAYS: '90' })
  await ahead.stop()
  const postgres = await openPostgres({ kind: 'embedded', directory: join(dataDir, 'postgres') })
  const salts = await postgres.db.selectFrom('salts').select('window').where('destroy_at', 'is not', null).execute()
  await postgres.close()
  return salts.map(({ window }) => window)
}

const serve = (dataDir: string, settings: Environment = {}) => serveData(dataDir, folder, settings)

function clientOf(projectId: string) {
  return connect({ addresses: [service.address], projectId, key: recorded.key, send: fetch })
}

const read = (projectId: string, path: string) => clientOf(projectId).call<Row>('GET', path)

const operator = () => openSocketApi(parseConfig({ DOCENT_DATA_DIR: join(folder, 'data') }))
const readLocally = async (path: string) => JSON.parse((await operator().send('GET', path)).body) as Row

async function eventsOf(projectId: string, jobId: unknown): Promise<readonly Row[]> {
  const path = `/v2/agent/${projectId}/job/${String(jobId)}/events.json?limit=500`
  return (await read(projectId, path))['events'] as readonly Row[]
}

/** Puts the repository of that time somewhere, and tells the project so: its address of then is not on this machine. */
async function moveRepository(projectId: string, name: string): Promise<void> {
  const repository = join(folder, `${name}.git`)
  await promisify(execFile)('git', ['clone', '--quiet', '--mirror', join(fixture, `${name}.bundle`), repository])
  await operator().send('PATCH', `/v1/projects/${projectId}`, { repository })
}

test('a first start with a clock 100 days ahead archives no job and destroys no salt', async () => {
  assert.deepEqual(saltsAfterWrongClock, ['month:2026-11', 'month:2026-11'])
  const { jobs } = (await read(recorded.project, `/v2/agent/${recorded.project}/jobs?limit=100`)) as { jobs: Row[] }
  const statuses = (of: readonly Row[]) => of.map(({ status }) => status)
  assert.deepEqual(statuses(jobs), statuses(recorded.projectJobs.jobs))
})

test('jobs, messages and pull requests of an earlier revision are as they were', async () => {
  const { project, demo, open } = recorded
  assertHolds((await read(demo, `/v2/agent/${demo}/jobs`))['jobs'] as Row[], recorded.demoJobs.jobs)
  assertHolds((await read(demo, `/v1/projects/${demo}/pulls`))['pulls'] as Row[], recorded.demoPulls.pulls)
  const { jobs } = (await read(project, `/v2/agent/${project}/jobs?limit=100`)) as { jobs: readonly Row[] }
  assertHolds(jobs, recorded.projectJobs.jobs)
  const { pulls } = (await read(project, `/v1/projects/${project}/pulls`)) as { pulls: readonly Row[] }
  assertHolds(pulls, recorded.projectPulls.pulls)
  const linked = jobs.filter(({ prLink }) => prLink !== null)
  assert.ok(linked.length > 0)
  for (const { prLink, pullRequest } of linked) {
    const pull = pulls.find(({ link }) => link === prLink)
    const { url, number, state, mergedAt } = pullRequest as Row
    assert.deepEqual(
      [url, number, state, mergedAt !== null],
      [prLink, pull?.['number'], pull?.['state'], state === 'merged'],
    )
  }
  const { messages } = (await read(project, `/v2/agent/${project}/job/${open}/messages`)) as { messages: Row[] }
  assertHolds(messages, recorded.messages.messages)
})

test('every event of an earlier revision is there, in order', async () => {
  const [own, demo] = [recorded.projectJobs.jobs, recorded.demoJobs.jobs]
  const ofOwn = await Promise.all(own.map(({ id }) => eventsOf(recorded.project, id)))
  const ofDemo = await Promise.all(demo.map(({ id }) => eventsOf(recorded.demo, id)))
  for (const events of [...ofOwn, ...ofDemo]) {
    assert.deepEqual(
      [...events.keys()].map((at) => at + 1),
      events.map(({ id }) => id),
    )
    assert.equal(events[0]?.['type'], 'message')
    for (const { type, usage } of events) if (type === 'turn') assert.equal((usage as Row)['cachedInputTokens'], 0)
  }
  // As many as that revision had in its table.
  assert.equal([...ofOwn, ...ofDemo].flat().length, 115)
})

test('keys and sites of an earlier revision are as they were', async () => {
  const keys = (await readLocally('/v1/keys'))['keys'] as readonly Row[]
  const shown = keys.map(({ name, scope, state, expiresAt }) => [name, scope, state, expiresAt])
  assert.deepEqual(
    shown.toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    [
      ['demo', 'write', 'active', null],
      ['fixture', 'write', 'active', null],
    ],
  )
  const { sites } = (await readLocally(`/v1/projects/${recorded.project}/sites`)) as { sites: readonly Row[] }
  assertHolds(sites, [{ id: recorded.site, name: 'docs', origins: ['https://docs.example.com'], honoursOptOut: false }])
})

test('page views of an earlier revision give the numbers that it gave', async () => {
  for (const name of ['demo', 'project', 'monthly'] as const) {
    const path = `/v1/analytics/${recorded[name]}`
    assertHolds([await read(recorded[name], `${path}/visitors?${range}`)], [recorded[`${name}Visitors`]])
    assert.deepEqual(await read(recorded[name], `${path}/views?${range}`), recorded[`${name}Views`])
  }
})

test('a reader whom an earlier revision counted is the same visitor on the next day', async () => {
  const { project } = recorded
  const client = clientOf(project)
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
  const view = { timestamp: '2026-11-19T09:00:00Z', path: '/installation', userAgent }
  const send = (of: Row) => client.call('POST', `/v1/analytics/${project}/page-views`, [{ ...view, ...of }])
  const visitors = () => read(project, `/v1/analytics/${project}/visitors?${range}`) as Promise<Visitors>
  await send({ address: '192.0.2.7' })
  await send({ visitorId: 'reader-1' })
  const known = await visitors()
  assert.deepEqual(known.totals, recorded.projectVisitors.totals)
  assert.deepEqual(
    known.visitors.find(({ path }) => path === '/installation'),
    { path: '/installation', human: 2, ai: 0, total: 2 },
  )
  await send({ address: '192.0.2.8' })
  assert.equal((await visitors()).totals['human'], Number(known.totals['human']) + 1)
})

test('a follow-up to a job of an earlier revision continues its pull request', async () => {
  const { project, open, diff } = recorded
  const client = clientOf(project)
  await moveRepository(project, 'docs')
  assert.equal(await client.diff(open), diff)
  const { prLink } = recorded.projectJobs.jobs.find(({ id }) => id === open) ?? {}
  await client.message(open, 'Set the description of guides/secrets.mdx to "Keep secrets out of your repository"')
  const job = await client.ended(open)
  assert.deepEqual([job.status, job.outcome, job.prLink], ['completed', 'pull_request', prLink])
  assert.match(await client.diff(open), /Keep secrets out of your repository/)
})

test('a message reopens a job that an earlier revision archived', async () => {
  const client = clientOf(recorded.project)
  const { archivedBy } = await client.job(recorded.archived)
  assert.equal(archivedBy, 'service')
  await client.message(recorded.archived, 'Set the description of guides/ci.mdx to "Deploy from a pipeline"')
  const job = await client.ended(recorded.archived)
  assert.deepEqual([job.status, job.outcome, job.archivedAt], ['completed', 'pull_request', null])
})

test('a follow-up to a job that was merged then opens another pull request', async () => {
  const client = clientOf(recorded.demo)
  const [{ id }] = recorded.demoJobs.jobs
  await moveRepository(recorded.demo, 'acme')
  await client.message(id, 'Set the description of guides/ci.mdx to "Deploy from your pipeline"')
  assert.equal((await client.ended(id)).outcome, 'pull_request')
  assert.deepEqual(
    (await client.pulls()).map(({ number, state, branch }) => [number, state, branch]),
    [
      [2, 'open', `docent/${id}-2`],
      [1, 'merged', `docent/${id}`],
    ],
  )
})
