// A data directory of revision d550b89, the last one without people, is opened by this one: its keys and its credential
// work, and the first account is still to be made. It sees the jobs, pull requests and visitors of then. `make.sh` beside
// the data says how that revision made it.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../support/command.ts'
import { assertHolds, type DataService, type Row, serveData, unpackData } from '../support/data-directory.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

/** The responses of that revision about its data, right before it stopped. */
type Recorded = Readonly<Record<'project' | 'forge' | 'open' | 'key', string>> & {
  readonly jobs: { readonly jobs: readonly Row[] }
  readonly pulls: { readonly pulls: readonly Row[] }
  readonly credential: Row
  readonly visitors: Row
}

const fixture = fileURLToPath(new URL('../fixtures/data-d550b89/', import.meta.url))
const then = JSON.parse(await readFile(join(fixture, 'expected.json'), 'utf8')) as Recorded
const ada = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'four plain words together' }
const paths = {
  jobs: `/v2/agent/${then.project}/jobs?limit=100`,
  pulls: `/v1/projects/${then.project}/pulls`,
  visitors: `/v1/analytics/${then.project}/visitors?dateFrom=2026-10-01&dateTo=2026-12-01&limit=250`,
}

let folder: string
let service: DataService
before(async () => {
  folder = await temporaryFolder('upgrade')
  // The salt of November 2026 recognises visitors until two days after that month.
  service = await serveData(await unpackData(fixture, folder), folder, { TEST_CLOCK: '2026-11-23T12:00:00Z' })
})
after(async () => {
  await service?.stop()
  await removeFolder(folder)
})

type Sent = { readonly headers?: Record<string, string>; readonly body?: unknown }

async function send(path: string, { headers = {}, body }: Sent = {}): Promise<Response> {
  const json = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const response = await fetch(`${service.address}${path}`, { ...json, headers: { ...type, ...headers } })
  assert.ok(response.ok, `${path}: ${await response.clone().text()}`)
  return response
}

async function assertSeesAll(headers: Record<string, string>): Promise<void> {
  const get = async (path: string) => (await (await send(path, { headers })).json()) as Row
  assertHolds((await get(paths.jobs))['jobs'] as Row[], then.jobs.jobs)
  assertHolds((await get(paths.pulls))['pulls'] as Row[], then.pulls.pulls)
  assertHolds([await get(paths.visitors)], [then.visitors])
}

test('a key of a revision without people sees what it saw', async () => {
  assert.equal(then.jobs.jobs.length, 2)
  await assertSeesAll({ Authorization: `Bearer ${then.key}` })
})

test('the first account of such a data directory sees its jobs and visitors', async () => {
  const own = { Origin: 'https://docent.example.com', 'Sec-Fetch-Site': 'same-origin' }
  const before = (await (await send('/v1/session')).json()) as Row
  assert.equal(before['setup'], true)
  const [link, token] = (service.setupLink ?? '').split('#')
  assert.equal(link, 'https://docent.example.com/setup')
  const created = await send('/v1/setup', { headers: own, body: { ...ada, token } })
  const Cookie = (created.headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
  await assertSeesAll({ ...own, Cookie })
  const listed = await send(paths.jobs, { headers: { ...own, Cookie } })
  const { jobs } = (await listed.json()) as { jobs: readonly Row[] }
  assert.deepEqual(
    jobs.map(({ prompt, origin }) => [prompt, origin]),
    [
      ['Improve the quickstart', null],
      ['Rename "Acme CLI" to "Acme Command"', null],
    ],
  )
  const { keys } = (await (await send('/v1/keys', { headers: { ...own, Cookie } })).json()) as { keys: readonly Row[] }
  assert.deepEqual(
    keys.map(({ name, scope, state }) => [name, scope, state]),
    [['fixture', 'write', 'active']],
  )
  for (const { id } of then.jobs.jobs) {
    const path = `/v2/agent/${then.project}/job/${String(id)}/events.json?limit=500`
    const { events } = (await (await send(path, { headers: { ...own, Cookie } })).json()) as { events: readonly Row[] }
    assert.deepEqual([events[0]?.['type'], events.at(-1)?.['type']], ['message', 'job_ended'])
  }
})

test('a reader whom such a revision counted is not counted again', async () => {
  const headers = { Authorization: `Bearer ${then.key}` }
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
  const view = { timestamp: '2026-11-18T09:30:00Z', path: '/quickstart', userAgent }
  const add = (address: string) =>
    send(`/v1/analytics/${then.project}/page-views`, { headers, body: [{ ...view, address }] })
  const totals = async () => ((await (await send(paths.visitors, { headers })).json()) as Row)['totals'] as Row
  await add('192.0.2.7')
  assert.deepEqual(await totals(), then.visitors['totals'])
  await add('192.0.2.8')
  assert.deepEqual(await totals(), { human: 2, ai: 1, total: 3 })
})

test('a credential of such a data directory is there, and can be decrypted', async () => {
  const environment = { DOCENT_DATA_DIR: join(folder, 'data') }
  const shown = await runCommand(['project', 'credential', 'show', then.forge, '--json'], environment)
  assertHolds([JSON.parse(shown.stdout) as Row], [then.credential])
  const rotated = await runCommand(['secrets', 'rotate', '--json'], environment)
  const { done, unreadable } = JSON.parse(rotated.stdout) as Row
  assert.deepEqual([rotated.code, done, unreadable], [0, 1, []])
})
