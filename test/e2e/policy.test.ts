// The path policy of a project: told to the agent, and kept whatever the agent does.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { branches } from '../support/repository.ts'
import { edit, finish, type ScriptedService, startScriptedService, write } from '../support/scripted.ts'

let service: ScriptedService
before(async () => {
  service = await startScriptedService()
  const operator = openSocketApi(parseConfig(service.running.environment))
  const change = { pathPolicy: { allow: ['*.md'], deny: ['guides/'] } }
  await operator.send('PATCH', `/v1/projects/${service.client.projectId}`, change)
})
after(() => service.close())

test('the agent knows the policy and can finish after undoing refused changes', async () => {
  const { client, play, model } = service
  const undo = edit('guides/a.md', 'Uno.', 'One.')
  play(edit('index.md', 'Welcome', 'Hello'), edit('guides/a.md', 'One.', 'Uno.'), finish, undo, finish)
  const job = await client.ended((await client.create('Say hello')).id)
  assert.equal(job.error, null)
  assert.equal(job.outcome, 'pull_request')
  assert.equal(job.usage.turns, 5)
  const diff = await client.diff(job.id)
  assert.match(diff, /Hello/)
  assert.doesNotMatch(diff, /guides/)
  const told = JSON.stringify(model.requests)
  assert.match(
    told,
    /Change only what fits one of these globs: \*\.md \. Never change what fits one of these: guides\//,
  )
  assert.match(told, /Not finished: the path policy of the project does not allow changes to guides\/a\.md; make these/)
})

test('an agent that insists fails the job, and nothing is published', async () => {
  const { client, play, repository } = service
  const before = await branches(repository)
  play(write('script.sh', 'rm -rf /\n'), finish, finish, finish, finish, finish)
  const job = await client.ended((await client.create('Add a script')).id)
  assert.equal(job.status, 'failed')
  assert.equal(job.error?.code, 'policy_refused')
  assert.match(job.error?.message ?? '', /script\.sh/)
  assert.equal(job.prLink, null)
  assert.deepEqual(await branches(repository), before)
  assert.match(await client.diff(job.id), /script\.sh/, 'what was edited stays visible')
})
