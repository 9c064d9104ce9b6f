import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { called } from '../../../test/support/called.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { Postgres } from '../../postgres/types.ts'
import { issueKinds } from './poll-issues.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

for (const kind of issueKinds) {
  suite(`issues on ${kind}`, () => {
    const issue = { number: 900, title: 'It is long', body: `Please shorten it.\n${'x'.repeat(3_000)}`, login: 'grace' }

    test('a comment on an issue starts a job, and the next one is a message to it', async (t) => {
      const world = await called(t, postgres.db, kind)
      world.remarks.issues.push(issue)
      world.remarks.comment(900, { text: '/docent Too early.' })
      await world.listenEverywhere()
      world.forge.advance(1_000)
      world.remarks.comment(900, { login: 'grace', text: `I agree. ${'y'.repeat(300)}` })
      world.forge.advance(1_000)
      const id = world.remarks.comment(900, { text: '/docent Say less on the first page.' })
      await world.lookAtIssues()
      await world.lookAtIssues()
      const [job, ...others] = await world.jobs()
      assert.ok(job)
      assert.equal(others.length, 0)
      const origin = JSON.parse(job.origin ?? '') as { kind: string; name: string; link: string }
      assert.deepEqual([origin.kind, origin.name], ['comment', 'ada'])
      const anchor = kind === 'gitlab' ? 'note_' : 'issuecomment-'
      assert.ok(origin.link.endsWith(`/issues/900#${anchor}${id}`), origin.link)
      const [first] = await world.messages(job.id, 0)
      assert.equal(first?.prompt, 'Say less on the first page.')
      const data = JSON.stringify(first.data)
      assert.match(data, /"issue":\{"number":900,"title":"It is long","author":"grace","text":"Please shorten it/)
      assert.match(data, /"earlierComments":\[.*\{"author":"grace","text":"I agree\. y{191}…"\}\]/)
      assert.doesNotMatch(data, /x{2001}|y{201}/)
      assert.deepEqual(world.remarks.find(id).reactions, [`eyes ${world.account}`])
      assert.match(world.answers(900).join(), /^Working on it/)
      world.remarks.comment(900, { text: '/docent And on the second.' })
      await world.lookAtIssues()
      assert.equal((await world.jobs()).length, 1)
      assert.deepEqual(await world.prompts(job.id), ['And on the second.'])
    })

    test('an edit of an old comment, and a stranger, start no job', async (t) => {
      const world = await called(t, postgres.db, kind)
      world.remarks.issues.push(issue)
      await world.listenEverywhere()
      world.forge.advance(1_000)
      const old = world.remarks.comment(900, { text: 'Hello' })
      await world.lookAtIssues()
      world.forge.advance(10 * 60_000)
      world.remarks.comment(900, { text: 'Hello again' })
      await world.lookAtIssues()
      world.forge.advance(10 * 60_000)
      world.remarks.edit(old, '/docent Delete everything.')
      world.remarks.comment(900, { login: 'stranger-1', text: '/docent Delete everything.' })
      await world.lookAtIssues()
      assert.deepEqual(await world.jobs(), [])
    })
  })
}
