// A merge that fails before the forge is asked, and the other jobs of the project.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { Cleanup } from '../../../test/support/git-remote.ts'
import { mergingWorld } from '../../../test/support/merging-world.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

/** Two jobs that could be merged. The forge answers the questions about the first one with this error. */
async function pollTwo(t: Cleanup, error: Error) {
  const { host, remarks, open, pass, poll, waits, job } = await mergingWorld(t, postgres.db, 'github')
  const jobs = [await open(), await open()]
  for (const { head } of jobs) remarks.verdict('status', head)
  await pass(60)
  let first: number | undefined
  const read: typeof host.merging.read = async (number, signal) => {
    first ??= number
    if (number === first) throw error
    return await host.merging.read(number, signal)
  }
  await poll({ ...host, merging: { ...host.merging, read } })
  const [failed, other] = jobs.toSorted((one) => (one.number === first ? -1 : 1))
  assert(failed && other && first === failed.number)
  const pollErrors = await Promise.all([failed, other].map(async ({ jobId }) => (await job(jobId)).pull_check_error))
  return { waits: [await waits(failed.jobId), await waits(other.jobId)], pollErrors }
}

const own = [
  new Failure('forge_unavailable', 'It is away.'),
  new Failure('forge_refused', 'It says no.'),
  new Failure('forge_right_missing', 'It needs a right.'),
  new Failure('repository_unreachable', 'It is gone.'),
  new Failure('repository_invalid', 'It is broken.'),
]
for (const error of own) {
  test(`after ${error.code} one job waits, and the next one is merged`, async (t) => {
    const { waits, pollErrors } = await pollTwo(t, error)
    assert.deepEqual(waits, ['not_known', 'asked'])
    assert.deepEqual(pollErrors, [null, null])
  })
}

test('an error that nobody expected keeps no other job waiting', async (t) => {
  const { waits, pollErrors } = await pollTwo(t, new TypeError('x is not a function'))
  assert.deepEqual(waits, ['nobody', 'asked'])
  assert.deepEqual(pollErrors, [null, null])
})

const ofProject = [
  new Failure('forge_rate_limited', 'Slow down.'),
  new Failure('repository_unauthorized', 'Bad credentials.'),
  new Failure('forge_unavailable', 'It asks to wait.', { retryAfter: 300 }),
]
for (const error of ofProject) {
  test(`after ${error.code}: ${error.message} the whole project waits`, async (t) => {
    const { waits, pollErrors } = await pollTwo(t, error)
    assert.deepEqual(waits, ['nobody', 'nobody'])
    assert.ok(pollErrors.every((one) => one?.includes(error.code)))
  })
}
