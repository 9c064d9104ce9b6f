// The hosts whose loopback forges have no lists of the pull requests of a commit; the others are in test/thorough/code-reviewers.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAzure } from '../azure/azure.ts'
import { readMergedPulls as readFromAzure } from '../azure/merged-pulls.ts'
import { openBitbucket } from '../bitbucket/bitbucket.ts'
import { readMergedPulls as readFromBitbucket } from '../bitbucket/merged-pulls.ts'
import type { ForgeClient, ForgeRequest } from '../client.ts'

const { signal } = new AbortController()

/** Responds by path; `asked` gets each request. */
function clientOf(responses: Readonly<Record<string, readonly [number, unknown]>>, asked: ForgeRequest[] = []) {
  const client: Pick<ForgeClient, 'ask'> = {
    ask: (request) => {
      asked.push(request)
      const [status, body] = responses[request.path] ?? [404, undefined]
      return Promise.resolve({
        kind: 'response',
        status,
        body,
        words: '',
        headers: {},
        etag: null,
        movedTo: null,
      })
    },
  }
  return client as ForgeClient
}

test('Bitbucket lists the ids, and each pull request says who wrote it and where', async () => {
  const root = '/repositories/acme/api'
  const pull = (more: object) => ({
    state: 'MERGED',
    links: { html: { href: 'https://bitbucket.org/acme/api/pull-requests/7' } },
    author: { type: 'user', uuid: '{1}', nickname: 'ada', display_name: 'Ada' },
    source: { repository: { full_name: 'acme/api' } },
    destination: { repository: { full_name: 'acme/api' } },
    ...more,
  })
  const responses = {
    [`${root}/commit/a/pullrequests`]: [200, { values: [{ id: 7 }, { id: 8 }, { id: 9 }] }],
    [`${root}/pullrequests/7`]: [200, pull({})],
    [`${root}/pullrequests/8`]: [200, pull({ state: 'DECLINED' })],
    [`${root}/pullrequests/9`]: [
      200,
      pull({ author: { type: 'app_user', uuid: '{2}' }, source: { repository: { full_name: 'mallory/api' } } }),
    ],
    [`${root}/commit/b/pullrequests`]: [202, { type: 'error' }],
  } as const
  const bitbucket = openBitbucket(clientOf(responses), { webUrl: 'https://bitbucket.org', path: 'acme/api' }, null)
  const link = 'https://bitbucket.org/acme/api/pull-requests/7'
  const ada = { id: '{1}', login: 'ada', isBot: false, reviewer: '{1}', isOutsider: false }
  const bot = { id: '{2}', login: '', isBot: true, reviewer: '{2}', isOutsider: null }
  assert.deepEqual(await readFromBitbucket(bitbucket, 'a', signal), [
    { number: 7, link, author: ada },
    { number: 9, link, author: bot },
  ])
  for (const commit of ['b', 'c']) assert.deepEqual(await readFromBitbucket(bitbucket, commit, signal), [])
})

test('Azure DevOps is asked once for all commits, and accounts of builds are bots', async () => {
  const path = '/acme/product/_apis/git/repositories/api/pullrequestquery'
  const one = {
    pullRequestId: 4,
    status: 'completed',
    createdBy: { id: 'i1', displayName: 'Ada', descriptor: 'aad.x' },
  }
  const build = {
    ...one,
    pullRequestId: 5,
    createdBy: { id: 'i2', displayName: 'Build', descriptor: 'svc.x' },
  }
  const results = [{ a: [one] }, { a: [one, { ...one, pullRequestId: 6, status: 'abandoned' }], b: [build] }]
  const asked: ForgeRequest[] = []
  const place = { webUrl: 'https://dev.azure.com', path: 'acme/product/_git/api' }
  const azure = openAzure(clientOf({ [path]: [200, { queries: [], results }] }, asked), place)
  const link = `https://dev.azure.com/${place.path}/pullrequest`
  assert.deepEqual(await readFromAzure(azure, ['b', 'a'], signal), [
    {
      number: 5,
      link: `${link}/5`,
      author: { id: 'i2', login: 'Build', isBot: true, reviewer: 'i2', isOutsider: false },
    },
    {
      number: 4,
      link: `${link}/4`,
      author: { id: 'i1', login: 'Ada', isBot: false, reviewer: 'i1', isOutsider: false },
    },
  ])
  assert.deepEqual(
    asked.map(({ body }) => body),
    [
      {
        queries: [
          { type: 'lastMergeCommit', items: ['b', 'a'] },
          { type: 'commit', items: ['b', 'a'] },
        ],
      },
    ],
  )
  assert.deepEqual(await readFromAzure(azure, [], signal), [])
})
