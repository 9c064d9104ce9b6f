import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureCode } from '../lib/failure.ts'
import type { Reply } from './client.ts'
import type { Asked } from './errors.ts'
import { explain } from './explain.ts'

const asked: Asked = {
  name: 'Gitea',
  repository: 'git.example.com/acme/docs',
  right: 'pullRequests',
  remedy: 'Grant write:repository.',
}
const away: Reply = { kind: 'unavailable', reason: 'the connection failed', retryAfter: null }
const { signal } = new AbortController()

function response(status: number, body?: unknown): Reply {
  return { kind: 'response', status, body, words: '', headers: {}, etag: null, movedTo: null }
}

type Row = readonly [name: string, refusal: Reply, answers: readonly Reply[], code: FailureCode]

/** `answers`: to the question for the repository, then for the account. */
const rows: readonly Row[] = [
  ['a refusal with another status', response(422), [], 'forge_refused'],
  ['a lost response', away, [], 'forge_unavailable'],
  ['a host that goes away', response(403), [away], 'forge_unavailable'],
  ['a host that refuses again', response(404), [response(451)], 'repository_unreachable'],
  ['a missing right', response(404), [response(200, {})], 'forge_right_missing'],
  ['an archived repository', response(403), [response(200, { archived: true })], 'repository_archived'],
  ['a repository that is not shown', response(403), [response(404), response(200)], 'repository_unauthorized'],
  ['a credential that has expired', response(404), [response(404), response(401)], 'repository_unauthorized'],
]

for (const [name, refusal, answers, code] of rows) {
  test(`${name} is found with ${answers.length} questions`, async () => {
    const left = [...answers]
    const client = {
      origin: 'https://git.example.com',
      basePath: '',
      countRequests: () => 0,
      readEnd: async () => assert.fail('it reads no log'),
      ask: async () => left.shift() ?? assert.fail('asked again'),
    }
    const failure = await explain({ client, path: '/repos/acme/docs', account: '/user' }, refusal, asked, signal)
    assert.equal(failure.code, code)
    assert.equal(left.length, 0)
  })
}
