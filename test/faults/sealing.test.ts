// SIGKILL at every write of a process that stores page views, seals their windows and deletes stale counters: the process
// after it answers exactly, and has every acknowledged page view once.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import type { FromSealing, Point, Task } from './sealing-process.ts'

const points: readonly (Point | undefined)[] = [
  { write: 'page_views 2', when: 'after' },
  { write: 'counters.build 1', when: 'during' },
  { write: 'counters.build 2', when: 'after' },
  { write: 'counters.build 3', when: 'after' },
  { write: 'counters.build 6', when: 'after' },
  { write: 'seals 1', when: 'during' },
  { write: 'seals 1', when: 'after' },
  { write: 'seals.delete 1', when: 'during' },
  { write: 'seals.delete 1', when: 'after' },
  { write: 'counters.delete 1', when: 'during' },
  undefined,
]

type Run = { readonly messages: readonly FromSealing[]; readonly code: number | null; readonly errors: string }

/** Runs until the process ends, or is killed at its point. */
async function run(task: Task): Promise<Run> {
  const script = fileURLToPath(new URL('sealing-process.ts', import.meta.url))
  const env = { ...process.env, TASK: JSON.stringify(task) }
  const child = fork(script, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const messages: FromSealing[] = []
  let errors = ''
  child.stderr?.on('data', (data: Buffer) => (errors += data.toString()))
  child.on('message', (message: FromSealing) => {
    messages.push(message)
    if (message.kind === 'reached') child.kill('SIGKILL')
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { messages, code, errors }
}

test('killed at any write of sealing, a process leaves exact uniques to the next', async (t) => {
  const folder = await temporaryFolder('sealing')
  t.after(() => removeFolder(folder))
  const acknowledged = new Set<number>()
  let [orphans, isSealed] = [0, false]
  for (const [round, stop] of points.entries()) {
    const { messages, code, errors } = await run({ directory: join(folder, 'clickhouse'), round, stop })
    const where = `${stop?.write} ${stop?.when}: ${errors}`
    const found = messages.find((one) => one.kind === 'found') ?? assert.fail(where)
    assert.equal(new Set(found.ids).size, found.ids.length, `nothing is there twice, ${where}`)
    const there = new Set(found.ids)
    for (const id of acknowledged) assert.ok(there.has(id), `${id} was acknowledged, ${where}`)
    for (const id of there) acknowledged.add(id)
    for (const one of messages) if (one.kind === 'stored') for (const id of one.ids) acknowledged.add(id)
    orphans += found.unsealed
    if (isSealed) assert.ok(found.counted > 0, `the seals are there, ${where}`)
    isSealed = stop?.write.includes('delete') || (stop?.write === 'seals 1' && stop.when === 'after')
    const done = messages.find((one) => one.kind === 'done')
    if (stop) assert.ok(code === null && !done, `it was killed, ${where}`)
    else {
      assert.equal(code, 0, where)
      assert.equal(done?.unsealed, 0, `all counters have a seal, ${where}`)
      assert.ok(done.counted > 0, `sealed windows answered, ${where}`)
    }
  }
  assert.ok(orphans >= 4, 'builds that a kill ended were there')
})
