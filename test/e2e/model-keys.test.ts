// Stored keys of model providers, as an operator uses them: a service without any key in its environment gets one, runs
// with it, rotates the key that encrypts it, and asks for it again after a restore without the key file.

import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import type { ModelKey } from '../../src/models/keys.ts'
import type { Reencrypted } from '../../src/secrets/reencrypt.ts'
import { serve } from '../../src/service/service.ts'
import { runCommand } from '../support/command.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type OneService, startOneService } from '../support/one-service.ts'
import { connect } from '../support/service.ts'

const secret = 'sk-canary-0123456789'

let model: ModelServer
let running: OneService
before(async () => {
  model = await startModelServer(() => ({ calls: [{ name: 'finish', input: { noChange: 'All is well.' } }] }))
  const settings = {
    DOCENT_MODEL: 'compatible/m',
    DOCENT_PRIVATE_REPOSITORY_HOSTS: new URL(model.baseUrl).host,
    DOCENT_LOG_LEVEL: 'silent',
  }
  running = await startOneService({ 'index.md': '# Home\n' }, settings)
})
after(async () => {
  await running.close()
  await model.close()
})

type Told = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

async function docent(args: readonly string[], input?: string, dataDir?: string): Promise<Told> {
  const environment = { ...running.environment, ...(dataDir === undefined ? {} : { DOCENT_DATA_DIR: dataDir }) }
  const options = input === undefined ? {} : { readInput: () => Promise.resolve(input) }
  const shown = await runCommand(args, environment, options)
  assert.ok(!JSON.stringify(shown).includes('canary'), 'the key was printed')
  return shown
}

type Finding = { readonly about: string; readonly state: string; readonly says: string; readonly todo?: string }

async function findModel(): Promise<Finding | undefined> {
  const { stdout } = await docent(['doctor', '--json'])
  return (JSON.parse(stdout) as { findings: readonly Finding[] }).findings.find(({ about }) => about === 'model')
}

test('without a key the service runs; jobs and doctor say how to store one', async () => {
  const ended = await running.client.ended((await running.client.create('go')).id)
  assert.equal(ended.error?.code, 'model_not_configured')
  assert.match(ended.error.message, /docent model key set compatible/)
  const found = await findModel()
  assert.equal(found?.state, 'failed')
  assert.match(found.says, /docent model key set compatible/)
})

test('a key from standard input is stored, checked, listed and used by runs', async () => {
  const set = ['model', 'key', 'set', 'compatible', '--base-url', model.baseUrl, '--key-file', '-']
  const stored = await docent(set, `${secret}\n`)
  assert.deepEqual([stored.code, stored.stderr], [0, ''])
  assert.match(stored.stdout, /^Stored the key of compatible \(…6789\)\. Runs use it from now on\./)
  assert.match((await docent(['model', 'key', 'check', 'compatible'])).stdout, /^compatible\/m responded/)
  assert.match((await docent(['model', 'key', 'list'])).stdout, /^compatible +stored +…6789 +http/m)
  assert.match((await docent(['model', 'list'])).stdout, /^compatible\/m .*default$/m)
  const ended = await running.client.ended((await running.client.create('go')).id)
  assert.deepEqual([ended.status, ended.error], ['completed', null])
  assert.equal((await findModel())?.state, 'ok')
})

test('a project accepts a model whose key is stored, and no other', async () => {
  const create = [
    'project',
    'create',
    '--name',
    'Other',
    '--repository',
    running.repository,
    '--model',
    'openai/gpt-5.4',
  ]
  const refused = await docent(create)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /needs DOCENT_OPENAI_API_KEY to be set, or a stored key/)
  const file = join(running.folder, 'key.txt')
  await writeFile(file, `${secret}\n`)
  assert.equal((await docent(['model', 'key', 'set', 'openai', '--key-file', file])).code, 0)
  assert.equal((await docent(create)).code, 0)
  assert.equal((await docent(['model', 'key', 'delete', 'openai'])).code, 0)
  assert.equal((await docent(['model', 'key', 'delete', 'openai'])).code, 1)
})

test("a refused key fails the check with the provider's message", async () => {
  const { script } = model
  model.script = () => ({ status: 401 })
  const shown = await docent(['model', 'key', 'check', 'compatible'])
  model.script = script
  assert.equal(shown.code, 1)
  assert.match(shown.stderr, /compatible\/m: The model's server refuses the key/)
})

test('a missing or empty key is refused before anything is sent', async () => {
  for (const [args, input] of [
    [['openai'], undefined],
    [['openai', '--key-file', '-'], ' \n'],
    [['openai', '--key-file', join(running.folder, 'nowhere')], undefined],
    [['azure', '--key-file', '-'], secret],
  ] as const) {
    assert.equal((await docent(['model', 'key', 'set', ...args], input)).code, 2, args.join(' '))
  }
})

test('the key file is rotated while the service runs, and runs go on', async () => {
  const keyFile = join(running.environment['DOCENT_DATA_DIR'] ?? '', 'secret.key')
  const before = await readFile(keyFile, 'utf8')
  const { stdout } = await docent(['secrets', 'rotate', '--json'])
  const { done, unreadable } = JSON.parse(stdout) as Reencrypted
  assert.deepEqual([done, unreadable], [1, []])
  assert.notEqual(await readFile(keyFile, 'utf8'), before)
  const ended = await running.client.ended((await running.client.create('go')).id)
  assert.equal(ended.status, 'completed')
})

test('after a restore without the key file, the credential must be entered again', async () => {
  const archive = join(running.folder, 'backup.tar.gz')
  assert.equal((await docent(['backup', archive])).code, 0)
  const target = join(running.folder, 'restored')
  assert.equal((await docent(['restore', archive], undefined, target)).code, 0)
  await rm(archive)
  const service = await serve(parseConfig({ ...running.environment, DOCENT_DATA_DIR: target }))
  try {
    const { projectId, key } = running.client
    const client = connect({ addresses: [service.address], projectId, key, send: fetch })
    const ended = await client.ended((await client.create('go')).id)
    assert.equal(ended.error?.code, 'model_not_configured')
    assert.match(ended.error.message, /needs its key again.*docent model key set compatible/)
    const { stdout } = await docent(['model', 'key', 'list', '--json'], undefined, target)
    assert.match((JSON.parse(stdout) as readonly ModelKey[])[0]?.problem ?? '', /Enter it again/)
    const set = ['model', 'key', 'set', 'compatible', '--base-url', model.baseUrl, '--key-file', '-']
    assert.equal((await docent(set, secret, target)).code, 0)
    assert.equal((await client.ended((await client.create('go')).id)).status, 'completed')
  } finally {
    await service.stop()
  }
})
