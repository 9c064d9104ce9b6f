// Jobs on Bitbucket, whose texts have no place for what the service has to remember of them: its database has it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import { edit, write } from '../support/scripted.ts'

let service: ForgeService<'one' | 'two'>
before(async () => {
  const options = { kind: 'bitbucket', files: { 'docs/a.md': '# A\n\nOne.\n' } } as const
  service = await startWithForges([
    ['one', options],
    ['two', options],
  ])
})
after(() => service.close())

const route = 'POST /repositories/:workspace/:repo_slug/pullrequests'
const said = (title: string, summary: string) => ({ calls: [{ name: 'finish', input: { title, summary } }] })

async function connect(name: 'one' | 'two') {
  const forge = service.forges.get(name) ?? assert.fail()
  return { forge, ...(await connectForge(service, forge)) }
}

test('after a lost response one pull request is there, and the next run replaces it', async () => {
  const { forge, client } = await connect('one')
  forge.failOnce(route, { kind: 'lose answer' })
  service.play(edit('docs/a.md', 'One.', 'Two.'), said('Say two', 'It says two.'))
  const job = await client.ended((await client.create('Say two')).id)
  assert.equal(job.status, 'completed', JSON.stringify(job.error))
  const [pull] = forge.pulls
  assert.ok(pull && forge.pulls.length === 1)
  assert.ok(pull.body.startsWith('It says two.\n\n'), pull.body)
  assert.doesNotMatch(pull.body, /<[!/a-z]|&#/i)
  service.play(write('docs/b.md', '# B\n'), said('Say two, and B', 'It says two, and B.'))
  await client.ended((await client.message(job.id, 'Add B')).id)
  assert.equal(pull.title, 'Say two, and B')
  assert.ok(pull.body.startsWith('It says two, and B.\n\n'), pull.body)
  assert.equal(pull.body.split("Docent's facts begin here.").length, 2)
})

test('a title and a text that a person wrote stay, and only the facts are replaced', async () => {
  const { forge, client } = await connect('two')
  service.play(edit('docs/a.md', 'One.', 'Two.'), said('Say two', 'It says two.'))
  const job = await client.ended((await client.create('Say two')).id)
  const [pull] = forge.pulls
  assert.ok(pull)
  pull.title = 'Two, not one'
  pull.body = pull.body.replace('It says two.', 'As Grace asked.').replaceAll('\n', '\r\n')
  pull.reviewers.push('grace')
  service.play(write('docs/b.md', '# B\n'), said('Say two, and B', 'It says two, and B.'))
  await client.ended((await client.message(job.id, 'Add B')).id)
  assert.equal(pull.title, 'Two, not one')
  assert.ok(pull.body.startsWith('As Grace asked.\n\n'), pull.body)
  assert.match(pull.body, /- `Say two`\n- `Add B`/)
  assert.doesNotMatch(pull.body, /\ufffd|It says two/)
  assert.deepEqual(pull.reviewers, ['grace'])
})

test('a text that a person saves while a run looks is not overwritten', async () => {
  const { forge, client } = await connect('one')
  service.play(edit('docs/a.md', 'One.', 'Three.'), said('Say three', 'It says three.'))
  const job = await client.ended((await client.create('Say three')).id)
  const pull = forge.pulls.at(-1) ?? assert.fail()
  const state = { hasListed: false }
  forge.fault = ({ route }) => {
    if (route === 'GET /repositories/:workspace/:repo_slug/pullrequests') state.hasListed = true
    // The look is over, and the edit has not begun.
    if (state.hasListed && route.endsWith('/commit/:commit')) {
      pull.body = `Grace was here.\n\n${pull.body}`
      forge.fault = undefined
    }
    return undefined
  }
  service.play(write('docs/c.md', '# C\n'), said('Say three, and C', 'It says three, and C.'))
  assert.equal((await client.ended((await client.message(job.id, 'Add C')).id)).status, 'completed')
  assert.equal(forge.fault, undefined)
  assert.ok(pull.body.startsWith('Grace was here.\n\n'), pull.body)
  assert.match(pull.body, /- `Add C`/)
})

test('the draft of a proof has the lines of the facts once', async () => {
  const { forge, send } = await connect('two')
  await send('POST', '/credential/check', { write: true })
  const draft = forge.pulls.at(-1)
  assert.equal(draft?.title, 'Check that Docent can open pull requests')
  assert.equal(draft.body.split("Docent's facts begin here.").length, 2, draft.body)
})
