// Servers that share a database look at the same pull requests while one after the other is killed, at each request to the
// forge. Each entry is there once in the end, with the text that the forge has.

import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { createLog } from '../../src/lib/observability/log.ts'
import { openPostgres } from '../../src/postgres/open.ts'
import { sharedServer } from '../support/engine.ts'
import { startForge } from '../support/forge/forge.ts'
import { tokenHost } from '../support/forge/subjects.ts'
import { entryIdOf, lookedAt } from '../support/looked-at.ts'
import { forgeKinds } from '../../src/forge/host.ts'
import { sampled } from '../support/rounds.ts'
import type { LookingTask } from './looking-process.ts'

const script = fileURLToPath(new URL('looking-process.ts', import.meta.url))
const mostRounds = 20

for (const kind of sampled(forgeKinds)) {
  test(`${kind}: killed at any request of a look, a server leaves it to the next`, async (t) => {
    const url = await (await sharedServer()).createDatabase()
    const postgres = await openPostgres({ kind: 'server', url, connections: 3, log: createLog('silent') })
    t.after(() => postgres.close())
    const forge = await startForge(t, { kind })
    const token = forge.createToken().value
    const subject = {
      forge,
      host: tokenHost(forge, token),
      web: forge.web,
      commit: (branch: string, files: Readonly<Record<string, string>>) => Promise.resolve(forge.push(branch, files)),
      createBranch: () => Promise.resolve(),
      grace: '',
    }
    const { remarks, open, pass, look, read } = await lookedAt(t, postgres.db, kind, { subject })
    const { jobId, number } = await open('docent/1')
    const { api, web, host } = forge
    const task: LookingTask = { url, forge: { kind, api, web, host }, token }
    const first = remarks.comment(number)
    let last = first
    let rounds = 0
    for (let isDone = false; !isDone && rounds < mostRounds; rounds += 1) {
      remarks.edit(first, `edited ${rounds}`)
      if (rounds % 3 === 2) remarks.remove(last)
      last = remarks.comment(number, { text: `comment ${rounds}` })
      let request = 0
      let child: ChildProcess | undefined
      const hung = Promise.withResolvers<void>()
      t.after(() => hung.resolve())
      forge.fault = () => {
        request += 1
        if (request !== rounds + 1) return undefined
        child?.kill('SIGKILL')
        return { kind: 'delay', until: hung.promise }
      }
      await pass(60)
      child = fork(script, { env: { ...process.env, TASK: JSON.stringify(task) }, stdio: 'inherit' })
      const [code] = (await once(child, 'close')) as [number | null]
      isDone = code === 0
      hung.resolve()
      // The claim of the one that was killed ends.
      await sql`update jobs set pull_claimed_until = now() where pull_claimed_until is not null`.execute(postgres.db)
    }
    assert.ok(rounds >= 5 && rounds < mostRounds, `${rounds} rounds`)
    forge.fault = undefined
    for (let count = 0; count < 2; count += 1) await look()
    const found = await read(jobId)
    const there = found.filter(({ isDeleted }) => !isDeleted)
    assert.deepEqual(
      there.map(({ forgeId, text }) => `${forgeId} ${text}`).toSorted(),
      remarks.all.map(({ id, text }) => `${entryIdOf(forge, number, id)} ${text}`).toSorted(),
    )
    assert.equal(new Set(found.map(({ forgeId }) => forgeId)).size, found.length)
    for (const { text } of found.filter(({ isDeleted }) => isDeleted)) assert.equal(text, '')
  })
}
