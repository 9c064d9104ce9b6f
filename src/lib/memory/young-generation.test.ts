import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

test('the young generation grows with its survivors, except while work forbids it', () => {
  const fixture = fileURLToPath(new URL('young-generation.fixture.ts', import.meta.url))
  const run = () => spawnSync(process.execPath, ['--single-threaded-gc', fixture], { encoding: 'utf8' })
  // V8 may grow it by the speed of a busy machine. A mistake fails each time.
  let ended = run()
  for (let left = 2; ended.status !== 0 && left > 0; left -= 1) ended = run()
  assert.equal(ended.status, 0, ended.stderr)
})
