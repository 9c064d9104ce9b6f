// `docent webhook`, and what `docent doctor` says of a webhook that was disabled.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Delivery } from '../../src/notifications/webhooks/deliveries.ts'
import { runCommand } from '../support/command.ts'
import type { Cleanup } from '../support/git-remote.ts'
import { type ScriptedService, startScriptedService } from '../support/scripted.ts'
import { type HttpServer, serveHttp } from '../support/scripted-http.ts'

let t: ScriptedService
let receiver: HttpServer
let status = 200
const cleanups: (() => void)[] = []

before(async () => {
  const cleanup: Cleanup = { after: (work) => void cleanups.push(work as () => void) }
  receiver = await serveHttp(cleanup, () => ({ status, body: 'thanks' }))
  t = await startScriptedService({}, { DOCENT_PRIVATE_REPOSITORY_HOSTS: receiver.host })
})
after(async () => {
  await t.close()
  for (const cleanup of cleanups) cleanup()
})

async function docent(...args: readonly string[]): Promise<string> {
  const ran = await runCommand(['webhook', ...args], t.running.environment)
  assert.deepEqual([ran.code, ran.stderr], [0, ''], ran.stdout)
  return ran.stdout
}

async function untilSent(status: Delivery['status'], count: number): Promise<readonly Delivery[]> {
  for (const until = Date.now() + 20_000; Date.now() < until; await delay(20)) {
    const printed = await docent('deliveries', receiver.url + '/', '--status', status, '--json')
    const { deliveries } = JSON.parse(printed) as { readonly deliveries: readonly Delivery[] }
    // One that was not attempted yet waits, too.
    const attempted = deliveries.filter(({ attempts }) => attempts > 0)
    if (attempted.length === count) return attempted
  }
  throw new Error(await docent('deliveries', receiver.url + '/'))
}

async function runJob(): Promise<void> {
  t.play()
  const { id } = await t.client.create('Look around.')
  await t.client.ended(id)
}

test('a webhook is created, used, changed and deleted by its id or its address', async () => {
  assert.equal(await docent('list'), 'ID  ADDRESS  FORMAT  STATE  LAST DELIVERED\n')
  const made = await docent('create', receiver.url, '--event', 'job.completed', 'job.failed')
  const [, id = ''] = /^id +(whk_\w{20})$/m.exec(made) ?? []
  assert.match(made, /^events +job\.completed, job\.failed$/m)
  assert.match(made, /^Secret: whsec_\S+\nStore it now/m)
  await runJob()
  const [sent] = await untilSent('delivered', 1)
  assert.match(await docent('list'), new RegExp(`^${id} +${receiver.url}/ +standard +on +20`, 'm'))
  assert.match(await docent('deliveries', id), /^dlv_\w+ +20\S+ \S+Z +job\.completed +delivered +200 +1$/m)
  assert.doesNotMatch(await docent('show', id), /whsec_/)
  assert.match(await docent('redeliver', id, sent?.id ?? ''), /^job\.completed is sent again: webhook-id evt_/)
  while (receiver.requests.length < 2) await delay(20)
  const [first, second] = receiver.requests
  assert.deepEqual(second?.body, first?.body)
  assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
  const [, secret] = /^Secret: (whsec_\S+)$/m.exec(made) ?? []
  assert.ok(!(await docent('secret', id)).includes(secret ?? ''))
  assert.match(await docent('update', id, '--disable', '--event', 'job.failed'), /^events +job\.failed$/m)
  assert.match(await docent('list'), / off +20/)
  assert.match(await docent('update', id, '--enable', '--event', 'job.completed'), /^enabled +true$/m)
  assert.match(await docent('test', `${receiver.url}/`), /^It arrived: 200 in \d+ ms\.$/m)
  const tested = receiver.requests.at(-1) ?? assert.fail('it was sent')
  const { type, data } = tested.body as Record<string, unknown>
  assert.deepEqual([type, data], ['webhook.test', { webhook: { id } }])
  status = 500
  const failed = await runCommand(['webhook', 'test', id], t.running.environment)
  assert.deepEqual([failed.code, failed.stderr], [1, 'docent: The test event did not arrive: it responded with 500.\n'])
  status = 200
  assert.match(await docent('deliveries', id, '--status', 'failed'), / webhook\.test +failed +500 +1 /)
  assert.match(await docent('list'), / standard +on +20/)
  const metrics = await (await fetch(`${t.running.addresses[0]}/metrics`)).text()
  assert.match(metrics, /^docent_deliveries_total\{channel="webhook",outcome="delivered"\} 3$/m)
  assert.match(metrics, /^docent_deliveries_total\{channel="webhook",outcome="failed"\} 1$/m)
  assert.match(metrics, /^docent_deliveries_waiting 0$/m)
  assert.match(metrics, /^docent_webhooks_disabled 0$/m)
})

test('doctor and the list say what fails, and why a webhook was disabled', async () => {
  status = 500
  await runJob()
  const [waiting] = await untilSent('waiting', 1)
  assert.deepEqual([waiting?.responseCode, waiting?.excerpt], [500, 'thanks'])
  const doctor = async () => (await runCommand(['doctor', '--no-model'], t.running.environment)).stdout
  assert.match(
    await doctor(),
    /^! webhook \S+ of Docs: the last delivery failed: it responded with 500\n.*deliveries whk_/m,
  )
  status = 410
  await docent('redeliver', `${receiver.url}/`, waiting?.id ?? '')
  await untilSent('failed', 2)
  assert.match(await docent('list'), / disabled +20/)
  assert.match(await docent('show', `${receiver.url}/`), /^disabledBecause +it responded with 410: it is gone$/m)
  const said = await doctor()
  assert.match(said, /^✓ webhooks of Docs: 0 of 1 are on$/m)
  assert.match(said, /^! webhook \S+ of Docs: it was disabled: it responded with 410.*\n.*update whk_\w+ --enable/m)
  assert.match(await docent('delete', `${receiver.url}/`), /^Deleted the webhook /)
})

test('an address of Slack is not printed again, and wrong options are refused', async () => {
  const made = await docent('create', 'https://hooks.slack.com/services/T0/B0/secret', '--slack')
  assert.match(made, /^url +https:\/\/hooks\.slack\.com\/…$/m)
  assert.doesNotMatch(made, /services|Secret/)
  const wrong = [
    [['update', 'https://hooks.slack.com/…'], 2, /Say what to change/],
    [['update', 'https://hooks.slack.com/…', '--enable', '--disable'], 2, /cannot be used with/],
    [['show', 'nowhere'], 1, /has no webhook nowhere\. Its webhooks are:\n {2}whk_/],
    [['create', 'http://example.com/'], 1, /plain http is only for hosts/],
    [['create', 'https://example.com/', '--event', 'job.started'], 1, /events/],
  ] as const
  for (const [args, code, words] of wrong) {
    const ran = await runCommand(['webhook', ...args], t.running.environment)
    assert.match(ran.stderr, words)
    assert.equal(ran.code, code, ran.stderr)
  }
})
