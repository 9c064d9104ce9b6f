import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { redact } from './redact.ts'

const key = 'sk-live/4f+Zq 8Wm2Rt6Yb1'

test('a key is redacted plain, percent-encoded and in base64, also after other text', () => {
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64url'), btoa(key)]
  for (const form of forms) {
    const words = redact(`Key ${form} is wrong: ${form}.`, key)
    assert.match(words, /^Key \[key\]\S{0,4} is wrong: \[key\]\S{0,4}$/, form)
  }
  for (const lead of ['Bearer ', 'u:', 'user:']) {
    const words = redact(`Header: ${btoa(lead + key)}`, key)
    assert.match(words, /^Header: \S{0,12}\[key\]\S{0,4}$/, lead)
  }
})

test('a beginning of 8 characters of a key is redacted, one of 7 is not', () => {
  assert.equal(redact(`key ${key.slice(0, 8)}…`, key), 'key [key]…')
  assert.equal(redact(`key ${key.slice(0, 7)}…`, key), `key ${key.slice(0, 7)}…`)
  assert.equal(redact(`key ${key.slice(0, 13)}***`, key), 'key [key]***')
})

test('a key of less than 8 characters may be a word by chance and stays', () => {
  assert.equal(redact('the secret', 'secret'), 'the secret')
  assert.equal(redact('anything', undefined), 'anything')
})

test('no words show 8 characters of a key, whatever surrounds it', () => {
  const keys = fc.stringMatching(/^[A-Za-z0-9_+/-]{8,60}$/)
  fc.assert(
    fc.property(keys, fc.string(), fc.string(), fc.nat(60), (secret, before, after, cut) => {
      const shown = redact(before + secret.slice(0, Math.max(8, cut)) + after, secret)
      assert.ok(!shown.includes(secret.slice(0, 8)))
    }),
  )
})
