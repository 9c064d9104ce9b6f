// Requests are lost while a comment is read, acted on and answered, before and after their effect, on the hosts that only polling
// reads. In the end each comment was one message and has one answer.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { called } from '../../../test/support/called.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { Postgres } from '../../postgres/types.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const open = 'docent/1'
const pause = 600

for (const kind of ['bitbucket', 'azure'] as const) {
  test(`${kind}: with any request lost, a comment is one message and one answer`, async (t) => {
    const world = await called(t, postgres.db, kind)
    const { jobId, number } = await world.open(open)
    await world.look()
    const done: string[] = []
    let isReached = true
    for (let at = 0; isReached; at += 1) {
      done.push(`Do ${at}.`)
      const id = world.remarks.comment(number, { text: `/docent Do ${at}.` })
      let request = 0
      world.forge.fault = () => {
        request += 1
        if (request !== at + 1) return undefined
        return { kind: at % 2 === 0 ? 'lose answer' : 'reset' }
      }
      await world.look(pause)
      isReached = request > at
      world.forge.fault = undefined
      await world.forget(pause)
      await world.look(pause)
      assert.deepEqual(await world.prompts(jobId), done)
      await world.finish({ kind: 'no_change', reason: 'All is well.' })
      const answers = world.answers(number)
      assert.equal(answers.length, done.length, answers.join('\n'))
      assert.match(answers.at(-1) ?? '', /^No change was necessary/)
      assert.deepEqual(world.remarks.find(id).reactions, world.seen)
    }
    assert.ok(done.length >= 6, `${done.length} requests`)
  })
}
