// The process is killed between two turns of a run, with each provider: the next one sends what the provider needs to
// continue (ids, reasoning and its signature) from what is stored, and asks for nothing twice.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSocketApi } from '../../src/cli/api/api.ts'
import { parseConfig } from '../../src/config/config.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { connect, createClient } from '../support/service.ts'
import { startWireServer, type WireServer } from '../support/wire.ts'
import { say, type WireProvider } from '../support/wire-answers.ts'
import { type Arranged, arrange } from './arrange.ts'
import { type Cluster, startCluster } from './cluster.ts'

const models = { anthropic: 'claude-opus-5', openai: 'gpt-5.4', google: 'gemini-3.5-flash', compatible: 'm' } as const
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA=='
const write = { id: 'call_1', name: 'write_file', input: { path: 'a.md', content: 'x\n' } }
const finish = { id: 'call_2', name: 'finish', input: { title: 'A title', summary: 'A summary.' } }
/** claimed, prepared, turn opened, model responded, response stored, tools ran, results stored. */
const betweenTurns = 7

const servers = new Map<WireProvider, WireServer>()
let arranged: Arranged
let cluster: Cluster

before(async () => {
  const settings: Record<string, string> = {}
  for (const provider of Object.keys(models) as WireProvider[]) {
    const server = await startWireServer()
    servers.set(provider, server)
    settings[`DOCENT_${provider.toUpperCase()}_API_KEY`] = 'key'
    settings[`DOCENT_${provider.toUpperCase()}_BASE_URL`] = server.url
  }
  arranged = await arrange(settings)
  cluster = await startCluster(arranged.environment)
})
after(async () => {
  await cluster.close()
  await arranged.close()
  for (const server of servers.values()) await server.close()
})

/** A job of a project with this provider, whose run waits between two turns; gives the end of the job. */
async function standBetweenTurns(provider: WireProvider, server: WireServer): Promise<() => Promise<JobResponse>> {
  const client = await createClient(cluster.environment, cluster.addresses, arranged.repository)
  const { projectId, key } = client
  const operator = openSocketApi(parseConfig(cluster.environment))
  await operator.send('PATCH', `/v1/projects/${projectId}`, { model: `${provider}/${models[provider]}` })
  server.play(
    { events: say(provider, { text: 'I begin.', calls: [write], signature }) },
    { events: say(provider, { calls: [finish] }) },
  )
  const { id } = await client.create('write a page')
  assert.equal((await cluster.stopped()).point, 'results stored')
  return () => connect({ addresses: cluster.addresses, projectId, key, send: fetch }).ended(id)
}

test('killed between two turns, a run of each provider continues', async (t) => {
  await cluster.arm(betweenTurns)
  const endings = new Map<WireProvider, () => Promise<JobResponse>>()
  for (const [provider, server] of servers) endings.set(provider, await standBetweenTurns(provider, server))
  await cluster.replace()
  for (const [provider, end] of endings) {
    await t.test(provider, async () => {
      const requests = servers.get(provider)?.requests ?? []
      const ended = await end()
      assert.deepEqual([ended.status, ended.usage.turns], ['completed', 2], JSON.stringify(ended.error))
      assert.equal(requests.length, 2)
      const sent = JSON.stringify(requests.at(-1)?.body)
      assert.ok(sent.includes(signature) && sent.includes('I begin.'), sent)
    })
  }
})
