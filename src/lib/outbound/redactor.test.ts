import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { createSecretSearch } from '../../../test/support/secret-search.ts'
import { createKeyText } from '../key-text.ts'
import { createProcessRedactor } from './redactor.ts'

/** Random-looking text from a seed: no token is written in this file. */
const random = (seed: string, length: number) => createHash('sha512').update(seed).digest('base64url').slice(0, length)
/** Scanners of repositories would find the words in one piece. */
const kind = 'PRIVATE'
const token = `glpat-${random('token', 40)}"/\\é`
const password = `p4ss-${random('password', 8)}`

function redactorOf(...secrets: readonly string[]) {
  const redactor = createProcessRedactor()
  redactor.learn(...secrets)
  return redactor
}

function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const base64 = ['', 'u:', 'user:', 'Bearer '].flatMap((lead) => {
    const led = Buffer.from(lead + secret)
    return [led.toString('base64'), led.toString('base64url')]
  })
  const json = JSON.stringify(secret).slice(1, -1)
  const percent = [encodeURIComponent(secret), new URLSearchParams({ a: secret }).toString().slice(2)]
  const lower = percent.map((text) => text.replace(/%../g, (code) => code.toLowerCase()))
  return [secret, json, json.replaceAll('/', String.raw`\/`), bytes.toString('hex'), ...percent, ...lower, ...base64]
}

test('every secret is hidden in every encoding, and the words around it stay', () => {
  const { hide } = redactorOf(token, password)
  const search = createSecretSearch([{ name: 'token', value: token }])
  for (const spelling of [
    ...spellings(token),
    ...spellings(token)
      .map((one) => one.toUpperCase())
      .slice(3, 4),
  ]) {
    const hidden = hide(`before ${spelling} after`)
    assert.match(hidden, /^before \S{0,12}\[redacted\]\S{0,8} after$/, spelling)
    assert.deepEqual(search(hidden), [])
  }
  for (const spelling of spellings(password)) assert.match(hide(` ${spelling} `), /\[redacted\]/, spelling)
  assert.equal(hide(`${token} and ${password}`), '[redacted] and [redacted]')
})

test('20 characters of a token are hidden, 19 stay; a short secret is hidden whole', () => {
  const { hide } = redactorOf(token, password)
  assert.equal(hide(`(${token.slice(9, 29)})`), '([redacted])')
  assert.equal(hide(`(${token.slice(9, 28)})`), `(${token.slice(9, 28)})`)
  assert.equal(hide(`(${password.slice(0, -1)})`), `(${password.slice(0, -1)})`)
})

test('ordinary words are no secrets, however they came here', () => {
  const { hide } = redactorOf(
    '',
    'postgres',
    'a-long-word',
    'p4ss',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx',
    '{"a":1}',
  )
  const text = 'postgres a-long-word p4ss ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx {"a":1}'
  assert.equal(hide(text), text)
})

test('a private key is hidden, alone or in an object, and no part of another key', () => {
  const pem = () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  const [mine, other] = [String(pem()), String(pem())]
  for (const stored of [mine, JSON.stringify({ privateKey: mine, appId: 1 })]) {
    const { hide } = redactorOf(stored)
    for (const line of mine.split('\n').slice(2, -3)) assert.equal(hide(`a ${line} b`), 'a [redacted] b')
    assert.equal(hide(other), other)
    assert.doesNotMatch(hide(JSON.stringify({ mine })), /\w{50}\\n\w{50}/)
  }
})

test('only the signature of a signed token is hidden', () => {
  const [head, body, signature] = ['eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9', random('body', 40), random('signature', 60)]
  const { hide } = redactorOf(`${head}.${body}.${signature}`)
  assert.equal(hide(`${head}.${body}.${signature}`), `${head}.${body}.[redacted]`)
})

test('text for people also loses what has the shape of a token, and keeps placeholders', () => {
  const { hide, redact } = createProcessRedactor()
  const shapes = [createKeyText(), `ghp_${random('github', 50).replace(/[-_]/g, 'x').slice(0, 36)}`]
  for (const shape of shapes) {
    assert.equal(hide(shape), shape)
    assert.match(redact(`a ${shape} b`), /^a (?:\[redacted\]|docent_…) b$/)
  }
  const pem = `-----BEGIN ${kind} KEY-----\n${random('k', 64)}\n${random('l', 64)}\n-----END`.replace(
    /[-_](?=\w)/g,
    '-',
  )
  assert.ok(redact(pem.replaceAll('_', '/')).length < 200)
  for (const kept of [`ghp_${'x'.repeat(36)}`, 'AKIAIOSFODNN7EXAMPLE', 'a key-value store'])
    assert.equal(redact(kept), kept)
})

test('a log line stays JSON, whatever it holds', () => {
  const { redact } = redactorOf(token, password)
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(token, token.slice(3), password, '\\', '"', '\n', 'n', 'u00e9', 'é', 'x')),
      (parts) => {
        JSON.parse(redact(JSON.stringify({ message: parts.join('') })))
      },
    ),
  )
})

test('the newest 1,000 secrets are known when there were more than 2,000', () => {
  const redactor = createProcessRedactor()
  const all = Array.from({ length: 2_001 }, (_, index) => random(`secret ${index}`, 40))
  redactor.learn(...all)
  assert.equal(redactor.hide(all[2_000] ?? ''), '[redacted]')
  assert.equal(redactor.hide(all[1_001] ?? ''), '[redacted]')
  assert.equal(redactor.hide(all[0] ?? ''), all[0])
})

test('redacting grows with the text, and not faster', () => {
  const { redact } = redactorOf(token, password)
  for (const piece of [`${token.slice(0, 19)} `, token, 'word ', '-----BEGIN ', 'ghp_']) {
    assertLinear((size) => piece.repeat(Math.ceil(size / piece.length)), redact, { size: 200_000, name: piece })
  }
})
