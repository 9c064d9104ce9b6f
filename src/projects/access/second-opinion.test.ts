// A refusal of git's host that passes, and one that the API of the forge confirms.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  accessWorld,
  type AccessWorld,
  all,
  badToken,
  basic,
  mayAll,
  readOnly,
  refusalOf as failureOf,
  refused,
  shownCheck as shown,
  token,
} from '../../../test/support/access-world.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { gitFailure } from '../../git/transport/errors.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import { explainRefusal } from './refusals.ts'

const signal = new AbortController().signal
let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const world = (given: AccessWorld) => accessWorld(postgres.db, given)

const unexplained = { ...readOnly, isUnexplained: true } as const
const passing = /^repository_unreachable: The host refuses git, and its API says that the credential has the right/

for (const [name, git, host, expected] of [
  ['401, and the API accepts the credential', { ...refused, isUnexplained: true }, mayAll, passing],
  ['403 without words, and the API does not deny the right', unexplained, mayAll, passing],
  ['403 with words, and the API grants the right', readOnly, { ...mayAll, rights: all }, passing],
  ['403 with words, and the API does not say', readOnly, mayAll, /^forge_right_missing/],
  ['401, and the API refuses it, too', { ...refused, isUnexplained: true }, badToken, /^repository_unauthorized/],
  [
    '403 without words, and the API denies the right',
    unexplained,
    { ...mayAll, rights: { ...all, push: 'no' } },
    /^forge_right_missing/,
  ],
  [
    '401, and the API is not available',
    { ...refused, isUnexplained: true },
    new Failure('forge_unavailable', 'x'),
    /^forge_un/,
  ],
] as const) {
  test(`git is answered with ${name}`, async () => {
    const given = await world({ credential: token, git, host })
    const isFinal = !/passes|^forge_un/.test(await failureOf(given))
    assert.match(await failureOf(given), expected)
    assert.equal((await shown(given)).checkedAt !== null, isFinal, 'what passes is not stored')
  })
}

test('without an API, git is asked again before a credential is blamed', async () => {
  const given = await world({ credential: basic, git: refused })
  assert.match(await failureOf(given), /^repository_unauthorized/)
  assert.deepEqual(given.asked, ['git', 'git'])
})

/** A failure of a git command that the host answered with this status. */
const gitRefused = (status: number) =>
  gitFailure(`fatal: unable to access 'https://x/': The requested URL returned error: ${status}`, 'git push')

test('a command of git that was refused for a moment is tried again', async () => {
  const given = await world({ credential: token })
  const { context, id } = given
  const error = gitRefused(403)
  const explained = await explainRefusal(context, id, error, signal)
  assert.ok(explained instanceof Failure && explained.mayRetry)
  assert.match(explained.message, /^The host refused git for a moment, .*403/)
  given.set({ git: unexplained })
  for (const _again of ['first', 'second']) {
    const still = await explainRefusal(context, id, error, signal)
    assert.ok(still instanceof Failure && still.mayRetry, 'the API grants it')
  }
  given.set({ git: refused, host: badToken })
  const final = await explainRefusal(context, id, error, signal)
  assert.ok(final instanceof Failure && !final.mayRetry, 'the API agrees')
})
