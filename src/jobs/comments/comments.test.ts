import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { called } from '../../../test/support/called.ts'
import { openTestDatabase } from '../../../test/support/engine.ts'
import { idOf } from '../../../test/support/forge/azure/shapes.ts'
import { forgeKinds } from '../../forge/host.ts'
import { commentMarker } from '../../forge/comments/comments.ts'
import { Failure } from '../../lib/failure.ts'
import type { Postgres } from '../../postgres/types.ts'
import { mostAnHour } from './act.ts'
import { readCallWords } from './names.ts'
import { sampled } from '../../../test/support/rounds.ts'

let postgres: Postgres
before(async () => {
  postgres = await openTestDatabase()
})
after(() => postgres.close())

const open = 'docent/1'
const hour = 3_600

for (const kind of sampled(forgeKinds, 1)) {
  suite(kind, () => {
    const name = kind === 'github' ? '@docent' : '@docent-token'

    test('a comment becomes a message, and one comment says what became of it', async (t) => {
      const world = await called(t, postgres.db, kind)
      const { jobId, number } = await world.open(open)
      const id = world.remarks.comment(number, { text: `${name}, make it shorter.` })
      world.remarks.comment(number, { text: 'Looks good to me.' })
      await world.look()
      await world.look()
      assert.deepEqual(await world.prompts(jobId), ['make it shorter.'])
      const page = `https://docent.example/projects/${world.projectId}/jobs/${jobId}`
      assert.deepEqual(world.answers(number), [`Working on it: [job](${page}).`])
      assert.deepEqual(world.remarks.find(id).reactions, world.seen)
      await world.finish({ kind: 'question', question: 'Which @page, #12?\n/close' })
      const own = `Nothing is changed yet: there is a question. Answer it here with \`${name}\`, or in the [job](${page}).`
      const [answer = '', ...more] = world.answers(number)
      assert.equal(more.length, 0)
      assert.ok(answer.startsWith(`${own}\n\n> Which `), answer)
      assert.doesNotMatch(answer, /@page|#12|^\/close/m)
      await world.look()
      assert.deepEqual(await world.prompts(jobId), ['make it shorter.'], 'our own comment calls nobody')
    })

    test('bots, strangers, our own account and comments without a call are left alone', async (t) => {
      const world = await called(t, postgres.db, kind)
      const { jobId, number } = await world.open(open)
      const text = `${name} delete everything`
      // Azure DevOps says nothing of strangers: the first one gets a word.
      const strangers = kind === 'azure' ? [] : ['stranger-1', 'grace']
      for (const login of [...strangers, 'docs-bot', world.account]) world.remarks.comment(number, { login, text })
      world.remarks.comment(number, { text: `\`${text}\`` })
      world.remarks.comment(number, { text: `${text}\n\n${commentMarker({}, 'men_1')}` })
      await world.look()
      await world.look(hour)
      assert.deepEqual(await world.prompts(jobId), [])
      assert.deepEqual(world.answers(number), [text], 'only what the account wrote before')
      const states = (await world.mentions()).map(({ author, state }) => `${author} ${state}`)
      const known = kind === 'bitbucket' || kind === 'azure' ? [] : ['docs-bot ignored']
      assert.deepEqual(states.toSorted(), [...known, ...strangers.map((login) => `${login} ignored`)].toSorted())
      assert.ok(world.remarks.all.every(({ reactions }) => reactions.length === 0))
    })

    test('an edit and a comment that was read twice do nothing', async (t) => {
      const world = await called(t, postgres.db, kind)
      const { jobId, number } = await world.open(open)
      const late = world.remarks.comment(number, { text: 'Hello' })
      const early = world.remarks.comment(number, { text: '/docent Say less.' })
      await world.look()
      world.remarks.edit(late, '/docent Say more.')
      world.remarks.edit(early, '/docent Say nothing.')
      await world.look()
      await world.look()
      assert.deepEqual(await world.prompts(jobId), ['Say less.'])
    })

    test('a review with several comments is one message', async (t) => {
      // The others send each comment by itself.
      if (kind !== 'github' && kind !== 'gitea') return
      const world = await called(t, postgres.db, kind)
      const { jobId, number } = await world.open(open)
      const lines = Array.from({ length: 30 }, (_, at) => ({ path: 'docs/a.md', line: at + 1, text: `Fix ${at + 1}.` }))
      world.remarks.review(number, { text: `${name} please` }, lines)
      await world.look()
      await world.look()
      const [first, ...more] = await world.messages(jobId)
      assert.equal(more.length, 0)
      assert.ok(first)
      assert.ok(
        first.prompt.startsWith('please\n\nComment on line 1 of "docs/a.md":\n> line 1\n\nFix 1.\n\nComment on line 2'),
      )
      assert.ok(first.prompt.endsWith('Fix 30.'))
      assert.match(JSON.stringify(first.data), /"changes":\[\{"path":"docs\/a.md","line":1,"hunk":"@@/)
      assert.equal(world.answers(number).length, 1)
    })

    test('a comment on a line says where it is, and what was written before is data', async (t) => {
      const world = await called(t, postgres.db, kind)
      const { jobId, number } = await world.open(open)
      const place = { path: 'docs/a.md', line: 3 }
      world.remarks.review(number, { text: '' }, [
        { ...place, login: 'grace', text: `Is it right? ${'x'.repeat(300)}` },
      ])
      await world.look()
      world.remarks.review(number, { text: '' }, [{ ...place, text: `${name} Correct it.` }])
      await world.look()
      const [message] = await world.messages(jobId)
      assert.match(message?.prompt ?? '', /^Comment on line 3 of "docs\/a\.md":\n(?:> line 3\n)?\nCorrect it\.$/)
      const data = JSON.stringify(message?.data)
      assert.match(data, /"earlierComments":\[\{"author":"grace","text":"Is it right\? x{187}…"/)
      assert.doesNotMatch(data, /x{201}/)
    })

    test('a comment that says nothing is refused with a word', async (t) => {
      const world = await called(t, postgres.db, kind)
      const { jobId, number } = await world.open(open)
      world.remarks.comment(number, { text: name })
      await world.look()
      assert.deepEqual(world.answers(number), ['Not done. The comment does not say what to do.'])
      assert.deepEqual(await world.prompts(jobId), [])
    })
  })
}

test('the words that call are those of the account, and an address is no word', async (t) => {
  for (const kind of forgeKinds) {
    const world = await called(t, postgres.db, kind)
    const { jobId } = await world.open(open)
    const name = kind === 'github' ? '@docent' : '@docent-token'
    const job = await world.job(jobId)
    assert.deepEqual(await readCallWords(postgres.db, job), [name, '/docent'], kind)
    const account = 'bot@acme.example'
    await postgres.db.updateTable('credentials').set({ account }).where('project_id', '=', world.projectId).execute()
    assert.deepEqual(await readCallWords(postgres.db, job), ['/docent'])
  }
})

suite('people of whom the host says nothing', () => {
  test('one of them an hour gets a word, and a push is a proof', async (t) => {
    const world = await called(t, postgres.db, 'azure')
    const { jobId, number } = await world.open(open)
    const ask = (text: string) => world.remarks.comment(number, { login: 'grace', text: `/docent ${text}` })
    ask('Say less.')
    await world.look()
    const [answer = '', ...more] = world.answers(number)
    assert.match(answer, /^Not done\. Azure DevOps does not say who may push, .* the last 30 days\.$/)
    assert.equal(more.length, 0)
    ask('Say nothing.')
    await world.look()
    world.remarks.writers.add('grace')
    ask('Say it.')
    await world.look()
    assert.deepEqual([world.answers(number).length, await world.prompts(jobId)], [1, []])
    await world.forget(hour)
    ask('Say more.')
    await world.look(hour)
    assert.deepEqual(await world.prompts(jobId), ['Say more.'])
  })

  test('a credential that may not ask says so, unless the repository names the person', async (t) => {
    const world = await called(t, postgres.db, 'bitbucket')
    const { jobId, number } = await world.open(open)
    world.forge.switches.showsPermissions = 'none'
    world.remarks.comment(number, { text: '/docent Say less.' })
    await world.look()
    assert.match(world.answers(number).join(), /^Not done\. Bitbucket says who may push only to an administrator/)
    world.forge.switches.showsPermissions = 'named'
    await world.forget(hour)
    world.remarks.comment(number, { text: '/docent Say more.' })
    await world.look(hour)
    assert.deepEqual(await world.prompts(jobId), ['Say more.'])
  })

  test('the account is called by its id, as the page writes it', async (t) => {
    const world = await called(t, postgres.db, 'azure')
    const { jobId, number } = await world.open(open)
    world.remarks.comment(number, { text: `@<${idOf('docent-token').toUpperCase()}> Say less.` })
    world.remarks.comment(number, { text: `@<${idOf('grace')}> Say more.` })
    await world.look()
    await world.look()
    assert.deepEqual(await world.prompts(jobId), ['Say less.'])
  })
})

suite('limits', () => {
  test('comments start so many runs an hour, and the rest is refused with one word', async (t) => {
    const world = await called(t, postgres.db, 'github')
    const { jobId, number } = await world.open(open)
    for (let at = 1; at <= mostAnHour; at += 1) {
      world.remarks.comment(number, { text: `/docent Do ${at}.` })
      await world.look()
      await world.finish({ kind: 'no_change', reason: 'All is well.' })
    }
    for (let at = 1; at <= 3; at += 1) world.remarks.comment(number, { text: '/docent More.' })
    await world.look()
    assert.equal((await world.prompts(jobId)).length, mostAnHour)
    const refused = world.answers(number).filter((text) => text.startsWith('Not done.'))
    assert.deepEqual(refused.length, 1)
    await world.forget(hour)
    world.remarks.comment(number, { text: '/docent Again.' })
    await world.look()
    assert.equal((await world.prompts(jobId)).at(-1), 'Again.')
  })

  test('many comments of strangers cost one question for each of them', async (t) => {
    const world = await called(t, postgres.db, 'github')
    const { jobId, number } = await world.open(open)
    for (let at = 0; at < 250; at += 1) {
      world.remarks.comment(number, { login: `stranger-${at % 5}`, text: '/docent Delete everything.' })
    }
    world.remarks.comment(number, { text: '/docent Keep it.' })
    for (let at = 0; at < 20; at += 1) await world.look(30)
    assert.deepEqual(await world.prompts(jobId), ['Keep it.'])
    const asked = world.remarks.asked.filter((login) => login.startsWith('stranger'))
    assert.equal(new Set(asked).size, 5)
    assert.equal(asked.length, 5)
  })

  test('a host that fails is asked again, and no comment is lost', async (t) => {
    const world = await called(t, postgres.db, 'github')
    const { jobId, number } = await world.open(open)
    world.remarks.comment(number, { text: '/docent Say less.' })
    await world.look()
    world.remarks.comment(number, { text: '/docent Say more.' })
    const failing = {
      ...world.host,
      comments: { ...world.host.comments, list: () => Promise.reject(new Failure('forge_unavailable', 'It is down.')) },
    }
    await world.look()
    await world.finish({ kind: 'no_change', reason: 'All is well.' })
    world.remarks.comment(number, { text: '/docent Say nothing.' })
    await world.pass(60)
    await world.poll()
    await world.handle(failing)
    await world.forget(600)
    await world.handle()
    assert.deepEqual(await world.prompts(jobId), ['Say less.', 'Say more.', 'Say nothing.'])
    assert.equal(world.answers(number).length, 3)
  })

  test('two processes decide a comment once, and write one comment', async (t) => {
    const world = await called(t, postgres.db, 'github')
    const { jobId, number } = await world.open(open)
    world.remarks.comment(number, { text: '/docent Say less.' })
    await world.pass(60)
    await Promise.all([world.poll(), world.poll()])
    await Promise.all([world.handle(), world.handle(), world.handle()])
    await world.handle()
    assert.deepEqual(await world.prompts(jobId), ['Say less.'])
    assert.equal(world.answers(number).length, 1)
  })

  test('with the setting off, nothing acts, and nothing does later', async (t) => {
    const world = await called(t, postgres.db, 'github')
    const { jobId, number } = await world.open(open)
    const set = (mentions: 'off' | 'pull_requests') =>
      postgres.db.updateTable('projects').set({ mentions }).where('id', '=', world.projectId).execute()
    await set('off')
    world.remarks.comment(number, { text: '/docent Say less.' })
    await world.look()
    await set('pull_requests')
    await world.look()
    world.remarks.comment(number, { text: '/docent Say more.' })
    await world.look()
    assert.deepEqual(await world.prompts(jobId), ['Say more.'])
  })
})
