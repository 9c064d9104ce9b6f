// `docent doctor` on a real PostgreSQL server: what it says of the rights of the role in DATABASE_URL.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { runCommand } from '../support/command.ts'
import { serverSettings, sharedServer } from '../support/engine.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let server: PostgresServer
let folder: string
let url: string
before(async () => {
  folder = await temporaryFolder('doctor')
  server = await sharedServer()
  url = await server.createDatabase()
  await server.admin('create role guest login')
  await server.admin('create database guarded')
})
after(() => removeFolder(folder))

async function examine(user: string, database?: string) {
  const changed = new URL(url)
  changed.username = user
  if (database !== undefined) changed.pathname = `/${database}`
  const environment = { DOCENT_DATA_DIR: folder, ...serverSettings(changed.href), DOCENT_LOG_LEVEL: 'silent' }
  const { code, stdout } = await runCommand(['doctor', '--json'], environment)
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
  return { code, finding: findings.find(({ about }) => about === 'database') }
}

async function stateOf(user: string) {
  const { code, finding } = await examine(user)
  return [code, finding?.state]
}

test('doctor reports a role that may not create tables, and its remedy works', async () => {
  const { code, finding } = await examine('guest', 'guarded')
  assert.deepEqual([code, finding?.state], [1, 'failed'])
  assert.match(
    finding?.says ?? '',
    /^The PostgreSQL user guest may not create tables in the schema public of .*guarded/,
  )
  const [, remedy = ''] = /`(alter database [^`]+)`/.exec(finding?.says ?? '') ?? []
  await server.admin(remedy)
  const owner = await examine('guest', 'guarded')
  assert.deepEqual([owner.code, owner.finding?.state], [0, 'warning'])
  assert.match(owner.finding?.says ?? '', /schema is empty/)
})

test('a role without rights on the tables fails the check as well', async () => {
  assert.deepEqual(await stateOf('guest'), [1, 'failed'])
  assert.deepEqual(await stateOf('docent'), [0, 'ok'])
})
