// A user sets up a webhook for a forge on the command line. What the forge then delivers to the running service starts a run, and
// becomes a message, within seconds: a poll would come after a minute.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ShownAutomation } from '../../src/http/resources/automations/schemas.ts'
import type { ShownForgeWebhook } from '../../src/http/resources/forge-webhooks/contract.ts'
import { runCommand } from '../support/command.ts'
import { connectForge, type Connected, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import { bodyOf, type Event, proofOf } from '../support/forge/delivery.ts'
import { finish, write } from '../support/scripted.ts'

let service: ForgeService<'gitlab'>
let connected: Connected
before(async () => {
  service = await startWithForges([['gitlab', { kind: 'gitlab' }]])
  const forge = service.forges.get('gitlab')
  assert.ok(forge)
  connected = await connectForge(service, forge)
})
after(() => service.close())

async function docent(...args: readonly string[]): Promise<string> {
  const given = ['forge', 'webhook', ...args, '--project', connected.client.projectId]
  const ran = await runCommand(given, service.running.environment)
  assert.deepEqual([ran.code, ran.stderr], [0, ''], ran.stdout)
  return ran.stdout
}

async function send(url: string, secret: string, kind: Event['kind']): Promise<number> {
  const body = bodyOf('gitlab', { kind, path: 'acme/docs' })
  const headers = { 'Content-Type': 'application/json', ...proofOf('gitlab', secret, body) }
  const address = `${service.running.addresses[0]}${new URL(url).pathname}`
  return (await fetch(address, { method: 'POST', headers, body })).status
}

/** Returns after how many seconds it was so. A busy machine is slow, and a poll is later. */
async function secondsUntil(isSo: () => Promise<boolean>): Promise<number> {
  const began = Date.now()
  while (!(await isSo())) {
    assert.ok(Date.now() - began < 40_000, 'it did not happen before the next poll')
    await delay(100)
  }
  return (Date.now() - began) / 1_000
}

test('a push starts a run and a comment becomes a message, both at once', async (t) => {
  const forge = service.forges.get('gitlab')
  assert.ok(forge)
  const { client, send: ask } = connected
  assert.equal(await docent('list'), 'ID  FORGE  LAST DELIVERY  REFUSED  ADDRESS\n')
  const made = JSON.parse(await docent('create', 'gitlab', '--json')) as ShownForgeWebhook
  const { url, secret } = made
  assert.ok(secret)
  service.play(write('docs/new.md', '# New\n'), finish)
  const { id: jobId } = await client.create('Add a page.')
  assert.equal((await client.ended(jobId)).outcome, 'pull_request')
  service.play()
  const number = forge.pulls.at(-1)?.number ?? 0
  const body = { name: 'Follow', trigger: { type: 'docs' }, instructions: 'Look at it.' }
  const { id } = (await ask('POST', '/automations', body)) as ShownAutomation
  const position = async () => ((await ask('GET', `/automations/${id}`)) as ShownAutomation).position
  await secondsUntil(async () => typeof (await position())?.commit === 'string')

  forge.remote.commit('main', { 'other.md': '# Other\n' }, 'docs: other')
  assert.equal(await send(url, `${secret}x`, 'push'), 401)
  assert.equal(await send(url, secret, 'push'), 202)
  const runs = async () => ((await ask('GET', `/automations/${id}/runs`)) as { runs: readonly unknown[] }).runs.length
  t.diagnostic(`the run started after ${await secondsUntil(async () => (await runs()) === 1)} s`)
  forge.advance(1_000)
  forge.remarks.comment(number, { text: '/docent Say less.' })
  assert.equal(await send(url, secret, 'comment'), 202)
  const isMessage = async () => (await client.messages(jobId)).some(({ prompt }) => prompt === 'Say less.')
  t.diagnostic(`the comment was a message after ${await secondsUntil(isMessage)} s`)
  assert.match(
    await docent('list'),
    new RegExp(`^${made.id} +gitlab +20\\S+ \\S+Z +1, last 20\\S+ \\S+Z +${url}$`, 'm'),
  )

  const rotated = await docent('secret', made.id)
  const [, next = ''] = /^secret +(whsec_\S+)$/m.exec(rotated) ?? []
  assert.deepEqual([await send(url, secret, 'push'), await send(url, next, 'push')], [401, 202])
  assert.match(await docent('delete', made.id), /Delete it at the forge, too\.\n$/)
  assert.equal(await send(url, next, 'push'), 404)
})
