// Jobs on Azure DevOps, where the facts of a pull request are in a comment.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commentsOf } from '../support/forge/azure/threads.ts'
import { connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import { edit, write } from '../support/scripted.ts'

let service: ForgeService<'one' | 'two'>
before(async () => {
  const options = { kind: 'azure', files: { 'docs/a.md': '# A\n\nOne.\n' } } as const
  service = await startWithForges([
    ['one', options],
    ['two', options],
  ])
})
after(() => service.close())

const threads = 'POST /:organization/:project/_apis/git/repositories/:repositoryId/pullRequests/:pullRequestId/threads'
const said = (title: string, summary: string) => ({ calls: [{ name: 'finish', input: { title, summary } }] })

async function connect(name: 'one' | 'two') {
  const forge = service.forges.get(name) ?? assert.fail()
  return { forge, ...(await connectForge(service, forge)) }
}

test('after a lost response there is one comment, and the next run edits it in place', async () => {
  const { forge, client } = await connect('one')
  forge.failOnce(threads, { kind: 'lose answer' })
  service.play(edit('docs/a.md', 'One.', 'Two.'), said('Say two', `It says two. ${'More words. '.repeat(500)}`))
  const job = await client.ended((await client.create('Say two')).id)
  assert.equal(job.status, 'completed', JSON.stringify(job.error))
  const [pull] = forge.pulls
  assert.ok(pull && forge.pulls.length === 1)
  assert.ok(pull.body.startsWith('It says two. More words.') && pull.body.length <= 4_000, pull.body)
  assert.match(pull.body, /Docent states more in a comment below\.\n\nDocent job `job_\w+`: /)
  const [comment] = commentsOf(pull)
  assert.match(
    comment?.content ?? '',
    /^<!-- docent:job=job_\w+ -->\n---\n\nDocent states [^]*\*\*Asked:\*\* `Say two`/,
  )
  assert.equal(comment?.status, 'closed')
  service.play(write('docs/b.md', '# B\n'), said('Say two, and B', 'It says two, and B.'))
  await client.ended((await client.message(job.id, 'Add B')).id)
  assert.equal(pull.title, 'Say two, and B')
  assert.ok(pull.body.startsWith('It says two, and B.\n\n'), pull.body)
  assert.equal(commentsOf(pull).length, 1)
  assert.match(commentsOf(pull)[0]?.content ?? '', /- `Say two`\n- `Add B`/)
})

test('texts and comments of people stay, and a deleted comment is written again', async () => {
  const { forge, client } = await connect('two')
  service.play(edit('docs/a.md', 'One.', 'Two.'), said('Say two', 'It says two.'))
  const job = await client.ended((await client.create('Say two')).id)
  const [pull] = forge.pulls
  assert.ok(pull)
  pull.title = 'Two, not one'
  pull.body = pull.body.replace('It says two.', 'As Grace asked.').replaceAll('\n', '\r\n')
  pull.reviewers.push('grace')
  const [facts] = commentsOf(pull)
  assert.ok(facts)
  facts.isDeleted = true
  const theirs = { id: 7, status: 'active', author: 'grace', content: 'Why two?', isDeleted: false }
  commentsOf(pull).push({ ...theirs })
  service.play(write('docs/b.md', '# B\n'), said('Say two, and B', 'It says two, and B.'))
  await client.ended((await client.message(job.id, 'Add B')).id)
  assert.equal(pull.title, 'Two, not one')
  assert.ok(pull.body.startsWith('As Grace asked.\n\n'), pull.body)
  assert.doesNotMatch(pull.body, /\ufffd|It says two/)
  assert.deepEqual(pull.reviewers, ['grace'])
  assert.deepEqual(commentsOf(pull)[1], theirs)
  assert.match(commentsOf(pull)[2]?.content ?? '', /- `Say two`\n- `Add B`/)
})

test('a text that a person saves while a run looks is not overwritten', async () => {
  const { forge, client } = await connect('one')
  service.play(edit('docs/a.md', 'One.', 'Three.'), said('Say three', 'It says three.'))
  const job = await client.ended((await client.create('Say three')).id)
  const pull = forge.pulls.at(-1) ?? assert.fail()
  const state = { hasPushed: false, looks: 0 }
  forge.fault = ({ route }) => {
    state.hasPushed ||= route === 'git receive-pack'
    // The facts are read after the text.
    if (state.hasPushed && route === threads.replace('POST', 'GET') && ++state.looks === 2) {
      pull.body = `Grace was here.\n\n${pull.body}`
      forge.fault = undefined
    }
    return undefined
  }
  service.play(write('docs/c.md', '# C\n'), said('Say three, and C', 'It says three, and C.'))
  assert.equal((await client.ended((await client.message(job.id, 'Add C')).id)).status, 'completed')
  assert.equal(forge.fault, undefined)
  assert.ok(pull.body.startsWith('Grace was here.\n\n'), pull.body)
})
