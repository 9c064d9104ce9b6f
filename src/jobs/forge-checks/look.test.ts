// Failed checks of a pull request on each forge, from the look that finds them to the comment that says what became of them.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { sql } from 'kysely'
import { called } from '../../../test/support/called.ts'
import { claimNext, toLeased } from '../../../test/support/database.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import type { Kind } from '../../../test/support/forge/world.ts'
import { type Cleanup, signal } from '../../../test/support/git-remote.ts'
import type { Finish } from '../../agent/tool.ts'
import { toPullRequest } from '../../forge/hosted.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Postgres } from '../../postgres/types.ts'
import { sendMessage } from '../message.ts'
import { writeAsRun } from '../queue/lease.ts'
import { takeMessages } from '../run/turns.ts'
import { toForgeChecks } from './show.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const words = {
  github: { kind: 'check', failed: 'failure', green: 'success', pending: 'in_progress', cancelled: 'cancelled' },
  gitlab: { kind: 'status', failed: 'failed', green: 'success', pending: 'running', cancelled: 'canceled' },
  gitea: { kind: 'status', failed: 'failure', green: 'success', pending: 'pending', cancelled: 'warning' },
  bitbucket: { kind: 'status', failed: 'FAILED', green: 'SUCCESSFUL', pending: 'INPROGRESS', cancelled: 'STOPPED' },
  azure: { kind: 'check', failed: 'rejected', green: 'approved', pending: 'running', cancelled: 'rejected' },
} as const satisfies Readonly<Record<Kind, object>>

const log = '\u001b[31mERROR\u001b[0m page-two.md does not exist\n'
const change: Finish = { kind: 'change', title: 'Repair it', summary: 'A link.' }

type Checked = Awaited<ReturnType<typeof checked>>

async function checked(t: Cleanup, kind: Kind, settings: object = { onFailedChecks: 'fix' }) {
  const world = await called(t, postgres.db, kind)
  const { db, forge, host, remarks, projectId } = world
  const set = { pull_request: JSON.stringify(settings) }
  await db.updateTable('projects').set(set).where('id', '=', projectId).execute()
  const { jobId, number, headCommit } = await world.open('docent/1')
  const published = (commit: string) =>
    sql`update runs set commit_id = ${commit} where job_id = ${jobId} and number =
      (select max(number) from runs where job_id = ${jobId})`.execute(db)
  await published(headCommit)
  /** The present checks, and no other ones. */
  const says = (states: readonly ('failed' | 'green' | 'pending' | 'cancelled')[], commit = headCommit) => {
    remarks.verdicts.splice(0)
    for (const [at, state] of states.entries()) {
      const name = at === states.length - 1 ? 'build' : 'lint'
      remarks.verdict(words[kind].kind, commit, { name, state: words[kind][state], log })
    }
  }
  /** The agent repairs it, and the forge shows its commit. */
  const repair = async (file: string) => {
    const commit = forge.push('docent/1', { [file]: file })
    const pull = await host.get(number, signal())
    assert(pull)
    await world.finish(change, { pull: toPullRequest(host, pull), baseCommit: 'a', headCommit: commit })
    await published(commit)
    return commit
  }
  const shown = async () => toForgeChecks(await world.job(jobId))
  const asked = async () => (await world.messages(jobId)).length
  const write = (prompt: string) =>
    sendMessage(
      { db, clock: systemClock, modelId: 'test/model', publicUrl: '' },
      { projectId, jobId, prompt },
      undefined,
    )
  const comments = async () =>
    (await host.comments.list({ kind: 'pull', number }, '2000-01-01T00:00:00Z', signal())).map(({ text }) => text)
  return { ...world, jobId, number, head: headCommit, published, says, repair, shown, asked, write, comments }
}

for (const kind of ['github', 'gitlab', 'gitea', 'bitbucket', 'azure'] as const) {
  suite(kind, () => {
    test('the agent gets failed checks once, and then people see to them', async (t) => {
      const { jobId, head, says, look, messages, repair, shown, comments, job } = await checked(t, kind)
      says(['green', 'pending'])
      await look()
      says(['green', 'cancelled'])
      if (kind !== 'azure') await look()
      assert.deepEqual([await messages(jobId), await shown()], [[], null])
      says(['green', 'failed'])
      await look()
      await look()
      const [message, ...others] = await messages(jobId)
      assert.match(
        message?.prompt ?? '',
        new RegExp(`failed on the commit ${head.slice(0, 10)} of this job's pull request`),
      )
      const data = JSON.stringify(message?.data)
      assert.match(data, /"log":"ERROR page-two\.md does not exist"/)
      assert.match(data, /"about":"checks"/)
      assert.deepEqual([others, (await job(jobId)).status, (await shown())?.state], [[], 'active', 'given'])
      const repaired = await repair('b.md')
      await look()
      assert.match(
        (await comments()).join(),
        new RegExp(`Docent has changed the documentation in ${repaired.slice(0, 10)}`),
      )
      says(['failed'], repaired)
      await look()
      await look()
      assert.equal((await messages(jobId)).length, 1)
      const left = await shown()
      assert.deepEqual([left?.state, left?.commit, (await job(jobId)).status], ['left', repaired, 'completed'])
      assert.match(left?.reason ?? '', /It gets them again after a message of a person/)
      const said = await comments()
      assert.equal(said.length, 1)
      assert.match(said[0] ?? '', /Docent does not repair this/)
    })
  })
}

suite('on GitHub', () => {
  test('a message of a person lets the agent have the next failed checks', async (t) => {
    const { jobId, says, look, repair, write, asked, shown } = await checked(t, 'github')
    says(['failed'])
    await look()
    says(['failed'], await repair('b.md'))
    await look()
    assert.deepEqual([(await shown())?.state, await asked()], ['left', 1])
    await write('Say less.')
    says(['failed'], await repair('c.md'))
    await look()
    assert.deepEqual([(await shown())?.state, await asked()], ['given', 3])
    assert.equal(
      (await postgres.db.selectFrom('forge_checks').selectAll().where('job_id', '=', jobId).execute()).length,
      3,
    )
  })

  test('the agent gets the data after the message, as a notice of the service', async (t) => {
    const { db, says, look } = await checked(t, 'github')
    says(['failed'])
    await look()
    const run = (await claimNext(db)) ?? assert.fail('a run waits')
    const taken = await writeAsRun(toLeased(db, run), (trx, current) => takeMessages(trx, current))
    const notices = taken.map(({ providerOptions }) => providerOptions?.['docent']?.['notice'])
    assert.deepEqual(notices.slice(-2), [undefined, 'checks'])
    assert.match(JSON.stringify(taken.at(-1)?.content), /page-two\.md does not exist/)
  })

  const never: readonly (readonly [name: string, arrange: (world: Checked) => unknown])[] = [
    [
      'the project ignores them',
      ({ db, projectId }) => sql`update projects set pull_request = '{}' where id = ${projectId}`.execute(db),
    ],
    ['a person pushed the head', ({ forge, says }) => says(['failed'], forge.push('docent/1', { 'p.md': 'p' }))],
    ['no run of the job made the head', ({ published }) => published('f'.repeat(40))],
    [
      'a run published it more than a week ago',
      ({ db, jobId }) =>
        sql`update runs set ended_at = ended_at - interval '169 hours' where job_id = ${jobId}`.execute(db),
    ],
    [
      'a comment waits to become a message',
      ({ db, remarks, number, jobId }) => {
        remarks.comment(number, { text: '/docent Wait.' })
        return sql`update forge_people set asked_at = now() where project_id = (select project_id from jobs where id = ${jobId})`.execute(
          db,
        )
      },
    ],
    [
      'the job is archived',
      ({ db, jobId }) =>
        sql`update jobs set status = 'archived', archived_at = now(), archived_by = 'person' where id = ${jobId}`.execute(
          db,
        ),
    ],
    [
      'the status is one of Docent',
      ({ says, remarks, head }) => {
        says([])
        remarks.verdict('status', head, { name: 'docent/ledger', state: 'failure' })
      },
    ],
  ]
  for (const [name, arrange] of never) {
    test(`nothing is given to the agent if ${name}`, async (t) => {
      const world = await checked(t, 'github')
      world.says(['failed'])
      await arrange(world)
      await world.poll()
      await world.pass(60)
      await world.poll()
      assert.equal(await world.shown(), null)
    })
  }

  test('the built-in model gets nothing, and the pull request says why', async (t) => {
    const { db, projectId, says, look, asked, shown, comments } = await checked(t, 'github')
    await db.updateTable('projects').set({ model: 'docent/rules' }).where('id', '=', projectId).execute()
    says(['failed'])
    await look()
    assert.deepEqual([await asked(), (await shown())?.state], [0, 'left'])
    assert.match((await comments()).join(), /needs a language model/)
  })

  test('a log that cannot be read is said, and three are read', async (t) => {
    const { jobId, forge, remarks, head, says, look, messages, shown } = await checked(t, 'github')
    says([])
    for (const name of ['a', 'b', 'c', 'd'])
      remarks.verdict('check', head, { name, state: 'failure', log: `log ${name}` })
    forge.fault = ({ url, route }) => {
      const isFirst = route.endsWith('/logs') && url.includes(String(remarks.verdicts.at(-1)?.id))
      return isFirst || route.endsWith('/annotations') ? { kind: 'answer', status: 403, body: '{}' } : undefined
    }
    await look()
    const data = JSON.stringify((await messages(jobId))[0]?.data)
    assert.match(data, /"name":"d","page":"[^"]*","log":"The forge does not show it\."/)
    assert.match(data, /"name":"a","page":"[^"]*","log":"Not read\."/)
    assert.deepEqual(
      (await shown())?.failed.map(({ name, hasLog }) => `${name} ${hasLog}`),
      ['d false', 'c true', 'b true', 'a false'],
    )
    assert.equal(forge.requests.filter(({ route }) => route.endsWith('/logs')).length, 3)
  })

  test('two processes give them once', async (t) => {
    const { poll, pass, db, jobId, says, asked } = await checked(t, 'github')
    says(['failed'])
    await pass(60)
    await poll()
    await db.updateTable('jobs').set({ status: 'completed', phase: null }).where('id', '=', jobId).execute()
    await pass(60)
    await Promise.all([poll(), poll()])
    assert.equal(await asked(), 1)
  })

  test('when the agent changes nothing, the comment says so without its words', async (t) => {
    const { says, look, finish, comments } = await checked(t, 'github')
    says(['failed'])
    await look()
    assert.deepEqual(await comments(), [])
    await finish({ kind: 'no_change', reason: 'The key ABC is wrong.' })
    await look()
    const said = (await comments()).join()
    assert.match(said, /Failed on [0-9a-f]{10}: `build`\. Docent changed nothing: the \[job\]/)
    assert.doesNotMatch(said, /ABC/)
  })
})
