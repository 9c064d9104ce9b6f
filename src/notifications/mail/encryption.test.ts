// Mail to a server on another machine: it is encrypted where it has to be, for a certificate of the name.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { certificate, certificateHost } from '../../../test/support/loopback-certificate.ts'
import { serveSmtp, type SmtpScript } from '../../../test/support/smtp-server.ts'
import { sendMail } from './smtp.ts'

const mail = { to: 'ada@example.com', subject: 'Job completed', text: 'Words', id: 'dlv_1' }

type Way = SmtpScript['tls']
type Given = { readonly scheme?: string; readonly login?: string; readonly host?: string }

function trust(t: TestContext): void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  t.after(() => setDefaultCACertificates(before))
}

async function send(t: TestContext, tls: Way, { scheme = 'smtp', login = '', host = certificateHost }: Given = {}) {
  const server = await serveSmtp(t, tls ? { tls } : {})
  const url = `${scheme}://${login}${host}:${server.port}`
  const settings = { url, from: 'docent@example.com', address: '127.0.0.1' }
  const sent = await sendMail(settings, mail, new AbortController().signal)
  const [got] = server.mails
  return { sent, commands: server.commands, mail: got && { signedIn: got.signedIn, isEncrypted: got.isEncrypted } }
}

const login = 'user:secret@'

test('a password and a mail are sent after STARTTLS, to a certificate of the name', async (t) => {
  trust(t)
  const { sent, commands, mail } = await send(t, 'starttls', { login })
  assert.equal(sent.kind, 'sent')
  assert.deepEqual(mail, { signedIn: 'user:secret', isEncrypted: true })
  assert.deepEqual(commands.slice(0, 4), ['EHLO', 'STARTTLS', 'tls EHLO', 'tls AUTH'])
})

test('smtps is encrypted from the beginning', async (t) => {
  trust(t)
  const { mail, commands } = await send(t, 'from the start', { scheme: 'smtps', login })
  assert.deepEqual(mail, { signedIn: 'user:secret', isEncrypted: true })
  assert.deepEqual(commands.slice(0, 2), ['tls EHLO', 'tls AUTH'])
})

for (const way of [undefined, 'claims'] as const) {
  test(`a password is not sent to a server without STARTTLS (${way ?? 'not offered'})`, async (t) => {
    trust(t)
    const { sent, commands, mail } = await send(t, way, { login })
    assert.deepEqual([sent.kind, mail], ['refused', undefined])
    assert.deepEqual([commands.includes('AUTH'), commands.includes('MAIL')], [false, false])
  })
}

test('without a password, STARTTLS is used where it is offered', async (t) => {
  trust(t)
  assert.deepEqual((await send(t, 'starttls')).mail, { signedIn: undefined, isEncrypted: true })
  assert.deepEqual((await send(t, undefined)).mail, { signedIn: undefined, isEncrypted: false })
})

test('a certificate of another name, or that nobody signed, gets nothing', async (t) => {
  const untrusted = await send(t, 'starttls', { login })
  assert.deepEqual(
    [untrusted.sent.kind, untrusted.commands, untrusted.mail],
    ['refused', ['EHLO', 'STARTTLS'], undefined],
  )
  const encrypted = await send(t, 'from the start', { scheme: 'smtps', login })
  assert.deepEqual([encrypted.sent.kind, encrypted.commands, encrypted.mail], ['refused', [], undefined])
  trust(t)
  const other = await send(t, 'starttls', { login, host: 'mail.example.test' })
  assert.deepEqual([other.sent.kind, other.commands, other.mail], ['refused', ['EHLO', 'STARTTLS'], undefined])
})
