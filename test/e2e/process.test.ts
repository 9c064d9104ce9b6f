// `docent` as a process: its streams, signals and exit codes, and two of them on one data directory.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { Environment } from '../../src/config/environment.ts'
import { resultOf, spawnCommand } from '../support/command.ts'
import { frontDatabase } from '../support/clickhouse-front.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string
let environment: Environment

before(async () => {
  folder = await temporaryFolder('process')
  environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    CLICKHOUSE_URL: await frontDatabase(),
  }
})
after(async () => {
  await removeFolder(folder)
})

const start = (args: readonly string[], extra: Environment = {}) =>
  spawnCommand(args, { ...environment, ...extra }, folder)
const docent = (args: readonly string[], extra: Environment = {}) => resultOf(start(args, extra))

test('a service has its port and its data to itself, and SIGTERM ends it with 0', async (t) => {
  const service = start(['serve'])
  t.after(() => service.kill('SIGKILL'))
  const [line] = (await once(service.stdout, 'data')) as [Buffer]
  const address = /^docent listens on (http:\S+)\n/.exec(line.toString())?.[1]
  assert.ok(address, line.toString())

  const onData = await docent(['serve'])
  assert.equal(onData.code, 4)
  assert.match(onData.stderr, /^docent: The data directory .* is in use by another docent process\.\n$/)

  const DOCENT_DATA_DIR = await createDataDir(join(folder, 'other'))
  const other = { DOCENT_PORT: new URL(address).port, DOCENT_DATA_DIR }
  const onPort = await docent(['serve'], other)
  assert.equal(onPort.code, 4)
  assert.match(onPort.stderr, /^docent: Cannot listen on 127\.0\.0\.1, port \d+: another process has it\.$/m)
  assert.doesNotMatch(onPort.stderr, /^ {4}at /m)

  assert.deepEqual(await docent(['project', 'list', '--json']), { code: 0, stdout: '[]\n', stderr: '' })
  const exit = once(service, 'exit')
  service.kill('SIGTERM')
  assert.deepEqual(await exit, [0, null])
})

test('an error is one line on standard error, as JSON with --json', async () => {
  const plain = await docent(['migrate'], { DOCENT_PORT: 'x' })
  assert.deepEqual([plain.code, plain.stdout], [2, ''])
  assert.match(plain.stderr, /^docent: The configuration is invalid:\n {2}DOCENT_PORT must be [^\n]*\n$/)
  const json = await docent(['serv', '--json'])
  assert.deepEqual([json.code, json.stdout], [2, ''])
  assert.equal((JSON.parse(json.stderr) as { code: string }).code, 'invalid_input')
})

test('a reader that leaves early is no error', async () => {
  const child = start(['completion', 'bash'])
  child.stdout.destroy()
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)])
  assert.deepEqual([code, stderr], [0, ''])
})
