// The first start of a service: how much memory it takes, and that a kill at any moment leaves what the next start completes.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import type { Environment } from '../../src/config/environment.ts'
import { resultOf, spawnCommand } from '../support/command.ts'
import { megabytesOf } from '../support/process-memory.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

async function settingsFor(t: TestContext) {
  const folder = await temporaryFolder('first')
  t.after(() => removeFolder(folder))
  const DOCENT_DATA_DIR = join(folder, 'data')
  const environment: Environment = { DOCENT_DATA_DIR, DOCENT_PORT: '0', DOCENT_LOG_LEVEL: 'error' }
  return { folder, environment }
}

test('a first start takes at most 400 MB', { skip: process.platform !== 'linux' }, async (t) => {
  const { folder, environment } = await settingsFor(t)
  for (const [start, limit] of [
    ['first', 400],
    ['later', 350],
  ] as const) {
    const service = spawnCommand(['serve'], environment, folder)
    t.after(() => service.kill('SIGKILL'))
    assert.match(String((await once(service.stdout, 'data'))[0]), /^docent listens on/)
    const [most, present] = [await megabytesOf(service, 'VmHWM'), await megabytesOf(service, 'VmRSS')]
    t.diagnostic(`a ${start} start takes ${Math.round(most)} MB at most, ${Math.round(present)} MB when it is ready`)
    service.kill('SIGTERM')
    assert.deepEqual(await once(service, 'exit'), [0, null])
    assert.ok(most > 50 && most <= limit, `a ${start} start takes ${Math.round(most)} MB`)
  }
})

/** In the order in which they appear. */
const moments = ['postgres.new', 'postgres.new/base/5/1247', 'postgres']

test('a first start that is killed at any moment is completed by the next', async (t) => {
  const { folder, environment } = await settingsFor(t)
  for (const [at, moment] of moments.entries()) {
    const dataDir = join(folder, `killed-${at}`)
    const own = { ...environment, DOCENT_DATA_DIR: dataDir }
    const service = spawnCommand(['serve'], own, folder)
    const exit = once(service, 'exit')
    while (!existsSync(join(dataDir, moment)) && service.exitCode === null) await turn()
    service.kill('SIGKILL')
    assert.deepEqual(await exit, [null, 'SIGKILL'])
    const migrated = await resultOf(spawnCommand(['migrate'], own, folder))
    assert.deepEqual([migrated.code, migrated.stderr], [0, ''])
    assert.equal((await readdir(dataDir)).includes('postgres.new'), false)
  }
})
