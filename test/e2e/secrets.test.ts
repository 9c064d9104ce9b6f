// The key that encrypts secrets, as an operator meets it: rotated while the service runs and while it does not, wrong,
// lost, and left out of a backup.

import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { generateKey, parseKeys } from '../../src/secrets/keys.ts'
import { serve } from '../../src/service/service.ts'
import { runCommand } from '../support/command.ts'
import { type OneService, startOneService } from '../support/one-service.ts'
import { createDataDir } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

let running: OneService
let folder: string
before(async () => {
  running = await startOneService({ 'index.md': '# Home\n' })
  folder = await temporaryFolder('secrets-command')
})
after(async () => {
  await running.close()
  await removeFolder(folder)
})

const keyFile = () => join(running.environment['DOCENT_DATA_DIR'] ?? '', 'secret.key')

/** The environment of another installation, whose data directory was not used yet. */
async function installation(name: string, settings: Environment = {}): Promise<Environment> {
  const own = join(folder, name)
  await mkdir(own)
  return { ...running.environment, DOCENT_DATA_DIR: await createDataDir(own), ...settings }
}

/** Starts and stops a service: why it did not start, or undefined. */
async function startProblem(environment: Environment): Promise<{ code: string; message: string } | undefined> {
  try {
    await (await serve(parseConfig(environment))).stop()
    return undefined
  } catch (error) {
    return error as { code: string; message: string }
  }
}

test('rotate gives the running service a new key file that only its owner can read', async () => {
  const before = await readFile(keyFile(), 'utf8')
  const { code, stdout, stderr } = await runCommand(['secrets', 'rotate'], running.environment)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^0 values were encrypted again with the key [0-9a-f]{12}\. It is in .*secret\.key/)
  const now = await readFile(keyFile(), 'utf8')
  assert.notEqual(now, before)
  assert.equal((await stat(keyFile())).mode & 0o777, 0o600)
  const names = await readdir(running.environment['DOCENT_DATA_DIR'] ?? '')
  assert.deepEqual(
    names.filter((name) => name.startsWith('secret')),
    ['secret.key'],
  )
})

test('rotate works without a service, which then starts with the new key', async () => {
  const environment = await installation('stopped')
  const { code, stdout } = await runCommand(['secrets', 'rotate', '--json'], environment)
  const { keyId, done } = JSON.parse(stdout) as { readonly keyId: string; readonly done: number }
  assert.deepEqual([code, done], [0, 0])
  const text = await readFile(join(environment['DOCENT_DATA_DIR'] ?? '', 'secret.key'), 'utf8')
  assert.equal(parseKeys(text.split('\n').find((line) => !line.startsWith('#')) ?? '')[0].id, keyId)
  assert.equal(await startProblem(environment), undefined)
})

test('rotate without a new first key in the setting says how to rotate', async () => {
  const environment = await installation('one-key', { DOCENT_SECRET_KEY: generateKey() })
  const { code, stdout } = await runCommand(['secrets', 'rotate'], environment)
  assert.equal(code, 0)
  assert.match(stdout, /Every value is encrypted with the current key.*DOCENT_SECRET_KEY=new,old/)
})

test('a service with another key does not start until the loss is accepted', async () => {
  const environment = await installation('other-key', { DOCENT_SECRET_KEY: generateKey() })
  assert.equal(await startProblem(environment), undefined)
  const wrong = { ...environment, DOCENT_SECRET_KEY: generateKey() }
  const problem = await startProblem(wrong)
  assert.equal(problem?.code, 'config_invalid')
  assert.match(problem.message, /^DOCENT_SECRET_KEY is not the key .*`docent secrets reset`\.$/)
  const command = await runCommand(['project', 'list'], wrong)
  assert.deepEqual([command.code, command.stderr], [2, `docent: ${problem.message}\n`])
  const reset = await runCommand(['secrets', 'reset'], wrong)
  assert.equal(reset.code, 0, reset.stderr)
  assert.equal(await startProblem(wrong), undefined)
  assert.equal((await startProblem(environment))?.code, 'config_invalid')
})

test('a key file that others can read keeps the service from starting', async () => {
  const environment = await installation('readable')
  assert.equal(await startProblem(environment), undefined)
  const file = join(environment['DOCENT_DATA_DIR'] ?? '', 'secret.key')
  await chmod(file, 0o644)
  const problem = await startProblem(environment)
  assert.equal(problem?.code, 'config_invalid')
  assert.match(problem.message, /chmod 600/)
})

test('rotate and reset refuse a remote service, and reset a running one', async () => {
  const remote = { ...running.environment, DOCENT_URL: 'http://127.0.0.1:9', DOCENT_API_KEY: 'x' }
  for (const command of ['rotate', 'reset']) {
    assert.equal((await runCommand(['secrets', command], remote)).code, 2)
  }
  assert.equal((await runCommand(['secrets', 'reset'], running.environment)).code, 4)
})

test('a backup leaves the key out and names it, and a restore takes it', async () => {
  const archive = join(folder, 'backup.tar.gz')
  const made = await runCommand(['backup', archive], running.environment)
  assert.equal(made.code, 0, made.stderr)
  assert.ok(made.stdout.includes(`keep ${keyFile()} in another place`), made.stdout)
  const without = { ...running.environment, DOCENT_DATA_DIR: join(folder, 'without') }
  const lost = await runCommand(['restore', archive], without)
  assert.match(lost.stdout, /first put its key at .*secret\.key/)
  assert.ok(!(await readdir(join(folder, 'without'))).includes('secret.key'))
  assert.equal(await startProblem(without), undefined)
  const target = join(folder, 'with')
  await mkdir(target)
  const kept = await readFile(keyFile(), 'utf8')
  await writeFile(join(target, 'secret.key'), kept, { mode: 0o600 })
  const restored = await runCommand(['restore', archive], { ...running.environment, DOCENT_DATA_DIR: target })
  assert.equal(restored.code, 0, restored.stderr)
  assert.doesNotMatch(restored.stdout, /put its key/)
  assert.equal(await startProblem({ ...running.environment, DOCENT_DATA_DIR: target }), undefined)
  assert.equal(await readFile(join(target, 'secret.key'), 'utf8'), kept)
  await rm(archive)
})
