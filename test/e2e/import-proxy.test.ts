// The log of a server behind a proxy, imported with the command into a real service: readers are counted, not the proxy.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Collecting, startCollecting } from '../support/collecting.ts'
import { runCommand } from '../support/command.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'

let t: Collecting
before(async () => void (t = await startCollecting()))
after(() => t.close())

/** A project of its own, so that its counts are this test's. */
async function createProject(): Promise<string> {
  const body = { name: 'Behind a proxy', repository: t.service.repository }
  return (await t.asAdmin<{ id: string }>('POST', '/v1/projects', body)).id
}

type Counts = { readonly totals: { readonly total: number } }

async function countsOf(projectId: string, days = ''): Promise<{ readonly views: number; readonly visitors: number }> {
  const base = `/v1/analytics/${projectId}`
  const [views, visitors] = await Promise.all([
    t.asAdmin<Counts>('GET', `${base}/views${days}`),
    t.asAdmin<Counts>('GET', `${base}/visitors${days}`),
  ])
  return { views: views.totals.total, visitors: visitors.totals.total }
}

const now = Date.now()
const dayMs = 86_400_000

/** Five views of each reader, through a proxy. `after`: the rest of the line of one reader. */
function logOf(
  readers: readonly string[],
  after: (reader: string) => string,
  { peer = '10.0.0.5', daysAgo = 0 }: { readonly peer?: string; readonly daysAgo?: number } = {},
): string {
  const lines = Array.from({ length: readers.length * 5 }, (_, n) => {
    const [, day, month, year, time] =
      /(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(now - daysAgo * dayMs - n).toUTCString()) ?? []
    const at = `[${day}/${month}/${year}:${time} +0000]`
    const reader = readers[n % readers.length] ?? ''
    return `${peer} - - ${at} "GET /page-${n} HTTP/1.1" 200 5 "-" "${chrome}"${after(reader)}\n`
  })
  return lines.join('')
}

async function importLog(projectId: string, log: string, args: readonly string[] = []) {
  const path = join(t.service.folder, 'proxy.log')
  await writeFile(path, log)
  const result = await runCommand(['analytics', 'import', path, '--project', projectId, ...args], t.service.environment)
  assert.equal(result.code, 0, result.stderr)
  return result.stdout
}

const five = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '198.51.100.4', '192.0.2.5']
const five6 = five.map((_, n) => `2001:db8:${n}::1`)
const forwarded = ['--address-from', 'forwarded']

const logs: readonly (readonly [name: string, log: string, args: readonly string[], visitors: number])[] = [
  ['one hop', logOf(five, (reader) => ` "${reader}"`), forwarded, 5],
  ['two hops', logOf(five, (reader) => ` "${reader}, 10.0.0.6"`), [...forwarded, '--trusted-hops', '2'], 5],
  ['forged entries', logOf(five, (reader) => ` "1.1.1.1, 8.8.8.8, ${reader}"`), forwarded, 5],
  [
    'two hops and forged entries',
    logOf(five, (reader) => ` "${five.indexOf(reader)}.1.1.1, 203.0.113.1, 10.0.0.6"`),
    [...forwarded, '--trusted-hops', '2'],
    1,
  ],
  ['IPv6', logOf(five6, (reader) => ` "${reader}"`, { peer: '::1' }), forwarded, 5],
  ['IPv6 with brackets and ports', logOf(five6, (reader) => ` "[${reader}]:4711"`), forwarded, 5],
  ['a field', logOf(five, (reader) => ` 0.003 "${reader}"`), ['--address-from', 'field 11'], 5],
  ['a missing field', logOf(five, (reader) => (reader === five[0] ? '' : ` "${reader}"`)), forwarded, 4],
]

for (const [name, log, args, visitors] of logs) {
  test(`behind a proxy, with ${name}, ${visitors} readers are ${visitors} visitors`, async () => {
    const projectId = await createProject()
    const printed = await importLog(projectId, log, args)
    assert.deepEqual(await countsOf(projectId), { views: 25, visitors })
    assert.doesNotMatch(printed, /a private address|have no address/)
  })
}

test('readers behind a proxy are one visitor without the option, and a hint says so', async () => {
  const projectId = await createProject()
  const log = logOf(five, (reader) => ` "${reader}"`)
  const printed = await importLog(projectId, log)
  assert.deepEqual(await countsOf(projectId), { views: 25, visitors: 1 })
  assert.match(printed, /^25 of 25 page views came from 1 address and carry 5 forwarded ones: /m)
  assert.match(printed, /Import with --address-from forwarded to count them, or with --address-from connection if /)
  assert.doesNotMatch(
    await importLog(projectId, log, ['--address-from', 'connection', '--from-start']),
    /page views came/,
  )
  // A page view that is stored keeps its visitor.
  await importLog(projectId, log, forwarded)
  assert.deepEqual(await countsOf(projectId), { views: 25, visitors: 1 })
  assert.equal(await eraseImported(projectId), 25)
  await importLog(projectId, log, forwarded)
  assert.deepEqual(await countsOf(projectId), { views: 25, visitors: 5 })
})

test('imported page views of any age are erased by their days, and imported again', async () => {
  const projectId = await createProject()
  const old = logOf(five, (reader) => ` "${reader}"`, { daysAgo: 70 })
  const sent = [70, 60].map((daysAgo) => ({ timestamp: now - daysAgo * dayMs, path: '/', userAgent: chrome }))
  await t.asAdmin('POST', `/v1/analytics/${projectId}/page-views`, sent)
  await importLog(projectId, `${old}${logOf(five, () => '', { daysAgo: 60 })}`)
  const days = [`dateFrom=${dayOf(71)}`, `dateTo=${dayOf(65)}`].join('&')
  assert.deepEqual(await countsOf(projectId, `?${days}`), { views: 26, visitors: 1 })
  // The salts are destroyed: nobody can find these page views by an address.
  const path = `/v1/analytics/${projectId}/visitors/erase`
  assert.deepEqual(await t.asAdmin('POST', path, { address: '10.0.0.5' }), { erased: { visitors: 0, pageViews: 0 } })
  const range = ['--since', dayOf(71), '--until', dayOf(65)]
  const command = ['analytics', 'erase-imported', '--project', projectId, ...range]
  const refused = await runCommand(command, t.service.environment)
  assert.deepEqual([refused.code, /Add --yes to confirm/.test(refused.stderr)], [1, true])
  const { stdout } = await runCommand([...command, '--yes'], t.service.environment)
  assert.equal(stdout, 'Deleted 25 page views. Import their logs with --from-start.\n')
  assert.deepEqual(await countsOf(projectId, `?${days}`), { views: 1, visitors: 0 })
  await importLog(projectId, old, [...forwarded, '--from-start'])
  assert.deepEqual(await countsOf(projectId, `?${days}`), { views: 26, visitors: 5 })
  const rest = `?dateFrom=${dayOf(65)}&dateTo=${dayOf(1)}`
  assert.deepEqual(await countsOf(projectId, rest), { views: 26, visitors: 1 })
})

test('hints are in the JSON, and name the hops if the place was given', async () => {
  const log = logOf(five, () => ' "10.0.0.6"') + logOf(five.slice(0, 2), () => '')
  const { hints } = JSON.parse(await importLog(await createProject(), log, [...forwarded, '--json'])) as Printed
  assert.equal(hints.length, 1)
  const [{ text, ...hint } = {}] = hints
  assert.deepEqual(hint, { kind: 'private_address', address: '10.0.0.6', pageViews: 25, of: 35 })
  assert.match(String(text), /it may be another proxy of yours, and --trusted-hops \(now 1\) too small\./)
  const missing = await importLog(await createProject(), log, ['--address-from', 'field 11'])
  assert.match(missing, /^35 of 35 page views have no address in the field 11 and count no visitor: /m)
})

type Printed = { readonly hints: readonly Readonly<Record<string, unknown>>[] }

/** Deletes those of all days, and returns their number. */
async function eraseImported(projectId: string): Promise<number> {
  const args = ['analytics', 'erase-imported', '--project', projectId, '--since', '2000-01-01', '--yes', '--json']
  const { code, stdout, stderr } = await runCommand(args, t.service.environment)
  assert.equal(code, 0, stderr)
  return (JSON.parse(stdout) as { readonly pageViews: number }).pageViews
}

function dayOf(daysAgo: number): string {
  return new Date(now - daysAgo * dayMs).toISOString().slice(0, 10)
}
