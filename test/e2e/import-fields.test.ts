// Logs whose fields the operator names, imported with the command into a real service.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { runCommand } from '../support/command.ts'
import { startService, type TestService } from '../support/service.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'
const began = Date.now() - 24 * 3_600_000

let service: TestService
let haproxyLog: string
let jsonLog: string
before(async () => {
  service = await startService({ 'index.md': '# Home\n' })
  haproxyLog = join(service.folder, 'haproxy.log')
  jsonLog = join(service.folder, 'access.json')
  await writeFile(haproxyLog, Array.from({ length: 30 }, (_, at) => haproxyLine(at)).join(''))
  await writeFile(jsonLog, Array.from({ length: 30 }, (_, at) => jsonLine(at)).join(''))
})
after(async () => {
  await service.close()
})

function haproxyLine(at: number): string {
  const [, day, month, year, time] = /(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(began + at).toUTCString()) ?? []
  return (
    `Feb  6 12:14:14 lb haproxy[9]: 203.0.113.${at % 6}:4000 [${day}/${month}/${year}:${time}.000] docs docs/a ` +
    `0/0/1/1/2 200 512 - - ---- 1/1/0/0/0 0/0 {docs.example.com|${chrome}} "GET /page-${at % 3} HTTP/1.1"\n`
  )
}

function jsonLine(at: number): string {
  const client = { ip: `203.0.113.${at % 6}`, agent: chrome }
  return `${JSON.stringify({ at: began + at, client, page: `/json-${at % 3}`, code: '200' })}\n`
}

async function send<Body>(method: string, path: string, body?: object): Promise<Body> {
  const operator = openSocketApi(parseConfig(service.environment))
  return JSON.parse((await operator.send(method, path, body)).body) as Body
}

async function createProject(): Promise<string> {
  const body = { name: 'Named fields', repository: service.repository }
  return (await send<{ id: string }>('POST', '/v1/projects', body)).id
}

type Total = { readonly totals: { readonly total: number } }

async function countsOf(projectId: string) {
  const paths = ['views', 'visitors'].map((name) => send<Total>('GET', `/v1/analytics/${projectId}/${name}`))
  return (await Promise.all(paths)).map(({ totals }) => totals.total)
}

const run = (args: readonly string[]) => runCommand(['analytics', 'import', ...args], service.environment)

test('a log of HAProxy counts its readers, and the import names the zone', async () => {
  const project = await createProject()
  const args = [haproxyLog, '--project', project, '--format', 'haproxy', '--fields', 'host=1,user_agent=2']
  const ran = await run(args)
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal(ran.stderr.split('have no zone and are read as UTC; --time-zone names another').length, 2, ran.stderr)
  assert.deepEqual(await countsOf(project), [30, 6])
  const json = await run([...args, '--from-start', '--time-zone', 'Etc/GMT-1', '--json'])
  assert.deepEqual([json.code, json.stderr], [0, ''])
})

test('lines of JSON count their readers by the keys that are named', async () => {
  const project = await createProject()
  const fields = 'time=at,path=page,address=client.ip,user_agent=client.agent,status=code'
  const ran = await run([jsonLog, '--project', project, '--format', 'nginx-json', '--fields', fields])
  assert.equal(ran.code, 0, ran.stderr)
  assert.deepEqual(await countsOf(project), [30, 6])
})

const refusals: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['--format', 'haproxy'], /haproxy needs user_agent in --fields, .*--fields user_agent=1,host=2/],
  [[], /looks like the HTTP log of HAProxy\. Give --format haproxy and --fields user_agent=1/],
  [
    ['--format', 'combined', '--fields', 'user_agent=1'],
    /--fields is for the formats haproxy and nginx-json, not combined/,
  ],
  [['--format', 'iis', '--time-zone', 'Europe/Berlin'], /--time-zone is for the format haproxy/],
  [
    ['--format', 'haproxy', '--fields', 'user_agent=2', '--time-zone', 'Berlin'],
    /Berlin is not a time zone: write an IANA/,
  ],
]

test('options that do not fit the format are refused before anything is sent', async () => {
  const project = await createProject()
  for (const [args, message] of refusals) {
    const ran = await run([haproxyLog, '--project', project, ...args])
    assert.match(ran.stderr, message)
    assert.notEqual(ran.code, 0)
  }
  assert.deepEqual(await countsOf(project), [0, 0])
})
