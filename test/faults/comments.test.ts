// Comments on GitHub that call Docent, read after deliveries of the webhook and by polling: the process is killed around each
// request of the answer, and between reading a comment and acting on it. In the end each comment was one message, one reaction
// and one answer.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { engine } from '../support/engine.ts'
import { createHookedApp, type HookedApp } from '../support/forge/hooked-app.ts'
import { sampled } from '../support/rounds.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type ArrangedOnGitHub, arrangeOnGitHub } from './github.ts'

/** On the embedded database, the next process knows that the one before is dead; on a server, claims end by their time. */
const settings = { DOCENT_PUBLIC_URL: 'https://docent.test', DATABASE_URL: undefined }

let arranged: ArrangedOnGitHub
let service: Cluster
let app: HookedApp

before(async () => {
  if (engine === 'cluster') return
  arranged = await arrangeOnGitHub(settings, async (operator, forge, address) => {
    app = await createHookedApp(operator, address, forge)
    return app.installationId
  })
  service = await startCluster(arranged.environment)
})
after(async () => {
  if (engine === 'cluster') return
  await service.close()
  await arranged.close()
})

const client = () => arranged.connectTo(service.addresses)
const deliver = async () => assert.equal(await app.deliver(service.addresses[0] ?? ''), 202)

/** Delivers twice, as GitHub may, until it is so; fails after three minutes: a busy machine is slow. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    assert.ok(tries < 720, 'nothing became of the comment')
    if (tries % 20 === 0) await Promise.all([deliver(), deliver()])
    await delay(250)
  }
}

const reaction = 'POST /repos/:owner/:repo/issues/comments/:comment_id/reactions'
const creation = 'POST /repos/:owner/:repo/issues/:pull_number/comments'
const edit = 'PATCH /repos/:owner/:repo/issues/comments/:comment_id'
const permission = 'GET /repos/:owner/:repo/collaborators/:username/permission'

/** The requests around which the process dies. */
const moments = sampled([
  { route: reaction, isAfter: false },
  { route: creation, isAfter: false },
  { route: creation, isAfter: true },
  { route: edit, isAfter: true },
  { route: permission, isAfter: true },
])

// A cluster needs a database server.
test(
  'killed around each request, a comment is one message, one reaction and one answer',
  { skip: engine === 'cluster' },
  async (t) => {
    const { forge } = arranged
    const { id } = await client().create('page home')
    await client().ended(id)
    const [pull] = forge.pulls
    assert.ok(pull)
    for (const [at, { route, isAfter }] of moments.entries()) {
      await t.test(`${isAfter ? 'after' : 'before'} ${route}`, async () => {
        const answersBefore = answers(pull.number).length
        const reached = Promise.withResolvers<void>()
        forge.fault = ({ route: asked }) => {
          if (asked !== route) return undefined
          reached.resolve()
          return isAfter ? { kind: 'hold', bytes: 0 } : { kind: 'stall' }
        }
        const comment = forge.remarks.comment(pull.number, { login: 'ada', text: `@docent extra kill-${at}` })
        await until(() => Promise.race([reached.promise.then(() => true), delay(1, false)]))
        forge.fault = undefined
        await service.replace()
        await until(() =>
          answers(pull.number)
            .slice(answersBefore)
            .some((text) => text.startsWith('Done')),
        )
        await Promise.all([deliver(), deliver()])
        const messages = (await client().messages(id)).map(({ prompt }) => prompt)
        assert.equal(messages.filter((prompt) => prompt === `extra kill-${at}`).length, 1)
        assert.equal(answers(pull.number).length, answersBefore + 1)
        assert.equal(forge.remarks.find(comment).reactions.length, 1)
      })
    }
    await client().ended(id)
  },
)

function answers(number: number): readonly string[] {
  const found = arranged.forge.remarks.of(number, 'comment')
  return found.filter(({ login }) => login.endsWith('[bot]')).map(({ text }) => text)
}
