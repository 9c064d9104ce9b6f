// Jobs on Bitbucket, whose texts have no place for what the service has to remember of them: its database has it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connectForge } from '../support/forge/connected-service.ts'
import { startForge, type TestForge } from '../support/forge/forge.ts'
import type { Cleanup } from '../support/git-remote.ts'
import { edit, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'

const closing: Parameters<Cleanup['after']>[0][] = []
const forges: TestForge[] = []
let service: ScriptedService
before(async () => {
  const cleanup: Cleanup = { after: (close) => void closing.push(close) }
  for (let at = 0; at < 2; at += 1)
    forges.push(await startForge(cleanup, { kind: 'bitbucket', files: { 'docs/a.md': '# A\n\nOne.\n' } }))
  service = await startScriptedService({}, { DOCENT_PRIVATE_REPOSITORY_HOSTS: forges.map(({ host }) => host).join() })
})
after(async () => {
  await service.close()
  for (const close of closing) await (close as () => unknown)()
})

const route = 'POST /repositories/:workspace/:repo_slug/pullrequests'
const said = (title: string, summary: string) => ({ calls: [{ name: 'finish', input: { title, summary } }] })

async function connect() {
  const forge = forges.pop() ?? assert.fail()
  return { forge, ...(await connectForge(service, forge)) }
}

test('after a lost response one pull request is there, and the next run replaces it', async () => {
  const { forge, client } = await connect()
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
  const { forge, client } = await connect()
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
