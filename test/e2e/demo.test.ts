// The demo as a newcomer runs it.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { engineSettings } from '../support/engine.ts'
import { createDataDir, removeTemplate } from '../support/service.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
let folder: string

before(async () => {
  folder = await temporaryFolder('demo')
})
after(async () => {
  await removeFolder(folder)
  await removeTemplate()
})

test('the demo shows a job from the instruction to the merge and its visitors, though port 4100 is taken', async (t) => {
  const holder = createServer()
  // Another process may have it already, which serves as well.
  await new Promise<void>((resolve) => holder.once('error', () => resolve()).listen(4100, '127.0.0.1', resolve))
  t.after(() => holder.close())
  const env = {
    PATH: process.env['PATH'],
    DOCENT_DATA_DIR: await createDataDir(folder),
    ...(await engineSettings()),
  }
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'demo', '--exit'], { env, cwd: folder })
  for (const expected of [
    /completed after \d+ turns: pull_request/,
    /^\+.*Acme Command/m,
    /curl -X POST http:\S+\/message /,
    /#1 is merged/,
    /http:\S+\/pulls\/\S{22}/,
    /docent analytics import \S+access\.log/,
    /4000 lines hold \d{4} page views; left out: /,
    /^ {2}human +[1-9]\d* +[_.:=+*#-]{30}$/m,
    /^ {2}ai +[1-9]\d* +[_.:=+*#-]{30}$/m,
    /^ {2}\/quickstart +[1-9]\d* +[1-9]\d* +[1-9]\d*$/m,
  ]) {
    assert.match(stdout, expected)
  }
})
