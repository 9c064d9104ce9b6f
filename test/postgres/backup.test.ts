// Page views beside a PostgreSQL server: backed up while the service runs and without it, and restored into another data
// directory of the same database. Each service is a process of its own, since a process opens one embedded store.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, after, before, test } from 'node:test'
import type { Rehearsal } from '../../src/cli/upgrade/rehearse.ts'
import { resultOf, runCommand, spawnCommand } from '../support/command.ts'
import { serverSettings, sharedServer } from '../support/engine.ts'
import { listening, readCounts, sendPageViews } from '../support/page-view-service.ts'
import { connect, createClient } from '../support/service.ts'
import { copyTemplate } from '../support/template.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let folder: string
let url: string
before(async () => {
  folder = await temporaryFolder('backup-server')
  url = await (await sharedServer()).createDatabase()
})
after(async () => {
  await (await sharedServer()).dropDatabase(url)
  await removeFolder(folder)
})

const settingsOf = (directory: string) => ({
  DOCENT_DATA_DIR: join(folder, directory),
  DOCENT_PORT: '0',
  DOCENT_LOG_LEVEL: 'error',
})
const environmentOf = (directory: string) => ({ ...settingsOf(directory), ...serverSettings(url) })
/** Opens a store of page views. */
const inOwnProcess = (args: readonly string[], directory: string) =>
  resultOf(spawnCommand(args, environmentOf(directory), folder))
const serve = (t: TestContext, directory: string) =>
  listening(t, spawnCommand(['serve', '--json'], environmentOf(directory), folder))
const refused = async (args: readonly string[], environment: Readonly<Record<string, string>>, reason: RegExp) => {
  const { code, stderr } = await runCommand(args, environment)
  assert.equal(code, 2, stderr)
  assert.match(stderr, reason)
}

test('page views beside a PostgreSQL server are backed up and restored', async (t) => {
  const [online, offline] = [join(folder, 'online.tar.gz'), join(folder, 'offline.tar.gz')]
  const first = await serve(t, 'first')
  const client = await createClient(environmentOf('first'), [first.address], 'https://git.example/docs.git')
  await refused(['backup', online], { ...environmentOf('first'), CLICKHOUSE_URL: 'http://127.0.0.1:1' }, /both servers/)
  for (const day of [0, 1, 40]) await sendPageViews(client, day)
  const counted = await readCounts(client)
  // The service knows its database, whatever the settings of the command are.
  const made = await runCommand(['backup', online], settingsOf('first'))
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /^Wrote .*\nIt holds the page views only\. Back up .* with pg_dump/)
  await sendPageViews(client, 2)
  await first.stop()
  const later = await inOwnProcess(['backup', offline, '--json'], 'first')
  assert.equal((JSON.parse(later.stdout) as { holds: string }).holds, 'page_views', later.stderr)

  const dump = `${url}_dump`
  await (await sharedServer()).admin(`create database ${nameOf(dump)} template ${nameOf(url)}`)

  await refused(['restore', online], settingsOf('second'), /set DATABASE_URL/)
  assert.deepEqual(await namesIn('second'), [])
  const restored = await inOwnProcess(['restore', online], 'second')
  assert.match(restored.stdout, /^Restored 150 page views as of/, restored.stderr)
  assert.deepEqual(await namesIn('second'), ['clickhouse'])
  const second = await serve(t, 'second')
  const again = connect({ addresses: [second.address], projectId: client.projectId, key: client.key, send: fetch })
  assert.deepEqual(await readCounts(again), counted)
  await refused(rehearsal, environmentOf('second'), /restore a dump of that database into another one/)
  await refused([...rehearsal, '--database', url], environmentOf('second'), /names the database of the service/)
  const same = await inOwnProcess([...rehearsal, '--database', dump], 'second')
  assert.equal(same.code, 0, same.stderr)
  // No project is there, so all of its figures are missing.
  const empty = await (await sharedServer()).createDatabase()
  const other = await inOwnProcess([...rehearsal, '--database', empty], 'second')
  assert.equal(other.code, 5, other.stderr)
  const { differences } = JSON.parse(other.stdout) as Rehearsal
  assert.ok(differences.length > 0 && differences.every(({ copy }) => copy === null))
  for (const one of [dump, empty]) await (await sharedServer()).dropDatabase(one)
  await second.stop()
  const filled = await runCommand(['restore', offline], environmentOf('second'))
  assert.match(filled.stderr, /is not empty: it has clickhouse/)
})

test('a backup of no page views beside a PostgreSQL server writes nothing', async (t) => {
  const archive = join(folder, 'empty.tar.gz')
  await refused(['backup', archive], environmentOf('nowhere'), /There is no folder /)
  const service = await serve(t, 'empty')
  const nothing = /^Wrote no file: there are no page views in .*empty yet\. Back up .* with pg_dump/
  for (const step of ['online', 'offline']) {
    const made = await runCommand(['backup', archive], environmentOf('empty'))
    assert.equal(made.code, 0, `${step}: ${made.stderr}`)
    assert.match(made.stdout, nothing)
    if (step === 'online') await service.stop()
  }
  const told = await runCommand(['backup', archive, '--json'], environmentOf('empty'))
  assert.deepEqual(JSON.parse(told.stdout), { file: null, bytes: 0, holds: 'nothing', keepApart: null })
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('empty.')),
    [],
  )
})

test('a backup of an embedded database is not restored beside a server', async () => {
  const archive = join(folder, 'embedded.tar.gz')
  await copyTemplate(join(folder, 'embedded', 'postgres'))
  assert.equal((await runCommand(['backup', archive], settingsOf('embedded'))).code, 0)
  await refused(['restore', archive], environmentOf('other'), /restore it without DATABASE_URL/)
})

const rehearsal = ['upgrade', '--rehearse', '--json']
const nameOf = (address: string) => new URL(address).pathname.slice(1)
const namesIn = async (directory: string) =>
  (await readdir(join(folder, directory))).filter((name) => !name.startsWith('lock.db'))
