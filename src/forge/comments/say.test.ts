import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { commentsOf } from '../../../test/support/forge/azure/threads.ts'
import { open } from '../../../test/support/forge/host-cases.ts'
import { type LoopbackSubject, loopbackSubject, tokenHost } from '../../../test/support/forge/subjects.ts'
import { signal } from '../../../test/support/git-remote.ts'
import { entryIdOf } from '../../../test/support/looked-at.ts'
import { createHastyClock } from '../../../test/support/memory-host.ts'
import { forgeKinds } from '../host.ts'
import { commentMarker, hasCommentMarker } from './comments.ts'
import { type OwnComment, say } from './say.ts'

const since = '2020-01-01T00:00:00Z'
const routes = {
  github: 'POST /repos/:owner/:repo/issues/:pull_number/comments',
  gitlab: 'POST /projects/:project/merge_requests/:iid/notes',
  gitea: 'POST /repos/:owner/:repo/issues/:number/comments',
  bitbucket: 'POST /repositories/:workspace/:repo_slug/pullrequests/:pull_request_id/comments',
  azure: 'POST /:organization/:project/_apis/git/repositories/:repositoryId/pullRequests/:pullRequestId/threads',
}

async function opened(t: TestContext, kind: (typeof forgeKinds)[number]) {
  const subject = await loopbackSubject(t, kind)
  const { number } = await open(subject)
  const account = kind === 'github' ? 'docent[bot]' : 'docent-token'
  const comment: OwnComment = { on: { kind: 'pull', number }, name: 'men_1', text: 'Working.', since, account }
  const write = (change: Partial<OwnComment> = {}, { host } = subject) =>
    say({ host, clock: createHastyClock() }, { ...comment, ...change }, signal())
  return { ...subject, number, write, texts: () => textsOn(subject, number) }
}

function textsOn({ forge }: LoopbackSubject, number: number): readonly string[] {
  if (forge.kind === 'azure') return commentsOf(forge.pull(number)).map(({ content }) => content)
  return forge.remarks.of(number, 'comment').map(({ text }) => text)
}

for (const kind of forgeKinds) {
  suite(kind, () => {
    test('one comment is written, and edited in place', async (t) => {
      const { write, texts, host } = await opened(t, kind)
      const first = await write()
      assert(first.kind === 'said')
      assert.deepEqual(await write(), first, 'it is found by its marker')
      assert.deepEqual(await write({ text: 'Done: see <!-- docent:facts -->.\n\n/close' }), first)
      assert.deepEqual(await write({ id: first.id, text: 'Done.' }), first)
      const other = await write({ name: 'men_2', text: 'Working on another.' })
      assert(other.kind === 'said' && other.id !== first.id)
      const marker = (name: string) => commentMarker(host.comments, name)
      assert.deepEqual(texts(), [`Done.\n\n${marker('men_1')}`, `Working on another.\n\n${marker('men_2')}`])
      assert(texts().every((text) => hasCommentMarker(text)))
    })

    test('a response that is lost leads to no second comment', async (t) => {
      const { write, texts, forge } = await opened(t, kind)
      forge.failOnce(routes[kind], { kind: 'lose answer' })
      const said = await write()
      assert.deepEqual([said.kind, texts().length], ['said', 1])
      assert.deepEqual(await write({ text: 'Done.' }), said)
      assert.equal(texts().length, 1)
    })

    test('a comment of somebody else with our marker is left alone', async (t) => {
      const { write, texts, forge, number, host } = await opened(t, kind)
      const forged = `Nothing to see.\n\n${commentMarker(host.comments, 'men_1')}`
      if (kind === 'azure')
        commentsOf(forge.pull(number)).push({
          id: 99,
          status: 'active',
          author: 'ada',
          content: forged,
          isDeleted: false,
        })
      else forge.remarks.comment(number, { login: 'ada', text: forged })
      assert.equal((await write()).kind, 'said')
      assert.deepEqual([texts()[0], texts().length], [forged, 2])
    })

    test('a comment that people deleted is written again', async (t) => {
      if (kind === 'azure') return
      const { write, texts, forge } = await opened(t, kind)
      const first = await write()
      assert(first.kind === 'said')
      forge.remarks.remove(Number(first.id))
      const again = await write({ id: first.id, text: 'Done.' })
      assert(again.kind === 'said' && again.id !== first.id)
      assert.equal(texts().length, 1)
    })

    test('a credential that may not comment is off', async (t) => {
      const { write, forge } = await opened(t, kind)
      const host = tokenHost(forge, forge.createToken({ rights: ['read'] }).value)
      assert.deepEqual(await write({}, { host } as LoopbackSubject), { kind: 'off' })
    })

    test('a reaction is added once, where the forge has them', async (t) => {
      const { host, forge, number } = await opened(t, kind)
      const ids = [forge.remarks.comment(number), forge.remarks.review(number, {}, [{}])]
      const line = forge.remarks.of(number, 'line')[0]?.id ?? 0
      const react = (what: 'comment' | 'review' | 'review_comment', id = 0) =>
        host.comments.react({ kind: 'pull', number, what, forgeId: entryIdOf(forge, number, id) }, signal())
      const has = kind !== 'bitbucket'
      for (let times = 0; times < 2; times += 1) {
        const found = [
          await react('comment', ids[0]),
          await react('review_comment', line),
          await react('review', ids[1]),
        ]
        assert.deepEqual(found, [has, has, false])
      }
      const shown = [ids[0] ?? 0, line].map((id) => forge.remarks.find(id).reactions.length)
      assert.deepEqual(shown, has ? [1, 1] : [0, 0])
    })
  })
}
