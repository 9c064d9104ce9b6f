// Rotated logs imported with the command into a real service: however often, in whichever order and after whichever stop,
// the set has the page views and visitors of one import.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Collecting, startCollecting } from '../support/collecting.ts'
import { runCommand, spawnCommand } from '../support/command.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'
const hourMs = 3_600_000
const readers = 40

let t: Collecting
before(async () => void (t = await startCollecting({ DOCENT_EXPORTS_PER_HOUR: '100000' })))
after(() => t.close())

/** A project of its own with a folder of its own. */
async function createPlace() {
  const body = { name: 'Rotated', repository: t.service.repository, visitorWindow: 'day' }
  const { id } = await t.asAdmin<{ id: string }>('POST', '/v1/projects', body)
  const folder = join(t.service.folder, id)
  await mkdir(folder)
  const write = (name: string, log: string) => writeFile(join(folder, name), name.endsWith('.gz') ? gzipSync(log) : log)
  const importAll = async (names: readonly string[]) => {
    const paths = names.map((name) => join(folder, name))
    const { code, stderr } = await runCommand(['analytics', 'import', ...paths, '--project', id], t.service.environment)
    assert.equal(code, 0, stderr)
  }
  return { id, folder, write, importAll }
}

type Totals = { readonly totals: { readonly total: number } }

async function countsOf(projectId: string): Promise<{ readonly views: number; readonly visitors: number }> {
  const range = `?dateFrom=${new Date(now - 20 * 24 * hourMs).toISOString().slice(0, 10)}`
  const [views, visitors] = await Promise.all(
    ['views', 'visitors'].map((name) => t.asAdmin<Totals>('GET', `/v1/analytics/${projectId}/${name}${range}`)),
  )
  return { views: views?.totals.total ?? 0, visitors: visitors?.totals.total ?? 0 }
}

const now = Date.now()

type Request = { readonly time: number; readonly reader: number; readonly path: string }

/** Every hundredth request comes twice in its second. */
function requestsOf(count: number, from: number, until: number): readonly Request[] {
  return Array.from({ length: count }, (_, n) => {
    const at = n % 100 === 1 ? n - 1 : n
    const time = from + Math.floor(((until - from) * at) / count)
    return { time, reader: (at * 7 + Math.floor(at / readers)) % readers, path: `/page-${at % 30}` }
  })
}

function toLine({ time, reader, path }: Request): string {
  const [, day, month, year, clock] = /(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(time).toUTCString()) ?? []
  return `192.0.2.${reader} - - [${day}/${month}/${year}:${clock} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${chrome}"\n`
}

/** Four logs, the oldest first. Each begins within a day, so its visitors are in the log before, too. */
function rotate(requests: readonly Request[]) {
  const length = requests.length / 4
  const at = (n: number) => requests.slice(n * length, (n + 1) * length).map(toLine)
  const logs = [at(0), at(1), at(2), at(3)] as const
  const days = new Set(requests.map(({ time, reader }) => `${Math.floor(time / (24 * hourMs))} ${reader}`))
  return { logs, expected: { views: requests.length, visitors: days.size } }
}

/** Their visitors have salts of the import, which it destroys at the end. */
const old = rotate(requestsOf(20_800, now - 11 * 24 * hourMs, now - 4 * 24 * hourMs))
/** Their visitors have the salts of live page views. */
const recent = rotate(requestsOf(1_200, now - 20 * hourMs, now - hourMs))

const names = ['access.log.3.gz', 'access.log.2.gz', 'access.log.1', 'access.log'] as const

for (const [age, { logs, expected }] of Object.entries({ old, recent })) {
  test(`a set of ${age} logs counts the same once, twice and in other orders`, async () => {
    const orders = [
      [3, 0, 2, 1],
      [2, 1, 0, 3],
      [0, 1, 2, 3],
    ]
    for (const order of orders) {
      const { id, write, importAll } = await createPlace()
      for (const [n, log] of logs.entries()) await write(names[n] ?? '', log.join(''))
      const files = order.map((n) => names[n] ?? '')
      await importAll(files)
      assert.deepEqual(await countsOf(id), expected, files.join(' '))
      await importAll(files.toReversed())
      assert.deepEqual(await countsOf(id), expected, `${files.join(' ')}, twice`)
    }
  })
}

/** Imports whole logs and the beginning of one more, and kills the command when some of that is stored. */
async function killWithin(projectId: string, whole: readonly string[], log: readonly string[], wholeViews: number) {
  const args = ['analytics', 'import', ...whole, '-', '--project', projectId]
  const child = spawnCommand(args, t.service.environment, t.service.folder)
  const ended = once(child, 'close')
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(String(chunk)))
  // It may die before it has read everything.
  child.stdin.on('error', () => undefined)
  // It waits for more, so it cannot end by itself.
  child.stdin.write(log.join(''))
  const latest = performance.now() + 120_000
  while ((await countsOf(projectId)).views <= wholeViews) {
    assert.ok(child.exitCode === null && performance.now() < latest, printed.join(''))
    await delay(20)
  }
  child.kill('SIGKILL')
  await ended
}

test('killed within a log that is rotated then, a set counts the same', async () => {
  const [third, second, first, newest] = old.logs
  for (const order of [names, names.toReversed()]) {
    const { id, folder, write, importAll } = await createPlace()
    await write('access.log.2.gz', third.join(''))
    await write('access.log.1', second.join(''))
    const whole = ['access.log.2.gz', 'access.log.1'].map((name) => join(folder, name))
    await killWithin(id, whole, first.slice(0, 5_000), 10_400)
    await rename(join(folder, 'access.log.2.gz'), join(folder, 'access.log.3.gz'))
    await rm(join(folder, 'access.log.1'))
    await write('access.log.2.gz', second.join(''))
    await write('access.log.1', first.join(''))
    await write('access.log', newest.join(''))
    await importAll(order)
    assert.deepEqual(await countsOf(id), old.expected, order.join(' '))
  }
})

test('a log that is renamed or truncated between two imports counts once', async () => {
  const [third, second, first, newest] = recent.logs
  for (const way of ['renamed', 'truncated']) {
    const { id, folder, write, importAll } = await createPlace()
    await write('access.log.3.gz', third.join(''))
    await write('access.log.2.gz', second.join(''))
    // The last line is being written.
    await write('access.log', first.slice(0, 200).join('').slice(0, -30))
    await importAll(['access.log.3.gz', 'access.log'])
    await write('access.log', first.join(''))
    if (way === 'renamed') await rename(join(folder, 'access.log'), join(folder, 'access.log.1'))
    else await write('access.log.1', first.join(''))
    await write('access.log', newest.join(''))
    await importAll(names)
    assert.deepEqual(await countsOf(id), recent.expected, way)
  }
})
