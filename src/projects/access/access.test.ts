import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  accessWorld,
  type AccessWorld,
  all,
  app,
  badToken,
  base,
  basic,
  mayAll,
  mayPush,
  readOnly,
  refusalOf,
  refused,
  shownCheck as shown,
  token,
} from '../../../test/support/access-world.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { Access } from '../../forge/host.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import type { Checked } from '../credentials.ts'
import { generateKey, parseKeys } from '../../secrets/keys.ts'
import { createSecrets } from '../../secrets/secrets.ts'
import { examineAccess, reportCredential, requireAccess } from './access.ts'
import { explainRefusal } from './refusals.ts'

const signal = new AbortController().signal
let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const world = (given: AccessWorld) => accessWorld(postgres.db, given)

async function examine(given: AccessWorld) {
  const { context, id } = await world(given)
  return examineAccess(context, id, signal)
}

const refusal = async (given: AccessWorld) => refusalOf(await world(given))

test('git and the forge together allow everything, and a run may start', async () => {
  const found = await examine({ credential: token })
  assert.deepEqual(found, {
    account: 'octocat',
    rights: all,
    missing: [],
    off: [],
    problem: null,
    expiresAt: null,
    forge: 'github',
    credential: 'token',
    rules: { refused: [], unknown: [] },
    base,
  })
  assert.equal(await refusal({ credential: token }), 'allowed')
})

test('a right to push that git denies counts, with the page on which to grant it', async () => {
  const { rights, missing, problem } = await examine({ credential: token, git: readOnly })
  assert.deepEqual([rights, problem], [{ ...all, push: 'no' }, null])
  assert.match(missing[0]?.remedy ?? '', /"Contents: Read and write" for acme\/docs: https:\/\/github\.com\/settings/)
  const words = await refusal({ credential: token, git: readOnly })
  assert.match(words, /^forge_right_missing: The credential of the project may not push branches\. Give the token/)
})

test('a right to open pull requests that the forge denies stops a run before it starts', async () => {
  const missing = [{ right: 'pullRequests', remedy: 'Ask the owner.' }] as const
  const host: Access = { ...mayAll, rights: { ...all, pullRequests: 'no' }, missing }
  assert.deepEqual((await examine({ credential: token, host })).missing, missing)
  const words = await refusal({ credential: token, host })
  assert.equal(words, 'forge_right_missing: The credential of the project may not open pull requests. Ask the owner.')
})

test('a refused credential is reported if the API refuses it, too', async () => {
  const { context, id, asked } = await world({ credential: token, git: refused })
  const { rights, problem } = await examineAccess(context, id, signal)
  assert.deepEqual([rights.read, rights.push, rights.pullRequests, problem], ['no', 'no', 'unknown', 'It is wrong.'])
  assert.deepEqual(asked, ['git', 'forge'])
  assert.match(await refusal({ credential: token, git: refused }), /^repository_unauthorized: It is wrong\. /)
})

test('an App that is not installed is asked before git, which would have no token', async () => {
  const rights = { read: 'no', push: 'no', pullRequests: 'no' } as const
  const host: Access = {
    account: 'docent[bot]',
    rights,
    missing: [{ right: 'read', remedy: 'Install it.' }],
    expiresAt: null,
  }
  const { context, id, asked } = await world({ credential: app, host })
  assert.deepEqual((await examineAccess(context, id, signal)).rights, rights)
  assert.deepEqual(asked, ['forge'])
  const words = await refusal({ credential: app, host })
  assert.match(
    words,
    /^repository_unauthorized: The credential of the project may not read the repository\. Install it\./,
  )
})

test('without a credential a public repository can be read, and a push needs one', async () => {
  const { rights, missing } = await examine({ git: readOnly })
  assert.deepEqual(rights, { ...all, push: 'no' })
  assert.match(missing[0]?.remedy ?? '', /token for acme\/docs .*, then: docent project credential set \S/)
  assert.match(await refusal({ git: readOnly }), /has no credential and may not push/)
})

test('a refused token is replaced: where, with which rights, and by which command', async () => {
  const github = await examine({ credential: token, git: refused })
  const words =
    /^Create a fine-grained token for acme\/docs with "Contents: Read and write" and "Pull requests: Read and write" at https:\/\/github\.com\/settings\/personal-access-tokens\/new, then: docent project credential set \S+ --token-file -$/
  assert.match(github.missing[0]?.remedy ?? '', words)
  assert.deepEqual(
    github.missing.map(({ right, remedy }) => [right, words.test(remedy)]),
    [
      ['read', true],
      ['push', true],
    ],
  )
  const { missing } = await examine({ credential: basic, git: refused })
  assert.match(missing[0]?.remedy ?? '', /: docent project credential set \S+ --forge git --user u --token-file -$/)
})

test('a token that cannot be changed is replaced, by its command', async () => {
  const remedy = 'The words of the forge.'
  const host: Access = {
    ...mayAll,
    rights: { ...all, pullRequests: 'no' },
    missing: [{ right: 'pullRequests', remedy, needsNewToken: true }],
  }
  const { missing } = await examine({ credential: token, host })
  assert.match(missing[0]?.remedy ?? '', /^Create a .*, then: docent project credential set/)
  assert.deepEqual(Object.keys(missing[0] ?? {}), ['right', 'remedy'])
})

test('an API that does not show what git may read is that of another forge', async () => {
  const rights = { read: 'no', push: 'no', pullRequests: 'no' } as const
  const missing = [{ right: 'pullRequests', remedy: 'Give the token access.' }] as const
  const found = await examine({ credential: token, host: { ...mayAll, rights, missing } })
  assert.deepEqual([found.rights.push, found.missing.length], ['yes', 1])
  assert.match(
    found.missing[0]?.remedy ?? '',
    /^The API at https:\/\/api\.github\.com does not show acme\/docs, .* credential set \S+ --token-file -$/,
  )
})

test('a run keeps what it finds at its start, also when a host refuses it there', async () => {
  const good = await world({ credential: token })
  await requireAccess(good.context, good.id, signal)
  assert.deepEqual(
    { ...(await shown(good)), checkedAt: null },
    { rights: all, missing: [], problem: null, checkedAt: null },
  )
  const bad = await world({ credential: token, host: new Failure('repository_moved', 'It has moved.') })
  await assert.rejects(requireAccess(bad.context, bad.id, signal))
  assert.equal((await shown(bad)).problem, 'It has moved.')
  const away = await world({ credential: token, host: new Failure('forge_unavailable', 'Later.') })
  await assert.rejects(requireAccess(away.context, away.id, signal))
  assert.equal((await shown(away)).checkedAt, null, 'it says nothing about the credential')
})

test('a run that would sign off for somebody else does not start', async () => {
  const { context, id, set } = await world({ credential: token })
  const { db } = postgres
  const commit = JSON.stringify({ signOff: true, author: { name: 'Ada', email: 'ada@example.com' } })
  await db.updateTable('projects').set({ commit }).where('id', '=', id).execute()
  set({ host: { ...mayAll, account: 'ada', facts: { emails: ['ada@example.com'], isPublic: true } } })
  await requireAccess(context, id, signal)
  const { access } = await db
    .selectFrom('credentials')
    .select('access')
    .where('project_id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual((JSON.parse(access ?? '{}') as Checked).facts, { emails: ['ada@example.com'], isPublic: true })
  set({ host: { ...mayAll, account: 'bob', facts: { emails: ['bob@example.com'] } } })
  await assert.rejects(requireAccess(context, id, signal), {
    code: 'forge_refused',
    message: /author is Ada <ada@example\.com>, and .* to bob, with the address bob@example\.com\. Change it: docent/,
  })
})

test('runs probe the right to open pull requests once a day, and a check always', async () => {
  const given = await world({ credential: token, host: { ...mayAll, rights: all } })
  const { context, id, clock, knew } = given
  const known = { pullRequests: 'yes' }
  await requireAccess(context, id, signal)
  await requireAccess(context, id, signal)
  await clock.pass(86_399_000)
  await requireAccess(context, id, signal)
  await clock.pass(2_000)
  await requireAccess(context, id, signal)
  await requireAccess(context, id, signal)
  await examineAccess(context, id, signal)
  assert.deepEqual(knew, [{}, known, known, {}, known, {}])
})

test('a refusal updates the stored check: right, time and remedy', async () => {
  const given = await world({ credential: token })
  await examineAccess(given.context, given.id, signal)
  const refusal = new Failure('repository_unauthorized', 'GitHub says: Bad credentials')
  given.set({ git: refused, host: badToken })
  const explained = await explainRefusal(given.context, given.id, refusal, signal)
  assert.ok(explained instanceof Failure)
  assert.match(explained.message, /^GitHub says: Bad credentials Create a fine-grained .* --token-file -$/)
  const { rights, problem, checkedAt } = await shown(given)
  assert.deepEqual([rights?.push, problem], ['no', 'It is wrong.'])
  assert.ok(checkedAt)
  const asked = given.asked.length
  const again = await explainRefusal(given.context, given.id, refusal, signal)
  assert.equal(again instanceof Failure && again.message, explained.message)
  assert.equal(given.asked.length, asked, 'a marked credential is not checked again')
})

test('a refusal that no check finds is kept as the problem; other errors are not', async () => {
  const given = await world({ credential: token })
  const { context, id } = given
  for (const error of [new Failure('forge_unavailable', 'Later.'), new Error('x')]) {
    assert.equal(await explainRefusal(context, id, error, signal), error)
  }
  assert.equal((await shown(given)).checkedAt, null)
  const refusal = new Failure('forge_right_missing', 'A rule forbids it.')
  assert.equal(await explainRefusal(context, id, refusal, signal), refusal)
  assert.deepEqual([(await shown(given)).rights, (await shown(given)).problem], [all, 'A rule forbids it.'])
})

test('pull requests of Docent itself need no right of a forge', async () => {
  const { context, id, asked } = await world({ credential: basic })
  assert.deepEqual((await examineAccess(context, id, signal)).rights, all)
  assert.deepEqual(asked, ['git'])
})

test('a base branch that does not exist is a finding', async () => {
  const { rights, problem, base } = await examine({ credential: token, commit: null })
  assert.deepEqual([rights, base], [all, null])
  assert.match(problem ?? '', /has no default branch yet: push a first commit/)
})

test('unknown rights stop no run', async () => {
  const rights = { read: 'yes', push: 'unknown', pullRequests: 'unknown' } as const
  const given = { credential: token, git: { ...mayPush, push: 'unknown' }, host: { ...mayAll, rights } } as const
  assert.deepEqual((await examine(given)).rights, rights)
  assert.equal(await refusal(given), 'allowed')
})

test('a host that cannot be reached is a finding of a check, and an error of a run', async () => {
  const failure = new Failure('repository_unreachable', 'The host did not answer.')
  const { rights, problem } = await examine({ credential: token, git: failure })
  assert.deepEqual([rights.read, problem], ['unknown', 'The host did not answer.'])
  assert.equal(await refusal({ credential: token, git: failure }), 'repository_unreachable: The host did not answer.')
  const unavailable = new Failure('forge_unavailable', 'Later.')
  assert.equal((await examine({ credential: token, host: unavailable })).problem, 'Later.')
})

test('a check is kept with the credential, and is shown without a secret', async () => {
  const { context, id } = await world({ credential: token, git: readOnly })
  assert.equal((await reportCredential(context, id))?.rights, null)
  await examineAccess(context, id, signal)
  const shown = await reportCredential(context, id)
  assert.deepEqual([shown?.account, shown?.rights?.push, shown?.missing.length], ['octocat', 'no', 1])
  assert.ok(shown?.checkedAt)
  assert.doesNotMatch(JSON.stringify(shown), /github_pat|v1\./)
  const other = parseKeys(generateKey())
  const lost = await reportCredential({ ...context, secrets: createSecrets(() => other) }, id)
  assert.deepEqual([lost?.rights, lost?.missing], [null, []])
  assert.match(lost?.problem ?? '', /Enter it again: docent project credential set \S+ --token-file -$/)
})

test('a caller who leaves ends the check', async () => {
  const { context, id } = await world({ credential: token, git: new Failure('internal', 'x') })
  const leaving = AbortSignal.abort(new Error('left'))
  await assert.rejects(examineAccess(context, id, leaving), /left/)
})
