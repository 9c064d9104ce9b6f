// The process is killed between two turns of a run, with each provider: the next one sends what the provider needs to
// go on (ids, reasoning and its signature) from what is stored, and asks for nothing twice.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import { startWireServer, type WireServer } from '../support/wire.ts'
import { say, type WireProvider } from '../support/wire-answers.ts'
import { type Arranged, arrange } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'

const models = { anthropic: 'claude-opus-5', openai: 'gpt-5.4', google: 'gemini-3.5-flash', compatible: 'm' } as const
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA=='
const write = { id: 'call_1', name: 'write_file', input: { path: 'a.md', content: 'x\n' } }
const finish = { id: 'call_2', name: 'finish', input: { title: 'A title', summary: 'A summary.' } }
/** claimed, prepared, turn opened, model answered, answer stored, tools ran, results stored. */
const betweenTurns = 7

let server: WireServer
let arranged: Arranged
let cluster: Cluster

before(async () => {
  server = await startWireServer()
  const settings = (Object.keys(models) as WireProvider[]).flatMap((provider) => [
    [`DOCENT_${provider.toUpperCase()}_API_KEY`, 'key'],
    [`DOCENT_${provider.toUpperCase()}_BASE_URL`, server.url],
  ])
  arranged = await arrange(Object.fromEntries(settings) as Record<string, string>)
  cluster = await startCluster(arranged.environment)
})
after(async () => {
  await cluster.close()
  await arranged.close()
  await server.close()
})

for (const [name, model] of Object.entries(models)) {
  const provider = name as WireProvider
  test(`${provider}: killed between two turns, the run continues`, async () => {
    const client = arranged.connectTo(cluster.addresses)
    const operator = openSocketApi(parseConfig(cluster.environment))
    await operator.send('PATCH', `/v1/projects/${client.projectId}`, { model: `${provider}/${model}` })
    const before = server.requests.length
    server.play(
      { events: say(provider, { text: 'I begin.', calls: [write], signature }) },
      { events: say(provider, { calls: [finish] }) },
    )
    await cluster.arm(betweenTurns)
    const job = await client.create('write a page')
    assert.equal(await cluster.stopped(), 'results stored')
    await cluster.replace()
    const ended = await arranged.connectTo(cluster.addresses).ended(job.id)
    assert.deepEqual([ended.status, ended.usage.turns], ['completed', 2], JSON.stringify(ended.error))
    assert.equal(server.requests.length - before, 2)
    const sent = JSON.stringify(server.requests.at(-1)?.body)
    assert.ok(sent.includes(signature) && sent.includes('I begin.'), sent)
  })
}
