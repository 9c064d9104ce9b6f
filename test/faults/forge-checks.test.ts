// The service is killed while it gives failed checks of GitHub to the agent, and while it says what became of them: around the log that
// it reads, and around the comment. In the end the agent got them once, and one comment says so.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { isThorough } from '../support/rounds.ts'
import { withDatabase } from '../support/stopped-database.ts'
import { startProcess } from './crashing-service.ts'
import { type ArrangedOnGitHub, arrangeOnGitHub } from './github.ts'

const log = 'GET /repos/:owner/:repo/actions/jobs/:job_id/logs'
const creation = 'POST /repos/:owner/:repo/issues/:pull_number/comments'
let arranged: ArrangedOnGitHub

before(async () => {
  arranged = await arrangeOnGitHub()
})
after(() => arranged.close())

/** As if a minute had passed while the service was away: it polls the pull requests when it starts. */
async function letPollsBeDue(): Promise<void> {
  await withDatabase(arranged.environment, (db) =>
    sql`update jobs set pull_check_after = pull_check_after - interval '5 minutes', pull_claimed_until = null`.execute(
      db,
    ),
  )
}

/** The requests around which the process dies. */
const moments = [
  { route: log, isAfter: false },
  { route: log, isAfter: true },
  { route: creation, isAfter: false },
  { route: creation, isAfter: true },
].filter(({ isAfter }) => isAfter || isThorough)

test('killed around each request, it gives failed checks once, and comments once', async () => {
  const { forge, environment } = arranged
  const first = await startProcess(environment)
  const client = arranged.connectTo([first.address])
  const { id } = await client.create('page home')
  await client.ended(id)
  const change = { pullRequest: { onFailedChecks: 'fix' } }
  await openSocketApi(parseConfig(environment)).send('PATCH', `/v1/projects/${client.projectId}`, change)
  await first.kill()
  const pull = forge.pulls[0] ?? assert.fail('there is a pull request')
  const failed = pull.head
  forge.remarks.verdict('check', failed, { state: 'failure', log: 'ERROR no page\n' })
  for (const { route, isAfter } of moments) {
    await letPollsBeDue()
    const reached = Promise.withResolvers<void>()
    forge.fault = (request) => {
      if (request.route !== route) return undefined
      if (isAfter) return { kind: 'hold', bytes: 0, reached: reached.resolve }
      reached.resolve()
      return { kind: 'stall' }
    }
    const dying = await startProcess(environment)
    // The run that the message starts ends in one of the processes, and the comment comes with the look after it.
    await withinAMinute(reached.promise)
    await dying.kill()
    forge.fault = undefined
    if (route === log && isAfter) await settle(id)
  }
  await settle(id)
  const last = await startProcess(environment)
  const messages = await arranged.connectTo([last.address]).messages(id)
  await last.kill()
  assert.equal(messages.filter(({ prompt }) => prompt.startsWith('Checks of the forge failed')).length, 1)
  const comments = forge.remarks.of(pull.number, 'comment').map(({ text }) => text)
  assert.equal(comments.length, 1, comments.join())
  assert.match(comments[0] ?? '', new RegExp(`^Failed on ${failed.slice(0, 10)}: .build.. Docent has changed`))
  assert.notEqual(forge.pull(pull.number).head, failed)
})

async function withinAMinute(reached: Promise<void>): Promise<void> {
  const late = delay(60_000, undefined, { ref: false }).then(() => assert.fail('nothing was asked'))
  await Promise.race([reached, late])
}

/** Starts the service until the job is at rest. */
async function settle(id: string): Promise<void> {
  await letPollsBeDue()
  const process = await startProcess(arranged.environment)
  const client = arranged.connectTo([process.address])
  for (let tries = 0; (await client.messages(id)).length < 2; tries += 1) {
    assert.ok(tries < 600, 'the agent got nothing')
    await delay(100)
  }
  await client.ended(id)
  await process.kill()
}
