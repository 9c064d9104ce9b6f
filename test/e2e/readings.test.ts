// Data that the service reads for a run before its model is asked: a run that has nothing to do without them ends without the model.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { nothing, type ScriptedService, startScriptedService } from '../support/scripted.ts'

let service: ScriptedService
before(async () => (service = await startScriptedService()))
after(() => service.close())

async function turnOn(body: object): Promise<string> {
  const { running, client } = service
  const operator = openSocketApi(parseConfig(running.environment))
  const { body: made } = await operator.send('POST', `/v1/projects/${client.projectId}/automations`, body)
  return (JSON.parse(made) as { readonly id: string }).id
}

async function run(id: string) {
  const { client } = service
  const path = `/v1/projects/${client.projectId}/automations/${id}/run`
  return await client.ended((await client.call<AutomationRun>('POST', path)).jobId ?? '')
}

test('a run without failing pages ends without a model, and its job takes messages', async () => {
  const { client, model, running } = service
  const operator = openSocketApi(parseConfig(running.environment))
  const sites = `/v1/projects/${client.projectId}/sites`
  await operator.send('POST', sites, { name: 'Docs', origins: ['https://docs.acme.test'] })
  const id = await turnOn({ kind: 'failing-pages' })
  const before = model.requests.length
  const job = await run(id)
  assert.equal(model.requests.length, before)
  assert.deepEqual([job.outcome, job.usage.turns, job.error], ['no_changes', 0, null])
  assert.equal(
    job.result?.text,
    'No page that the site does not have was asked for by at least 5 visitors on 3 days in the last 28 days.',
  )
  service.play(nothing)
  const again = await client.ended((await client.message(job.id, 'Look again.')).id)
  assert.deepEqual([again.outcome, again.usage.turns], ['no_changes', 1])
})

test('a run that can do without its data asks the model', async () => {
  const id = await turnOn({ kind: 'maintain' })
  service.play(nothing)
  const job = await run(id)
  assert.deepEqual([job.outcome, job.usage.turns], ['no_changes', 1])
})
