import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { temporaryFolder } from '../../../test/support/git-remote.ts'
import { type Runner, createRunner } from './run.ts'

/** A runner whose `git` is a script of the test. */
function scripted(t: TestContext, script: string, timeoutMs = 20_000): { runner: Runner; folder: string } {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const runner = createRunner({ home: folder, path: `${folder}:/usr/bin:/bin`, timeoutMs })
  t.after(async () => await runner.close())
  return { runner, folder }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A process that has ended and was not yet waited for is not alive.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** A process that was killed closes its files, which the runner waits for, a moment before it is gone. */
async function isGone(pid: number): Promise<boolean> {
  const deadline = Date.now() + 5000
  while (isAlive(pid) && Date.now() < deadline) await setTimeout(5)
  return !isAlive(pid)
}

test('output, exit code and input are passed on unchanged', async (t) => {
  const { runner } = scripted(t, 'cat; echo problem >&2; exit 3')
  const result = await runner.run({ args: ['x'], input: 'in\0put' })
  assert.deepEqual(
    [result.ended, result.code, result.stdout.toString(), result.stderr],
    ['exit', 3, 'in\0put', 'problem\n'],
  )
})

test('no timer and no listener is left behind', async (t) => {
  const { runner } = scripted(t, 'exit 0')
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const { signal } = new AbortController()
  await runner.run({ args: ['x'] }, signal)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  // Timers of other tests in this process may run out meanwhile.
  assert.ok(timers() <= before)
})

test('arguments follow the hardened settings, in an environment made from nothing', async (t) => {
  process.env['DOCENT_SECRET_CANARY'] = 'canary'
  t.after(() => delete process.env['DOCENT_SECRET_CANARY'])
  const { runner, folder } = scripted(t, 'for a in "$@"; do printf "%s\\n" "$a"; done; env; pwd')
  const args = ['grep', '$(touch x); `id`', 'a b', '']
  const { stdout } = await runner.run({ gitDir: '/m.git', args, config: ['own.key=1'] })
  const lines = stdout.toString().split('\n')
  assert.equal(lines[0], '--git-dir=/m.git')
  assert.ok(lines.indexOf('core.hooksPath=/dev/null') < lines.indexOf('own.key=1'))
  const at = lines.indexOf('own.key=1')
  assert.deepEqual(lines.slice(at + 1, at + 5), args)
  assert.ok(lines.includes('GIT_ALLOW_PROTOCOL=none'))
  assert.ok(lines.includes(`HOME=${folder}`))
  assert.ok(!stdout.includes('canary'))
})

test('output over its cap ends the process', async (t) => {
  const { runner } = scripted(t, 'exec yes')
  const result = await runner.run({ args: ['x'], maxBytes: 100_000 })
  assert.equal(result.ended, 'full')
  assert.ok(result.stdout.length > 100_000 && result.stdout.length < 1_000_000)
})

test('standard error is capped and does not end the process', async (t) => {
  const { runner } = scripted(t, 'yes | head -c 1000000 >&2; echo done')
  const result = await runner.run({ args: ['x'] })
  assert.equal(result.stdout.toString(), 'done\n')
  assert.equal(result.stderr.length, 64 * 1024)
})

test('a reader that has enough ends the process', async (t) => {
  const { runner } = scripted(t, 'exec yes')
  const result = await runner.run({ args: ['x'], onData: () => false })
  assert.equal(result.ended, 'enough')
})

test('a run that ends early ends its whole process group, even without SIGTERM', async (t) => {
  const inner = 'trap "" TERM; echo $$; while :; do read x; done'
  const { runner } = scripted(
    t,
    `cd "$HOME"; mkfifo pipe; exec 3<>pipe; (trap '' TERM; sh -c '${inner}' < pipe) & wait`,
  )
  let said = ''
  const onData = (chunk: Buffer): boolean => {
    said += chunk.toString()
    return false
  }
  const result = await runner.run({ args: ['x'], onData })
  assert.equal(result.ended, 'enough')
  assert.match(said, /^\d+\n$/)
  assert.ok(await isGone(Number(said)))
})

test('a run that takes longer than its deadline is ended', async (t) => {
  const { runner } = scripted(t, 'exec cat < /dev/zero > /dev/null', 300)
  assert.equal((await runner.run({ args: ['x'] })).ended, 'timeout')
})

test('a signal ends the process, and the call throws its reason', async (t) => {
  const { runner, folder } = scripted(t, 'touch "$HOME/started"; exec cat < /dev/zero > /dev/null')
  const controller = new AbortController()
  const running = runner.run({ args: ['x'] }, controller.signal)
  controller.abort(new Error('enough'))
  await assert.rejects(running, /enough/)
  await assert.rejects(runner.run({ args: ['x'] }, controller.signal), /enough/)
  assert.ok(folder)
})

test('a crash and a kill differ from an exit', async (t) => {
  const { runner } = scripted(t, 'kill -SEGV $$')
  const result = await runner.run({ args: ['x'] })
  assert.deepEqual([result.ended, result.code], ['signal', null])
})

test('closing ends and awaits every process and starts no other', async (t) => {
  const { runner, folder } = scripted(
    t,
    'echo $$ > "$HOME/pid.tmp"; mv "$HOME/pid.tmp" "$HOME/pid"; echo ready; exec cat < /dev/zero > /dev/null',
  )
  const child = runner.start({ args: ['x'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const running = runner.run({ args: ['x'] })
  await runner.close()
  assert.equal((await running).ended, 'signal')
  assert.ok(existsSync(join(folder, 'pid')))
  assert.ok(await isGone(Number(readFileSync(join(folder, 'pid'), 'utf8'))))
  await assert.rejects(runner.run({ args: ['x'] }), { code: 'unavailable' })
  await runner.close()
})

test('a missing git is a failure', async (t) => {
  const runner = createRunner({ home: temporaryFolder(t), path: '/nonexistent', timeoutMs: 1000 })
  await assert.rejects(runner.run({ args: ['version'] }), { code: 'unavailable' })
  await runner.close()
})

test('a process that does not read its input is no failure', async (t) => {
  const { runner } = scripted(t, 'exit 0')
  const result = await runner.run({ args: ['x'], input: Buffer.alloc(1_000_000) })
  assert.equal(result.code, 0)
})
