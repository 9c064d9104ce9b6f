// Notifications by mail, to a real SMTP server: to whom, with which text, and again after a refusal.

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { addProject } from '../../../test/support/database.ts'
import {
  hour,
  job,
  openNotifications,
  publicUrl,
  redact,
  type TestNotifications,
} from '../../../test/support/notifications.ts'
import { serveSmtp } from '../../../test/support/smtp-server.ts'
import { addPerson, removePerson } from '../../people/people.ts'
import type { NotificationType } from '../notification.ts'
import { attemptMail } from './attempt.ts'
import { isMailbox, toMail } from './message.ts'
import { type MailSettings, readMailFailure, readMailSettings, saveMailSettings } from './settings.ts'
import { checkSmtp, parseSender } from './smtp.ts'

let n: TestNotifications
before(async () => {
  n = await openNotifications()
})
after(() => n.close())
beforeEach(async () => {
  await n.db.deleteFrom('people').execute()
  await n.reset()
})
afterEach(() => n.stop())

const all: MailSettings = { events: ['job.completed', 'job.failed'], projectIds: null }

async function join(email: string, settings: MailSettings | undefined = all): Promise<string> {
  const person = { email, name: 'Ada', password: 'x', role: 'viewer' } as const
  const { id } = await n.db.transaction().execute((trx) => addPerson(trx, person))
  await saveMailSettings(n.db, id, settings)
  return id
}

function start(url: string | undefined, from = 'Docent <docent@example.com>'): void {
  const smtp = url === undefined ? undefined : { url, from }
  n.start((delivery, signal) => attemptMail({ db: n.db, redact, publicUrl, smtp }, delivery, signal))
}

async function until(personId: string, count: number, state: string, attempts?: number) {
  const query = n.db.selectFrom('deliveries').selectAll().where('person_id', '=', personId).orderBy('ordinal')
  for (let looks = 0; looks < 3_000; looks += 1) {
    const rows = await query.execute()
    const found = rows.filter((row) => row.state === state && (attempts === undefined || row.attempts === attempts))
    if (found.length === count) return found
    await turn()
  }
  throw new Error(JSON.stringify(await query.execute()))
}

test('a mail is plain text with the links, for the mailbox of the person alone', async (t) => {
  const server = await serveSmtp(t)
  const id = await join('ada@example.com')
  start(server.url)
  await n.happen()
  const [delivery] = await until(id, 1, 'delivered')
  const [mail, ...others] = server.mails
  assert.ok(mail && delivery)
  assert.equal(others.length, 0)
  assert.deepEqual([mail.from, mail.to, mail.signedIn], ['docent@example.com', ['ada@example.com'], undefined])
  assert.equal(mail.headers.get('from'), 'Docent <docent@example.com>')
  assert.equal(mail.headers.get('to'), 'ada@example.com')
  assert.equal(mail.headers.get('subject'), '[Test] Job completed: Words with [redacted]')
  assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
  assert.equal(mail.headers.get('message-id'), `<${delivery.id}@example.com>`)
  assert.equal(mail.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(
    mail.text.trim(),
    [
      'Job completed: Words with [redacted]',
      '',
      'Project: Test',
      `Pull request #1: ${publicUrl}/projects/p/pulls/1`,
      `Job: ${publicUrl}/projects/${n.projectId}/jobs/job_0`,
      '',
      `You chose these messages in your account: ${publicUrl}/account`,
    ].join('\n'),
  )
  assert.deepEqual([delivery.response_status, delivery.excerpt], [250, '250 queued as 1'])
})

test('each person gets what they chose, and nothing once they are gone', async (t) => {
  const server = await serveSmtp(t)
  const other = await addProject(n.db)
  const wants = async (email: string, events: readonly NotificationType[], projectIds: string[] | null) =>
    await join(email, { events, projectIds })
  const both = await wants('both@example.com', ['job.completed', 'job.failed'], [n.projectId, other])
  await wants('other@example.com', ['job.completed'], [other])
  await wants('failures@example.com', ['job.failed'], null)
  await wants('nothing@example.com', [], null)
  const changed = await join('changed@example.com')
  const removed = await join('removed@example.com')
  await n.happen()
  await saveMailSettings(n.db, changed, { events: ['job.completed'], projectIds: [other] })
  await n.db.updateTable('people').set({ role: 'admin' }).where('id', '=', both).execute()
  await removePerson(n.db, removed)
  start(server.url)
  const [kept] = await until(changed, 1, 'failed')
  assert.equal(kept?.error, 'the person does not want it any more')
  await until(both, 1, 'delivered')
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [['both@example.com']],
  )
})

test('a refused mail is sent again with the same id, and given up after three days', async (t) => {
  const says = ['451 try later', undefined] as const
  const server = await serveSmtp(t, {
    mail: () => says[server.mails.length - 1],
    recipient: (to) => (to === 'unknown@example.com' ? '550 no such user, token=abc' : undefined),
  })
  const id = await join('ada@example.com')
  start(server.url)
  await n.happen()
  const [waiting] = await until(id, 1, 'waiting', 1)
  assert.equal(waiting?.error, 'the mail server responded with 451')
  assert.match((await readMailFailure(n.db, id))?.error ?? '', /451/)
  await n.clock.untilAsleep(1)
  await n.clock.pass(6_000)
  await until(id, 1, 'delivered', 2)
  assert.equal(await readMailFailure(n.db, id), null)
  assert.equal(new Set(server.mails.map(({ headers }) => headers.get('message-id'))).size, 1)
  assert.equal(server.mails.length, 2)

  const unknown = await join('unknown@example.com', { events: ['job.failed'], projectIds: null })
  await n.happen('job.failed')
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const [row] = await until(unknown, 1, 'waiting', attempt)
    assert.deepEqual([row?.response_status, row?.excerpt], [550, '550 no such user, token=[redacted]'])
    await n.clock.untilAsleep(1)
    await n.clock.pass(24 * hour)
  }
  const [given] = await until(unknown, 1, 'failed')
  assert.equal(given?.error, 'the mail server responded with 550')
})

test('a connection that ends, a server that is gone and no server are reasons', async (t) => {
  const server = await serveSmtp(t, { mail: () => 'drop' })
  const id = await join('ada@example.com')
  start(server.url)
  await n.happen()
  const [dropped] = await until(id, 1, 'waiting', 1)
  assert.match(dropped?.error ?? '', /^the mail server could not be reached \(\w+\)$/)
  await n.stop()
  start('smtp://127.0.0.1:1')
  await n.clock.untilAsleep(1)
  await n.clock.pass(6_000)
  const [gone] = await until(id, 1, 'waiting', 2)
  assert.match(gone?.error ?? '', /\(ECONN\w+|ESOCKET\)/)
  await n.stop()
  start(undefined)
  await n.clock.untilAsleep(1)
  await n.clock.pass(hour)
  const [unset] = await until(id, 1, 'waiting', 3)
  assert.match(unset?.error ?? '', /DOCENT_SMTP_URL and DOCENT_MAIL_FROM are not set/)
})

test('a stop ends a mail that hangs, which is due again', async (t) => {
  const server = await serveSmtp(t, { mail: () => 'hang' })
  const id = await join('ada@example.com')
  start(server.url)
  await n.happen()
  while (server.mails.length === 0) await turn()
  await n.stop()
  const [row] = await until(id, 1, 'waiting', 0)
  assert.equal(row?.claimed_until, null)
})

test('texts and names cannot add a header or a recipient', async (t) => {
  const server = await serveSmtp(t)
  const id = await join('ada@example.com')
  await n.db.updateTable('projects').set({ name: 'Docs\r\nBcc: evil@example.com' }).execute()
  start(server.url)
  const title = 'One\r\nBcc: evil@example.com\r\n\r\n<b>body</b>\u202e \u0000'
  await n.happen('job.failed', { job: { ...job, error: { message: `${title}${'x'.repeat(2_000)}` } } })
  await until(id, 1, 'delivered')
  const [mail] = server.mails
  assert.deepEqual(mail?.to, ['ada@example.com'])
  assert.deepEqual(
    mail.lines.filter((line) => /^(?:bcc|cc)/i.test(line)),
    [],
  )
  assert.equal(mail.headers.get('to'), 'ada@example.com')
})

test('only one mailbox is sent to', () => {
  for (const address of ['ada@example.com', "o'brien+docs@example.com", 'ä@exämple.com'])
    assert.ok(isMailbox(address), address)
  const wrong = [
    'a@b.com,c@d.com',
    'a@b.com;c@d.com',
    'A <a@b.com>',
    'a@b.com\r\nBcc: c@d.com',
    '"a b"@c.com',
    'a@b@c',
    '@b',
    'a',
  ]
  for (const address of wrong) assert.ok(!isMailbox(address), address)
  fc.assert(
    fc.property(fc.string(), fc.string(), (title, project) => {
      const words = { title: title.replaceAll(/\s/g, ' '), project: project.replaceAll(/\s/g, ' '), links: [] }
      const { subject } = toMail(words, { to: 'a@b.c', id: 'dlv_0', publicUrl })
      assert.doesNotMatch(subject, /[\r\n\0]/)
    }),
  )
})

test('the server is given the user and password, and checked without a mail', async (t) => {
  const server = await serveSmtp(t)
  const id = await join('ada@example.com')
  start(`smtp://user%40docs:p%2Fw@127.0.0.1:${server.port}`, 'docent@example.com')
  await n.happen()
  await until(id, 1, 'delivered')
  assert.equal(server.mails[0]?.signedIn, 'user@docs:p/w')
  assert.equal(await checkSmtp(server.url), undefined)
  assert.match((await checkSmtp('smtp://127.0.0.1:1')) ?? '', /could not be reached/)
  assert.equal(server.mails.length, 1)
  assert.deepEqual(parseSender('Docent <a@b.c>'), { name: 'Docent', address: 'a@b.c' })
})

test('settings of a person who never chose are empty, and unknown projects are refused', async () => {
  const id = await join('ada@example.com')
  assert.deepEqual(await readMailSettings(n.db, id), all)
  assert.deepEqual(await readMailSettings(n.db, 'per_0'), { events: [], projectIds: null })
  const unknown = { ...all, projectIds: ['prj_00000000000000000000'] }
  await assert.rejects(saveMailSettings(n.db, id, unknown), { code: 'invalid_input' })
})
