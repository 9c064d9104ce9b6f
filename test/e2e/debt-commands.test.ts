// `docent debt` against a running service: what is known of the changes of the product, and what is not.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ShownAutomation } from '../../src/http/resources/automations/schemas.ts'
import { runCommand } from '../support/command.ts'
import { git, pushAsPerson } from '../support/repository.ts'
import { type ScriptedService, startScriptedService } from '../support/scripted.ts'

let t: ScriptedService
before(async () => {
  t = await startScriptedService()
})
after(() => t.close())

const docent = (...args: readonly string[]) => runCommand(args, t.running.environment)

async function ok(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await docent(...args)
  assert.equal(code, 0, stderr)
  return stdout
}

test('without an automation that follows, an empty list is no answer', async () => {
  const { code, stdout, stderr } = await docent('debt')
  assert.deepEqual([code, stdout], [0, ''])
  assert.match(stderr, /No automation follows this source, so nothing is known/)
  const failing = await docent('debt', '--fail-over', '0')
  assert.equal(failing.code, 7)
  assert.match(failing.stderr, /nothing is known/)
})

test('changes are listed, counted for a release, and documented after all', async () => {
  const start = await git(t.repository, 'rev-parse', 'main')
  await ok('automation', 'create', 'Follow', '--code', '--instructions', 'Update the pages.', '--since', start)
  const position = async () =>
    (JSON.parse(await ok('automation', 'show', 'Follow', '--json')) as ShownAutomation).position
  while ((await position())?.commit == null) await delay(50)
  assert.match(await ok('debt', '--fail-over', '0'), /^0 changes are undocumented: 0 documented, 0 skipped, /)
  pushAsPerson(t.repository, 'main', { '.github/workflows/ci.yml': 'on: push\n' })
  const head = await git(t.repository, 'rev-parse', 'main')
  // The range is read from the repository, so a commit that no look has seen yet is not passed over.
  const { code, stderr } = await docent('debt', '--since', start, '--fail-over', '0')
  if (code !== 0) assert.match(stderr, /1 change is undocumented; at most 0 may be/)
  else assert.equal((await position())?.commit, head)
  const wrong = await docent('debt', '--since', 'v9')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /must be a tag, a branch, a commit, a date or `last-tag`/)
  assert.equal((await docent('debt', '--state', 'lost')).code, 2)
  assert.equal((await docent('debt', '--look', '0'.repeat(40))).code, 1)
})
