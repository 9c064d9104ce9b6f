// The judgement of what a job would push, and the setting that it suggests.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accessWorld, token } from '../../../test/support/access-world.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { ForgeHost } from '../../forge/host.ts'
import type { PushRule } from '../../forge/rules/rule.ts'
import { Failure } from '../../lib/failure.ts'
import { rulesFailure } from '../../lib/push-rules/rule-violations.ts'
import type { Postgres } from '../../postgres/types.ts'
import { dryPublish, requirePublishable } from './dry-publish.ts'
import { forgetLearned, readLearned } from './learned.ts'
import { explainRefusal } from './refusals.ts'

const signal = new AbortController().signal
const service = { name: 'Docent', email: 'docent@localhost' }
let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

type Given = { readonly rules?: readonly PushRule[] | Failure; readonly isApp?: boolean; readonly commit?: object }

async function judge({ rules = [], isApp = false, commit = {} }: Given) {
  const { id } = await accessWorld(postgres.db, { credential: token })
  const read = async () => {
    if (rules instanceof Failure) throw rules
    return rules
  }
  const host = { kind: 'github', rules: read, ...(isApp ? { commits: {} } : {}) } as unknown as ForgeHost
  const columns = { pull_request: '{}', commit: JSON.stringify(commit) }
  return await dryPublish(postgres.db, { projectId: id, columns, service, host }, signal)
}

const matching = (of: 'message' | 'branch', pattern: string, isNegated = false): PushRule => {
  return { kind: 'text', of, operator: 'regex', pattern, isNegated }
}

test('a prefix that fits all rules on messages is suggested, and judged first', async () => {
  const { refused } = await judge({ rules: [matching('message', '^docs:'), matching('message', '^.{1,72}\\n')] })
  const change = { commit: { prefix: 'docs: ' } }
  assert.deepEqual(refused, [
    { rule: 'message must match `^docs:`', remedy: 'Set `commit.prefix` to `docs: `.', change },
  ])
  assert.throws(() => requirePublishable({ refused, unknown: [] }), {
    code: 'forge_refused',
    message: 'This repository would refuse the push: message must match `^docs:`. Set `commit.prefix` to `docs: `.',
  })
  assert.deepEqual((await judge({ rules: [matching('message', '^docs:')], commit: { prefix: 'docs: ' } })).refused, [])
  const both = await judge({ rules: [matching('message', '^(feat|chore): '), matching('message', '^fix')] })
  assert.deepEqual(
    both.refused.map((one) => one.change),
    [null, null],
    'no prefix fits both',
  )
})

test('a branch prefix, a sign-off and an author are suggested', async () => {
  const person = { name: 'bot', email: 'bot@x' }
  const { refused } = await judge({
    rules: [
      matching('branch', '^feature/.+'),
      { kind: 'signOff' },
      { kind: 'person', of: 'committerEmail', accepted: ['bot@x'], person },
    ],
  })
  assert.deepEqual(
    refused.map((one) => one.change),
    [{ pullRequest: { branchPrefix: 'feature/' } }, { commit: { signOff: true } }, { commit: { author: person } }],
  )
})

test('signatures: a token needs an App, and an App may name nobody else', async () => {
  const rules: readonly PushRule[] = [{ kind: 'signature' }]
  assert.match(
    (await judge({ rules })).refused[0]?.remedy ?? '',
    /^Let the service sign commits .* or connect the project with a GitHub App/,
  )
  assert.deepEqual((await judge({ rules, isApp: true })).refused, [])
  const named = await judge({ rules, isApp: true, commit: { author: service } })
  assert.deepEqual(named.refused[0]?.change, { commit: { author: null } })
})

test('rules that cannot be judged or read are said, and stop nobody', async () => {
  const { refused, unknown } = await judge({ rules: [matching('message', '(?=docs)')] })
  assert.deepEqual([refused, unknown], [[], ['message must match `(?=docs)`']])
  const away = await judge({ rules: new Failure('forge_unavailable', 'Later.') })
  assert.deepEqual(away, { refused: [], unknown: ['the rules of the repository could not be read: Later.'] })
})

test('rules are learned from a refusal, and kept until a check proves a push', async () => {
  const { db } = postgres
  const given = await accessWorld(db, { credential: token })
  const { context, id } = given
  const judgeNow = (commit: object) =>
    dryPublish(
      db,
      { projectId: id, columns: { pull_request: '{}', commit: JSON.stringify(commit) }, service, host: undefined },
      signal,
    )
  const said = [
    "GitLab: Commit message does not follow the pattern '^docs: '",
    'GitLab: You cannot push commits for docent@localhost, the committer email is not verified',
    'GitLab: File "x" is larger than the allowed size of 1 MiB',
  ]
  for (const words of said) {
    const error = rulesFailure(words) ?? assert.fail(words)
    assert.equal(await explainRefusal(context, id, error, signal), error)
    await explainRefusal(context, id, error, signal)
  }
  assert.equal((await readLearned(db, id)).length, 2, 'a file of one change is not kept')
  const [message, author] = (await judgeNow({})).refused
  assert.deepEqual(message?.change, { commit: { prefix: 'docs: ' } })
  assert.match(author?.remedy ?? '', /^Set `commit\.author` to .* docent forge check --write\.$/)
  const other = { prefix: 'docs: ', author: { name: 'A', email: 'a@x' } }
  assert.deepEqual((await judgeNow(other)).refused, [])
  await forgetLearned(db, id)
  assert.deepEqual((await judgeNow({})).refused, [])
})
