import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigningSecret, isSigned, signedHeaders } from './standard-webhooks.ts'

// From the reference implementation of Standard Webhooks.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const now = new Date(1_614_265_330_000)
const request = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  body: Buffer.from('{"test": 2432232314}'),
}

test('a request is signed as the reference implementation signs it', () => {
  assert.equal(isSigned(secret, request, now), true)
  assert.equal(isSigned(secret, { ...request, signature: `v1a,x v1,AAAA ${request.signature}` }, now), true)
})

test('signed headers are those of the reference implementation, and are accepted', () => {
  const body = request.body.toString()
  const headers = signedHeaders(secret, { id: request.id, body }, new Date(now.getTime() + 999))
  assert.deepEqual(headers, {
    'webhook-id': request.id,
    'webhook-timestamp': request.timestamp,
    'webhook-signature': request.signature,
  })
})

test('another secret, id, time, body or form is not signed', () => {
  const table: [string, Partial<typeof request>][] = [
    ['id', { id: 'msg_other' }],
    ['time', { timestamp: '1614265331' }],
    ['body', { body: Buffer.from('{"test":2432232314}') }],
    ['no signature', { signature: '' }],
    ['version', { signature: request.signature.replace('v1', 'v2') }],
    ['start of a signature', { signature: request.signature.slice(0, 20) }],
  ]
  for (const [name, change] of table) assert.equal(isSigned(secret, { ...request, ...change }, now), false, name)
  assert.equal(isSigned(createSigningSecret(), request, now), false)
  assert.equal(isSigned(secret, { ...request, signature: undefined }, now), false)
})

test('a request is refused five minutes after its time, and before it', () => {
  for (const [seconds, expected] of [
    [299, true],
    [-299, true],
    [301, false],
    [-301, false],
  ] as const) {
    assert.equal(isSigned(secret, request, new Date(now.getTime() + seconds * 1_000)), expected, String(seconds))
  }
})

test('a new secret has 32 random bytes', () => {
  const made = createSigningSecret()
  assert.equal(Buffer.from(made.replace(/^whsec_/, ''), 'base64').length, 32)
  assert.notEqual(made, createSigningSecret())
})
