// Answers of a host that cannot be believed: pages that git reads as an empty list, lists that contradict each other, and
// failures that pass at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '../../../test/support/git-remote.ts'
import { servedRepository } from '../../../test/support/git-server.ts'

const html = { 'Content-Type': 'text/html' }
for (const [name, body] of [
  ['a line of a sign-in page', '<h1>Sign in</h1>'],
  ['nothing', ''],
  ['a list of a host that only serves files', `${'1'.repeat(40)}\trefs/heads/other\n`],
] as const) {
  test(`a listing with status 200 and ${name} says nothing about branches`, async (t) => {
    const { repository, server } = await servedRepository(t)
    const isRefs = (url: string) => url.includes('/info/refs')
    server.fault = ({ url = '' }) => (isRefs(url) ? { kind: 'answer', status: 200, headers: html, body } : undefined)
    for (const branch of ['main', null]) {
      await assert.rejects(repository.fetch({ branch, branches: [] }, signal()), { code: 'repository_unreachable' })
      await assert.rejects(repository.probe(branch, signal()), { code: 'repository_unreachable' })
    }
    server.fault = undefined
    assert.equal((await repository.fetch({ branch: null, branches: [] }, signal())).base.branch, 'main')
  })
}

test('a branch that only the second listing has is no missing branch', async (t) => {
  const { repository, server, remote } = await servedRepository(t)
  const commit = remote.head('main') ?? ''
  for (const branch of ['main', null]) {
    remote.git(['update-ref', '-d', 'refs/heads/main'])
    remote.commit('other', { 'a.md': 'other' })
    server.requests.length = 0
    server.fault = ({ url = '' }) => {
      // The first listing is complete with the second request.
      if (url.includes('/info/refs') && server.requests.length > 2)
        remote.git(['update-ref', 'refs/heads/main', commit])
      return undefined
    }
    await assert.rejects(repository.fetch({ branch, branches: [] }, signal()), {
      code: 'repository_unreachable',
      message: /lists the branch main/,
    })
  }
})

for (const [name, fault] of [
  ['502', { kind: 'answer', status: 502, body: '<html>' }],
  ['a page', { kind: 'answer', status: 200, headers: html, body: '<h1>Sign in</h1>' }],
  ['an answer that breaks off', { kind: 'cut', bytes: 20 }],
  ['a connection that is reset', { kind: 'reset' }],
] as const) {
  test(`${name} at one request of a fetch is not seen by the caller`, async (t) => {
    for (const at of [1, 2, 3]) {
      const { repository, server, remote } = await servedRepository(t)
      server.fault = () => (server.requests.length === at ? fault : undefined)
      const { base } = await repository.fetch({ branch: 'main', branches: [] }, signal())
      assert.equal(base.commit, remote.head('main'))
      assert.ok(server.requests.length > at)
    }
  })
}
