// Backups of the embedded database: beside a running service and without one, put back elsewhere; and what is no whole
// backup puts nothing back.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { parseConfig } from '../../src/config/config.ts'
import { serve } from '../../src/service/service.ts'
import { sendRequest } from '../../src/cli/api/transport.ts'
import { writeTar } from '../../src/lib/tar.ts'
import { type CommandResult, runCommand, spawnCommand } from '../support/command.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type OneService, startOneService } from '../support/one-service.ts'
import { connect } from '../support/service.ts'

let model: ModelServer
let running: OneService
let archive: string
let jobs: { readonly done: string; readonly waiting: string }
const held = Promise.withResolvers<void>()

before(async () => {
  const hold = { answers: Promise.resolve() as Promise<unknown> }
  model = await startModelServer((messages) => ({
    calls: [{ name: 'finish', input: { noChange: 'All is well.' } }],
    ...(messages.some(({ content }) => content === 'wait') ? { wait: hold.answers } : {}),
  }))
  hold.answers = held.promise
  const settings = { DOCENT_MODEL: 'compatible/m', DOCENT_COMPATIBLE_BASE_URL: model.baseUrl, CLICKHOUSE_URL: '' }
  running = await startOneService({ 'index.md': '# Home\n' }, settings)
  const done = await running.client.ended((await running.client.create('go')).id)
  const waiting = await running.client.create('wait')
  jobs = { done: done.id, waiting: waiting.id }
  archive = join(running.folder, 'backup.tar.gz')
})
after(async () => {
  held.resolve()
  await running.close()
  await model.close()
})

function docent(args: readonly string[], dataDir = running.environment['DOCENT_DATA_DIR'] ?? '') {
  return runCommand(args, { ...running.environment, DOCENT_DATA_DIR: dataDir })
}

function elsewhere(name: string): string {
  return join(running.folder, name)
}

async function fileNames(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('lock.db'))
}

test('a backup is made while the service runs and works on a job', async () => {
  const made = await docent(['backup', archive, '--json'])
  assert.equal(made.code, 0, made.stderr)
  assert.equal((await stat(archive)).size, (JSON.parse(made.stdout) as { bytes: number }).bytes)
  assert.equal((await stat(archive)).mode & 0o777, 0o600)
  assert.deepEqual(
    (await readdir(running.folder)).filter((name) => name.includes('partial')),
    [],
  )
  const dataDir = running.environment['DOCENT_DATA_DIR'] ?? ''
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.startsWith('.snapshot')),
    [],
  )
  const again = await docent(['backup', archive])
  assert.deepEqual([again.code, again.stderr], [2, `docent: ${archive} already exists.\n`])
})

test('a restored backup continues elsewhere: jobs, keys, and the active run', async () => {
  const target = elsewhere('restored')
  const restored = await docent(['restore', archive, '--json'], target)
  assert.equal(restored.code, 0, restored.stderr)
  assert.deepEqual((JSON.parse(restored.stdout) as { counts: unknown }).counts, {
    projects: 1,
    jobs: 2,
    keys: 1,
    pageViews: 0,
  })
  assert.deepEqual(await fileNames(target), ['postgres'])
  held.resolve()
  const service = await serve(parseConfig({ ...running.environment, DOCENT_DATA_DIR: target }))
  try {
    const { projectId, key } = running.client
    const client = connect({ addresses: [service.address], projectId, key, send: fetch })
    assert.equal((await client.job(jobs.done)).status, 'completed')
    assert.equal((await client.ended(jobs.waiting)).status, 'completed')
  } finally {
    await service.stop()
  }
  const full = await docent(['restore', archive], target)
  assert.equal(full.code, 1)
  assert.match(full.stderr, /is not empty/)
})

test('without a service the command makes the same backup itself', async () => {
  const target = elsewhere('restored')
  const file = elsewhere('second.tar.gz')
  assert.equal((await docent(['backup', file], target)).code, 0)
  const restored = await docent(['restore', file], elsewhere('third'))
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stdout, /^Restored 1 projects, 2 jobs, 1 keys and 0 page views/)
  assert.equal((await docent(['backup', elsewhere('x.tar.gz')], elsewhere('nothing'))).code, 2)
})

test('every tool that reads tar reads it', async () => {
  const child = spawn('tar', ['-tzf', archive])
  const listing = await text(child.stdout)
  assert.match(listing, /^docent-backup\.json\npostgres\/PG_VERSION\n/)
  assert.ok(!listing.includes('mirrors'))
})

test('a truncated, changed, longer or foreign backup restores nothing', async () => {
  const whole = await readFile(archive)
  const tar = gunzipSync(whole)
  const changed = Buffer.from(tar)
  const at = tar.indexOf('postgres/base/') + 512 + 100
  changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at)
  const table: readonly (readonly [string, Buffer, RegExp])[] = [
    ['cut in the stream', whole.subarray(0, whole.length / 2), /unexpected end/],
    ['cut at a file', pack(tar.subarray(0, 512 * 4_000)), /incomplete|missing/],
    ['cut before the end', pack(tar.subarray(0, tar.length - 1_024)), /incomplete/],
    ['changed', pack(changed), /is damaged/],
    ['longer', pack(Buffer.concat([tar, Buffer.from('x')])), /continues after its end/],
    ['another tar', pack(tar.subarray(tar.indexOf('postgres/PG_VERSION'))), /not a backup of Docent/],
    ['no gzip', tar, /incorrect header/],
    ['empty', Buffer.alloc(0), /unexpected end|incomplete/],
    ['a path that leads out', pack(renamed(tar, 'PG_VERSION', '../VERSION')), /manifest/],
    ['a link', pack(retyped(tar, '2')), /not a regular file/],
    ['a later schema', pack(renamed(tar, '0001-jobs', '0999-jobs')), /restore it with that release or a later one/],
  ]
  for (const [name, bytes, message] of table) {
    const file = elsewhere('damaged.tar.gz')
    await writeFile(file, bytes)
    const target = elsewhere(`refused-${name.replaceAll(' ', '-')}`)
    const ran = await docent(['restore', file], target)
    assert.equal(ran.code, 1, name)
    assert.match(ran.stderr, message, name)
    assert.deepEqual(await fileNames(target), [], name)
  }
})

test('a manifest of up to 16 MiB is read', async () => {
  const limit = 16 * 1024 * 1024
  for (const [size, message] of [
    [limit, /does not know the format of its manifest/],
    [limit + 1, /not a backup of Docent/],
  ] as const) {
    const file = elsewhere('manifest.tar.gz')
    const entry = { name: 'docent-backup.json', size, content: Readable.from([Buffer.alloc(size, ' ')]) }
    await writeFile(file, pack(await buffer(writeTar(Readable.from([entry]), new Date(0)))))
    assert.match((await docent(['restore', file], elsewhere('refused-manifest'))).stderr, message)
  }
})

/** Without compression, which takes longer than the test. */
const pack = (tar: Buffer) => gzipSync(tar, { level: 0 })

/** The manifest says the same in as many bytes. */
function renamed(tar: Buffer, from: string, to: string): Buffer {
  const text = tar.toString('latin1')
  return Buffer.from(text.replace(from, to), 'latin1')
}

/** The second entry as another kind of file, with a checksum that is right. */
function retyped(tar: Buffer, type: string): Buffer {
  const copy = Buffer.from(tar)
  const start = copy.indexOf('postgres/PG_VERSION\u0000')
  copy.write(type, start + 156)
  copy.write('        ', start + 148)
  const sum = copy.subarray(start, start + 512).reduce((total, byte) => total + byte, 0)
  copy.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, start + 148)
  return copy
}

test('a killed backup leaves no file of its name, and the service continues', async () => {
  const file = elsewhere('killed.tar.gz')
  const child = spawnCommand(['backup', file], running.environment, running.folder)
  const exit = once(child, 'exit')
  for (;;) {
    const names = await readdir(running.folder)
    if (names.some((name) => name.startsWith('killed.tar.gz.partial'))) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  child.kill('SIGKILL')
  await exit
  await assert.rejects(stat(file))
  assert.equal((await backUpWhenFree(elsewhere('after.tar.gz'))).code, 0)
})

/** The service makes one backup at a time, and notices a reader that was killed a moment later. */
async function backUpWhenFree(file: string): Promise<CommandResult> {
  for (let tries = 0; tries < 200; tries += 1) {
    const made = await docent(['backup', file])
    if (made.code !== 4) return made
    await delay(50)
  }
  return assert.fail('the service still makes the backup that was killed')
}

test('a HEAD request starts no backup', async () => {
  const socketPath = join(running.environment['DOCENT_DATA_DIR'] ?? '', 'docent.sock')
  const reply = await sendRequest({ socketPath }, { method: 'HEAD', path: '/local/backup', headers: {} })
  reply.body.resume()
  assert.equal(reply.status, 200)
  assert.equal((await docent(['backup', elsewhere('asked.tar.gz')])).code, 0)
})

test('over HTTP there is no such address, not even for an admin', async () => {
  for (const path of ['/local/backup', '/local/status']) {
    const response = await running.client.fetch(path).catch((error: Error) => error)
    assert.match(String(response instanceof Response ? response.status : response), /404/)
  }
})
