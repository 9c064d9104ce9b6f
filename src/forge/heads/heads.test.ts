// Whether a branch has moved, asked of loopback forges on real repositories, and of one that gives wrong answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedForge } from '../../../test/support/forge-client.ts'
import { type TestForge, startForge } from '../../../test/support/forge/forge.ts'
import { tokenHost } from '../../../test/support/forge/subjects.ts'
import { type Cleanup, signal } from '../../../test/support/git-remote.ts'
import type { HttpAnswer } from '../../../test/support/scripted-http.ts'
import { createGitHubHost } from '../github/host.ts'
import type { HostHeads } from './heads.ts'

const kinds = ['github', 'gitlab', 'gitea'] as const

async function open(t: Cleanup, kind: (typeof kinds)[number]) {
  const forge = await startForge(t, { kind })
  const { heads } = tokenHost(forge, forge.createToken().value)
  assert(heads)
  const known = { branch: 'main', commit: forge.remote.head('main') ?? '', isDefault: true }
  return { forge, heads, known }
}

const statuses = (forge: TestForge, from: number) => forge.requests.slice(from).map(({ status }) => status)

for (const kind of kinds) {
  test(`${kind}: a branch without a change is confirmed, with its ETags if there are any`, async (t) => {
    const { forge, heads, known } = await open(t, kind)
    const first = await heads.confirm(known, {}, signal())
    assert.equal(first.isStill, true)
    const asked = forge.requests.length
    const again = await heads.confirm(known, first.tags, signal())
    assert.deepEqual(again, first)
    const expected = { github: [304, 304], gitlab: [304], gitea: [200, 200] }[kind]
    assert.deepEqual(statuses(forge, asked), expected)
    forge.push('docs/more', { 'a.md': 'a' })
    const other = { branch: 'docs/more', commit: forge.remote.head('docs/more') ?? '', isDefault: false }
    assert.equal((await heads.confirm(other, {}, signal())).isStill, true)
  })

  test(`${kind}: a commit, a force push and another default branch are noticed`, async (t) => {
    const { forge, heads, known } = await open(t, kind)
    const { tags } = await heads.confirm(known, {}, signal())
    const moved = { isStill: false, tags: {} }
    forge.push('main', { 'a.md': 'a' })
    assert.deepEqual(await heads.confirm(known, tags, signal()), moved)
    forge.remote.git(['update-ref', 'refs/heads/main', known.commit])
    assert.equal((await heads.confirm(known, tags, signal())).isStill, true)
    const rewritten = forge.remote.git(['commit-tree', '-m', 'Rewritten', `${known.commit}^{tree}`]).trim()
    forge.remote.git(['update-ref', 'refs/heads/main', rewritten])
    assert.deepEqual(await heads.confirm(known, tags, signal()), moved)
    // The same commit under another name.
    forge.remote.git(['update-ref', 'refs/heads/main', known.commit])
    forge.remote.git(['branch', 'next', 'main'])
    forge.remote.git(['symbolic-ref', 'HEAD', 'refs/heads/next'])
    assert.deepEqual(await heads.confirm(known, tags, signal()), moved)
    assert.equal((await heads.confirm({ ...known, isDefault: false }, {}, signal())).isStill, true)
    forge.renameBranch('main', 'old')
    await assert.rejects(heads.confirm({ ...known, isDefault: false }, {}, signal()), {
      code: 'repository_unreachable',
    })
  })

  test(`${kind}: a refused token, a missing right and a renamed repository are failures`, async (t) => {
    const { forge, heads, known } = await open(t, kind)
    const unable = tokenHost(forge, forge.createToken({ rights: [] }).value).heads
    await assert.rejects(unable?.confirm(known, {}, signal()) ?? Promise.resolve())
    forge.rename('acme/handbook')
    await assert.rejects(heads.confirm(known, {}, signal()), { code: 'repository_moved' })
    forge.revokeAll()
    await assert.rejects(heads.confirm(known, {}, signal()), { code: 'repository_unauthorized' })
  })
}

const commit = 'a'.repeat(40)
const known = { branch: 'main', commit, isDefault: false }
const ref = { object: { sha: commit } }

async function gitHubThatSays(t: Cleanup, ...answers: readonly HttpAnswer[]) {
  const forge = await scriptedForge(t, { 'GET /repos/acme/docs/git/ref/heads/main': answers })
  const repository = { webUrl: forge.webUrl, path: 'acme/docs' }
  const { heads } = createGitHubHost({ client: forge.client, repository })
  return { heads: heads as HostHeads, sent: () => forge.requests.map(({ headers }) => headers['if-none-match']) }
}

test('an answer that is not understood confirms nothing', async (t) => {
  const answers: readonly HttpAnswer[] = [
    { status: 304 },
    { body: {} },
    { body: { object: { sha: 'main' } } },
    { body: [] },
    { status: 204 },
  ]
  for (const answer of answers) {
    const { heads } = await gitHubThatSays(t, answer)
    await assert.rejects(heads.confirm(known, {}, signal()), { code: 'forge_unavailable' })
  }
})

test('an ETag that is none is not sent back', async (t) => {
  const wrong = ['no quotes', `"${'x'.repeat(300)}"`, '"a" "b"', '']
  for (const etag of wrong) {
    const { heads } = await gitHubThatSays(t, { body: ref, headers: { etag } })
    assert.deepEqual(await heads.confirm(known, {}, signal()), { isStill: true, tags: {} })
  }
  const { heads, sent } = await gitHubThatSays(t, { body: ref, headers: { etag: 'W/"a"' } })
  const { tags } = await heads.confirm(known, { head: 'no quotes' }, signal())
  assert.deepEqual(tags, { head: 'W/"a"' })
  await heads.confirm(known, tags, signal())
  assert.deepEqual(sent(), [undefined, 'W/"a"'])
})
