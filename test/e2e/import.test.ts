// `docent analytics import` against a real service: through the socket and over HTTP, stopped and gone on with.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ProbablyAutomated } from '../../src/analytics/counts/query/exports/visitors.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { resultOf, runCommand, spawnCommand } from '../support/command.ts'
import { startService, type TestService } from '../support/service.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'
const minute = 60_000

let service: TestService
before(async () => void (service = await startService({ 'index.md': '# Home\n' })))
after(async () => {
  await service.close()
})

const run = (args: readonly string[], settings: Environment = {}) =>
  runCommand(['analytics', 'import', ...args], { ...service.environment, ...settings })

const start = (args: readonly string[], settings: Environment = {}) =>
  spawnCommand(['analytics', 'import', ...args], { ...service.environment, ...settings }, service.folder)

/** A project of its own, so that its counts are this test's. */
async function createProject(timeZone = 'UTC'): Promise<string> {
  const operator = openSocketApi(parseConfig(service.environment))
  const body = { name: 'Imported', repository: service.repository, timeZone }
  return (JSON.parse((await operator.send('POST', '/v1/projects', body)).body) as { id: string }).id
}

type FileCounts = Readonly<Record<'lines' | 'linesBefore' | 'accepted' | 'from', number>>
type Counted = { readonly total: number }
type Views = {
  readonly probablyAutomated?: ProbablyAutomated
  readonly totals: Counted
  readonly views: readonly (Counted & { readonly path: string })[]
}

async function viewsOf(projectId: string, range = ''): Promise<Views> {
  const operator = openSocketApi(parseConfig(service.environment))
  return JSON.parse((await operator.send('GET', `/v1/analytics/${projectId}/views${range}`)).body) as Views
}

const began = Date.now() - 24 * 60 * minute

function line(n: number, path = `/page-${n % 50}`, status = 200): string {
  const [, day, month, year, time] = /(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(began + n * 100).toUTCString()) ?? []
  const client = `192.0.2.${n % 200}`
  return `${client} - - [${day}/${month}/${year}:${time} +0000] "GET ${path} HTTP/1.1" ${status} 5 "-" "${chrome}"\n`
}

const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => line(from + n)).join('')

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(service.folder, name)
  await writeFile(path, content)
  return path
}

test('an imported log counts once, in any form and any number of times', async () => {
  const projectId = await createProject()
  const log = `${many(2_500)}${line(1, '/a.png')}${line(2, '/gone', 404)}nonsense?secret\n`
  const path = await write('access.log', log)
  const first = await run([path, '--project', projectId])
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stderr, /^access\.log: format combined, detected from the first lines$/m)
  assert.match(first.stdout, /^LINES +2,503/m)
  assert.match(first.stdout, /^accepted +2,501$/m)
  assert.match(first.stdout, /^ +not_a_page +1 +the path is an asset, not a page$/m)
  assert.match(first.stdout, /^ +not_this_format: nonsense\?…$/m)
  const { totals, views } = await viewsOf(projectId)
  assert.deepEqual([totals.total, views.length, views[0]?.total], [2_500, 50, 50])
  const packed = await write('access.log.1.gz', gzipSync(log))
  const again = await run([packed, path, '--project', projectId, '--json'])
  assert.equal(again.stderr, '')
  const { files } = JSON.parse(again.stdout) as { files: readonly FileCounts[] }
  // The second one is the same log: it continues after its end.
  assert.deepEqual(
    files.map(({ lines, linesBefore, accepted, from }) => [lines, linesBefore, accepted, from]),
    [
      [2_503, 0, 2_501, 0],
      [2_503, 2_503, 0, log.length],
    ],
  )
  assert.equal((await viewsOf(projectId)).totals.total, 2_500)
})

test('the exports say which share of an imported log is probably automated, once', async () => {
  // At noon in UTC, the next day has begun there.
  const projectId = await createProject('Pacific/Kiritimati')
  const day = (ago: number) => new Date(began - ago * 24 * 60 * minute)
  const [, date, month, year] = /(\d+) (\w+) (\d+)/.exec(day(2).toUTCString()) ?? []
  const atNoon = (text: string) => text.replace(/\[.*?\]/, `[${date}/${month}/${year}:12:00:00 +0000]`)
  const people = Array.from({ length: 20 }, (_, n) => atNoon(line(n, '/a')) + atNoon(line(n, '/a.css')))
  const program = Array.from({ length: 5 }, (_, n) => atNoon(line(n, `/p-${n}`)).replace(/^\S+/, '203.0.113.9'))
  const path = await write('automated.log', [...people, ...program].join(''))
  const [before, from, to] = [2, 1, 0].map((ago) => day(ago).toISOString().slice(0, 10))
  for (const again of [[], ['--from-start']]) {
    const { code, stderr } = await run([path, '--project', projectId, ...again])
    assert.equal(code, 0, stderr)
    assert.equal((await viewsOf(projectId, `?dateFrom=${before}&dateTo=${from}`)).probablyAutomated, undefined)
    const { totals, probablyAutomated } = await viewsOf(projectId, `?dateFrom=${from}&dateTo=${to}`)
    assert.equal(totals.total, 25)
    assert.deepEqual(probablyAutomated, {
      pageViews: 5,
      of: 25,
      share: 0.2,
      note: 'In imported logs, 5 of 25 page views with the user agent of a browser (20 %) are probably automated; they count as humans.',
    })
  }
  const args = ['--project', projectId, '--from', String(from)]
  const summary = await runCommand(['analytics', 'summary', ...args], service.environment)
  assert.match(summary.stdout, /^total .*\nIn imported logs, 5 of 25 page views/m)
  const exported = await runCommand(['analytics', 'export', ...args, '--format', 'json'], service.environment)
  assert.equal((JSON.parse(exported.stdout) as Views).probablyAutomated?.pageViews, 5)
})

test('over HTTP with a key, from standard input, for a host', async () => {
  const { projectId, key } = service.client
  const settings = { DOCENT_URL: service.addresses[0] ?? '', DOCENT_API_KEY: key }
  const args = ['-', '--project', projectId, '--host', 'docs.example.com', '--format', 'combined']
  const { code, stdout, stderr } = await resultOf(start(args, settings), many(10))
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^standard input \(combined\)\n/)
  assert.equal((await viewsOf(projectId)).totals.total, 10)
})

test('standard input that pauses is read to its end', async () => {
  const projectId = await createProject()
  const child = start(['-', '--project', projectId])
  const output = Promise.all([text(child.stdout), once(child, 'close')])
  const lines = many(10).split('\n')
  child.stdin.write(`${lines.slice(0, 5).join('\n')}\n`)
  let said = ''
  for await (const chunk of child.stderr) {
    said += String(chunk)
    // It has read the first lines, and waits for more.
    if (said.includes('detected')) setTimeout(() => child.stdin.end(lines.slice(5).join('\n')), 200)
  }
  await output
  assert.equal(child.exitCode, 0, said)
  assert.equal((await viewsOf(projectId)).totals.total, 10)
})

test('after repeated kills the command resumes, and every line counts once', async () => {
  const projectId = await createProject()
  const path = await write('long.log', many(80_000))
  const signals = ['SIGINT', 'SIGKILL', 'SIGINT'] as const
  for (const signal of signals) {
    const before = (await viewsOf(projectId)).totals.total
    const child = start([path, '--project', projectId])
    const ended = Promise.all([text(child.stdout), once(child, 'close')])
    const said = { text: '' }
    child.stderr.on('data', (chunk: Buffer) => void (said.text += chunk.toString()))
    const isUnderway = async () => /^long\.log:/m.test(said.text) && (await viewsOf(projectId)).totals.total > before
    while (child.exitCode === null && !(await isUnderway())) await new Promise((resolve) => setImmediate(resolve))
    child.kill(signal)
    await ended
    if (signal === 'SIGINT' && child.exitCode !== 0) {
      assert.equal(child.exitCode, 130)
      assert.match(said.text, /Run the same command again to continue/)
    }
  }
  const last = await run([path, '--project', projectId])
  assert.equal(last.code, 0, last.stderr)
  assert.equal((await viewsOf(projectId)).totals.total, 80_000)
})

test('invalid input is refused with a message before anything is done', async () => {
  const projectId = await createProject()
  const missing = await run([join(service.folder, 'no.log'), '--project', projectId])
  assert.deepEqual([missing.code, /no\.log cannot be read/.test(missing.stderr)], [2, true])
  const folder = await run([service.folder, '--project', projectId])
  assert.match(folder.stderr, /it is a folder/)
  const host = await run(['-', '--project', projectId, '--host', 'a/b'])
  assert.match(host.stderr, /Write a host/)
  const strange = await run([await write('strange.log', 'a\nb\n'), '--project', projectId])
  assert.deepEqual([strange.code, /unknown log format/.test(strange.stderr)], [1, true])
  const unknown = await run([await write('some.log', many(1)), '--project', 'prj_00000000000000000000', '--json'])
  assert.deepEqual([unknown.code, (JSON.parse(unknown.stderr) as { code: string }).code], [1, 'not_found'])
})
