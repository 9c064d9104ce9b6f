// Deliveries to real receivers that refuse, hang, break off, redirect and forget, by a clock that the test moves.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { hour, job, openNotifications, type TestNotifications } from '../../../test/support/notifications.ts'
import type { HttpAnswer } from '../../../test/support/scripted-http.ts'
import { isSigned } from '../../lib/outbound/standard-webhooks.ts'
import { operator } from '../../projects/keys.ts'
import { type Delivery, redeliver } from '../webhooks/deliveries.ts'
import { deleteWebhook, readWebhook, updateWebhook } from '../webhooks/webhooks.ts'
import { mostAttempts } from './backoff.ts'
import { claimDue, freeClaims, sweepNotifications } from './queue.ts'

let n: TestNotifications
before(async () => {
  n = await openNotifications()
})
after(() => n.close())
beforeEach(() => n.reset())
afterEach(() => n.stop())

const readHook = (id: string) => readWebhook(n.db, { projectId: n.projectId, id })

test('a notification is one signed request, without secrets and with whole links', async (t) => {
  const hook = await n.receive(t, () => ({ status: 204 }))
  n.start()
  await n.happen()
  const [one] = await n.until(hook.id, ([found]) => found?.status === 'delivered')
  const [request, ...others] = hook.requests
  assert.ok(request && one)
  assert.equal(others.length, 0)
  assert.deepEqual(
    [request.method, request.url, request.headers['content-type']],
    ['POST', '/in?a=b', 'application/json'],
  )
  const link = 'https://docs.test/projects/p/pulls/1'
  assert.deepEqual(request.body, {
    type: 'job.completed',
    timestamp: one.createdAt,
    data: {
      job: {
        ...job,
        prLink: link,
        pullRequest: { ...job.pullRequest, url: link },
        result: { title: 'Words with [redacted]' },
      },
    },
  })
  const header = (name: string) => request.headers[name] as string | undefined
  const signed = {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
    body: Buffer.from(JSON.stringify(request.body)),
  }
  assert.equal(isSigned(hook.secret, signed, n.clock.now()), true)
  assert.equal(isSigned(hook.secret, { ...signed, body: Buffer.from('{}') }, n.clock.now()), false)
  assert.deepEqual([one.eventId, one.attempts, one.responseCode, one.error], [signed.id, 1, 204, null])
  assert.notEqual((await readHook(hook.id)).delivered_at, null)
})

test('a webhook gets what it wants while it is on, and nothing from before it was made', async (t) => {
  await n.happen()
  const wanted = await n.receive(t, () => ({}), { events: ['job.failed', 'automation.paused'] })
  const off = await n.receive(t, () => ({}), { enabled: false })
  const later = await n.receive(t, () => ({}), { endsAt: new Date(Date.now() + hour) })
  n.start()
  await n.happen('job.completed')
  await n.happen('automation.paused', { automation: { id: 'aut_0', name: 'A', pausedBecause: null }, run: null })
  assert.equal((await n.until(wanted.id, ([one]) => one?.status === 'delivered')).length, 1)
  assert.equal(
    (await n.until(later.id, (all) => all.every(({ status }) => status === 'delivered') && all.length === 2)).length,
    2,
  )
  assert.deepEqual([wanted.requests.length, off.requests.length, later.requests.length], [1, 0, 2])
  assert.deepEqual(await n.deliveries(off.id), [])
})

test('a failed attempt is repeated with the same id, and its response is shown cut', async (t) => {
  const answers: HttpAnswer[] = [
    { status: 500, body: `broken s3cret token=abc ${'x'.repeat(500)}` },
    { broken: 'reset' },
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    { status: 200, body: 'x'.repeat(100), broken: 'cut' },
    // Only the beginning is read.
    { status: 200, body: 'y'.repeat(3_000_000) },
  ]
  const hook = await n.receive(t, () => answers[hook.requests.length - 1] ?? {})
  n.start()
  await n.happen()
  const seen: (string | null | undefined)[] = []
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const [one] = await n.until(hook.id, ([found]) => found?.attempts === attempt)
    seen.push(one?.error)
    if (attempt === 1) {
      assert.match(one?.excerpt ?? '', /^broken \[redacted\] token=\[redacted\] x+…$/)
      assert.ok((one?.excerpt ?? '').length <= 201)
      assert.equal(Date.parse(one?.nextAttemptAt ?? '') - n.clock.now().getTime(), 5_000)
    }
    if (attempt < 5) await n.passPause(one)
  }
  assert.deepEqual(seen.slice(0, 3), [
    'it responded with 500',
    'the connection failed (ECONNRESET)',
    'it responded with 302, and redirects are not followed',
  ])
  assert.equal(seen[4], null)
  assert.equal(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(hook.requests.map(({ body }) => JSON.stringify(body))).size, 1)
})

test('after three days a webhook that took nothing is disabled, with the reason', async (t) => {
  const hook = await n.receive(t, () => ({ status: 503 }))
  n.start()
  const began = n.clock.now().getTime()
  await n.happen()
  for (let attempt = 1; attempt < mostAttempts; attempt += 1) {
    const [one] = await n.until(hook.id, ([found]) => found?.attempts === attempt)
    assert.equal((await readHook(hook.id)).enabled, true)
    await n.passPause(one)
  }
  const [last] = await n.until(hook.id, ([found]) => found?.status === 'failed')
  const days = (n.clock.now().getTime() - began) / (24 * hour)
  assert.ok(days > 2.9 && days < 3.1, String(days))
  assert.deepEqual([last?.attempts, last?.nextAttemptAt, hook.requests.length], [mostAttempts, null, mostAttempts])
  const row = await readHook(hook.id)
  assert.equal(row.enabled, false)
  assert.equal(
    row.disabled_because,
    `${mostAttempts} attempts within three days failed, the last one because it responded with 503`,
  )
  await n.happen()
  assert.equal((await n.deliveries(hook.id)).length, 1)
  await assert.rejects(redeliver(n.context, { projectId: n.projectId, id: hook.id }, last?.id ?? ''), {
    code: 'webhook_disabled',
  })
  const on = await updateWebhook(n.context, operator, { projectId: n.projectId, id: hook.id }, { enabled: true })
  assert.equal(on.disabled_because, null)
  const again = await redeliver(n.context, { projectId: n.projectId, id: hook.id }, last?.id ?? '')
  assert.deepEqual([again.status, again.attempts, again.eventId], ['waiting', 0, last?.eventId])
  n.wake()
  await n.until(hook.id, ([found]) => found?.attempts === 1)
  assert.equal(hook.requests.length, mostAttempts + 1)
})

test('one that the webhook alone refuses does not disable it; 410 does at once', async (t) => {
  const kinds: string[] = []
  const hook = await n.receive(t, ({ body }) => {
    const { type } = body as { type: string }
    kinds.push(type)
    return { status: type === 'job.failed' ? 400 : 200 }
  })
  const gone = await n.receive(t, () => ({ status: 410, body: 'gone' }), { events: ['job.completed'] })
  n.start()
  await n.happen('job.failed')
  await n.until(hook.id, ([found]) => found?.attempts === 1)
  await n.clock.pass(1_000)
  await n.happen('job.completed')
  await n.until(hook.id, ([newest]) => newest?.status === 'delivered')
  for (let attempt = 1; attempt < mostAttempts; attempt += 1) {
    const isRefused = ({ type, attempts }: Delivery) => type === 'job.failed' && attempts === attempt
    const all = await n.until(hook.id, (found) => found.some(isRefused))
    await n.passPause(all.find(isRefused))
  }
  await n.until(hook.id, (all) => all.some(({ type, status }) => type === 'job.failed' && status === 'failed'))
  assert.equal((await readHook(hook.id)).enabled, true)
  const row = await readHook(gone.id)
  assert.deepEqual(
    [row.enabled, row.disabled_because, gone.requests.length],
    [false, 'it responded with 410: it is gone', 1],
  )
})

test('a receiver that hangs delays no other, and a stop returns what it holds', async (t) => {
  const never = new Promise<HttpAnswer>(() => undefined)
  const slow = await Promise.all(Array.from({ length: 5 }, () => n.receive(t, () => never)))
  const quick = await n.receive(t, () => ({}))
  n.start()
  for (let at = 0; at < 4; at += 1) await n.happen()
  const done = await n.until(quick.id, (all) => all.length === 4 && all.every(({ status }) => status === 'delivered'))
  assert.equal(done.length, 4)
  for (const { requests } of slow) assert.ok(requests.length <= 1)
  await n.stop()
  const claimed = n.db.selectFrom('deliveries').select('id').where('claimed_until', 'is not', null)
  assert.deepEqual(await claimed.execute(), [])
  for (const { id } of slow) {
    const waiting = (await n.deliveries(id)).map(({ status, attempts }) => `${status} ${attempts}`)
    assert.deepEqual(
      waiting,
      Array.from({ length: 4 }, () => 'waiting 0'),
    )
  }
})

test('two processes never send one delivery, and what a dead one held is sent again', async (t) => {
  const hook = await n.receive(t, () => ({}))
  await n.happen()
  await n.happen()
  const looking = { now: new Date(n.clock.now().getTime() + hour), busy: [], limit: 10 }
  const [first, second] = await Promise.all([claimDue(n.db, looking), claimDue(n.db, looking)])
  const ids = [...first, ...second].map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(await claimDue(n.db, { ...looking, busy: [hook.id] }), [])
  await freeClaims(n.db)
  n.start()
  n.wake()
  await n.until(hook.id, (all) => all.every(({ status }) => status === 'delivered'))
  assert.equal(hook.requests.length, 2)
})

test('an address in a private network is refused when it is sent to, too', async (t) => {
  const hook = await n.receive(t, () => ({}))
  n.hosts.length = 0
  n.start()
  await n.happen()
  const [one] = await n.until(hook.id, ([found]) => found?.attempts === 1)
  assert.match(one?.error ?? '', /plain http is only for hosts in DOCENT_PRIVATE_REPOSITORY_HOSTS/)
  assert.equal(hook.requests.length, 0)
})

test('a message for Slack is text and blocks, and nothing in it mentions anybody', async (t) => {
  const hook = await n.receive(t, () => ({ body: 'ok' }), { format: 'slack' })
  assert.equal(hook.secret, '')
  assert.equal((await readHook(hook.id)).url, hook.url)
  n.start()
  await n.happen('job.failed', {
    job: { ...job, status: 'failed', result: null, error: { message: 'No <!channel> & <@U1>\nagain' } },
  })
  await n.until(hook.id, ([found]) => found?.status === 'delivered')
  const [request] = hook.requests
  assert.deepEqual([request?.url, request?.headers['webhook-signature']], ['/in?a=b', undefined])
  assert.ok(request)
  const { text, blocks } = request.body as { text: string; blocks: readonly { readonly type: string }[] }
  assert.equal(text, 'Job failed: No &lt;!channel&gt; &amp; &lt;@U1&gt; again (Test)')
  assert.deepEqual(
    blocks.map(({ type }) => type),
    ['section', 'context'],
  )
  assert.match(JSON.stringify(blocks), /<https:\/\/docs\.test\/projects\/p\/pulls\/1\|Pull request #1>/)
})

test('deliveries are deleted after 30 days, and with their webhook', async (t) => {
  const [kept, deleted] = [await n.receive(t, () => ({})), await n.receive(t, () => ({}))]
  n.start()
  await n.happen()
  await n.until(kept.id, ([found]) => found?.status === 'delivered')
  await deleteWebhook(n.db, { projectId: n.projectId, id: deleted.id })
  assert.deepEqual(await n.deliveries(deleted.id), [])
  const day = 24 * hour
  await sweepNotifications(n.db, new Date(Date.now() + 30 * day - hour))
  assert.equal((await n.deliveries(kept.id)).length, 1)
  await sweepNotifications(n.db, new Date(Date.now() + 30 * day + hour))
  assert.deepEqual(await n.deliveries(kept.id), [])
})
