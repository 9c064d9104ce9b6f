// The searcher of the leak test finds what it is for: if it missed a spelling, the leak test would prove nothing.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecretSearch, windowLength } from '../support/secret-search.ts'

const token = `glpat-${randomBytes(36).toString('base64')}/+ "q`
const key = randomBytes(32)
const find = createSecretSearch([
  { name: 'token', value: token },
  { name: 'key', value: key },
])

test('a secret is found in every spelling and after any user', () => {
  const spellings: Readonly<Record<string, readonly string[]>> = {
    plain: [token],
    'percent-encoded': [encodeURIComponent(token), new URLSearchParams({ token }).toString()],
    JSON: [JSON.stringify({ token }), JSON.stringify({ token }).replaceAll('/', String.raw`\/`)],
    hexadecimal: [Buffer.from(token).toString('hex'), Buffer.from(token).toString('hex').toUpperCase()],
    base64: ['', 'x-access-token:', 'oauth2:', 'docent:'].flatMap((user) => {
      const text = Buffer.from(user + token)
      return [text.toString('base64'), text.toString('base64url')]
    }),
  }
  for (const [spelling, texts] of Object.entries(spellings)) {
    for (const text of texts) assert.ok(find(`before ${text} after`).includes(`token, ${spelling}`), text)
  }
})

test('bytes are found as bytes, in base64 and in hexadecimal', () => {
  const around = [randomBytes(50), randomBytes(50)] as const
  assert.deepEqual(find(Buffer.concat([around[0], key, around[1]])), ['key, plain'])
  assert.deepEqual(find(`DOCENT_SECRET_KEY=${key.toString('base64')}`), ['key, base64'])
  assert.deepEqual(find(`\\x${key.toString('hex')}`), ['key, hexadecimal'])
})

test('each window of a secret is found, and no shorter part', () => {
  const isFound = (text: string): boolean => find(`(${text})`).includes('token, plain')
  for (let at = 0; at + windowLength <= token.length; at += 1) {
    assert.ok(isFound(token.slice(at, at + windowLength)), String(at))
    assert.ok(!isFound(token.slice(at, at + windowLength - 1)), String(at))
  }
  const half = token.length / 2
  assert.ok(isFound(`${token.slice(0, half)}\nremote: ${token.slice(half)}`))
})

test('a secret that is too short is refused', () => {
  assert.throws(() => createSecretSearch([{ name: 'word', value: 'secret' }]), /"word" is too short/)
})
