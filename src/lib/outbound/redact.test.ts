import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { createRedactor, redact } from './redact.ts'

const key = 'sk-live/4f+Zq 8Wm2Rt6Yb1'

test('a key is redacted plain, percent-encoded and in base64, also after other text', () => {
  const forms = [key, encodeURIComponent(key), Buffer.from(key).toString('base64url'), btoa(key)]
  for (const form of forms) {
    const words = redact(`Key ${form} is wrong: ${form}.`, key)
    assert.match(words, /^Key \[redacted\]\S{0,4} is wrong: \[redacted\]\S{0,4}$/, form)
  }
  for (const lead of ['Bearer ', 'u:', 'user:']) {
    const words = redact(`Header: ${btoa(lead + key)}`, key)
    assert.match(words, /^Header: \S{0,12}\[redacted\]\S{0,4}$/, lead)
  }
})

test('a beginning of 8 characters of a key is redacted, one of 7 is not', () => {
  assert.equal(redact(`key ${key.slice(0, 8)}…`, key), 'key [redacted]…')
  assert.equal(redact(`key ${key.slice(0, 7)}…`, key), `key ${key.slice(0, 7)}…`)
  assert.equal(redact(`key ${key.slice(0, 13)}***`, key), 'key [redacted]***')
})

test('a key of less than 8 characters may be a word by chance and stays', () => {
  assert.equal(redact('the secret', 'secret'), 'the secret')
  assert.equal(redact('anything', undefined), 'anything')
})

test('no message shows 8 characters of a key in any context', () => {
  const keys = fc.stringMatching(/^[A-Za-z0-9_+/-]{8,60}$/)
  fc.assert(
    fc.property(keys, fc.string(), fc.string(), fc.nat(60), (secret, before, after, cut) => {
      const shown = redact(before + secret.slice(0, Math.max(8, cut)) + after, secret)
      assert.ok(!shown.includes(secret.slice(0, 8)))
    }),
  )
})

test('a key is redacted in hexadecimal and escaped as JSON', () => {
  const odd = `${key}"\\u`
  const json = JSON.stringify(odd).slice(1, -1)
  const hex = Buffer.from(odd).toString('hex')
  for (const form of [json, json.replaceAll('/', String.raw`\/`), hex, hex.toUpperCase()]) {
    assert.equal(redact(`Key ${form}, sorry`, odd), 'Key [redacted], sorry', form)
  }
})

const token = 'glpat+q7Zk2/Xw9Rt4Yb1mNc8Vd3Ls6Jh5Gf0'

test('words around a secret are kept, and one without it is not changed', () => {
  for (const form of [token, encodeURIComponent(token), encodeURIComponent(token).replaceAll('%2B', '%2b')]) {
    assert.equal(redact(`before ${form} and ${form}; after`, token), 'before [redacted] and [redacted]; after')
  }
  assert.equal(redact('nothing secret\nremote: at all', token), 'nothing secret\nremote: at all')
})

test('a secret broken over lines, by colours or by control characters is redacted', () => {
  const [one, two] = [token.slice(0, 5), token.slice(5)]
  for (const between of ['\n', '\r\nremote: ', '\u001b[31m', '\u0000', '\u200b', ' ', '\n\nremote:\n']) {
    assert.equal(redact(`a=${one}${between}${two}.`, token), 'a=[redacted].', JSON.stringify(between))
  }
})

test('twelve characters from within a secret are redacted, eleven are not', () => {
  assert.equal(redact(`at ${token.slice(10, 22)}!`, token), 'at [redacted]!')
  assert.equal(redact(`at ${token.slice(10, 21)}!`, token), `at ${token.slice(10, 21)}!`)
})

test('a caller may redact shorter secrets', () => {
  assert.equal(redact('the password p4ss is wrong', 'p4ss', 4), 'the password [redacted] is wrong')
  assert.equal(redact('the word p4s is kept', 'p4ss', 4), 'the word p4s is kept')
  assert.equal(redact('this is not a git repository', 'git', 4), 'this is not a git repository')
})

test('a secret of spaces and one that is no valid text change nothing else', () => {
  for (const odd of ['          ', '\ud800'.repeat(9), 'two words here']) {
    assert.equal(redact('it said: nothing of it', odd), 'it said: nothing of it')
  }
})

test('in data twenty characters are redacted, and less or a shorter secret stays', () => {
  const clean = createRedactor(token)
  assert.equal(
    clean(`{"a":"${token}","b":"${btoa(token)}"}`).replace(/\w*=*"}/, '"}'),
    '{"a":"[redacted]","b":"[redacted]"}',
  )
  assert.equal(clean(`x${token.slice(3, 23)}x`), 'x[redacted]x')
  for (const kept of [token.slice(0, 19), token.slice(3, 22), `${token.slice(0, 10)}\n${token.slice(10, 20)}`]) {
    assert.equal(clean(kept), kept)
  }
  assert.equal(createRedactor('docs/guides')('refs/heads/docs/guides'), 'refs/heads/docs/guides')
})

test('JSON in which a secret is broken over lines stays JSON', () => {
  const letters = fc.stringMatching(/^[A-Za-z0-9]{40}$/)
  const around = fc.constantFrom('', 'n', '\\', '\n', '"', '\u0001', 't\t')
  fc.assert(
    fc.property(letters, around, fc.constantFrom('n', 'u', 'T', '0001'), (text, between, joint) => {
      const [one, other] = [text.slice(0, 20), text.slice(20)]
      const json = JSON.stringify({ message: `${one}${joint}${between}${other}` })
      const clean = createRedactor(`${one}${joint}${other}`)(json)
      assert.doesNotThrow(() => void JSON.parse(clean), clean)
      assert.ok(!clean.includes(one) && !clean.includes(other))
    }),
  )
})

test('redacting grows with the text, and not faster', () => {
  const makeInput = (size: number): string => `${token.slice(0, 7)} `.repeat(Math.ceil(size / 8))
  assertLinear(makeInput, (text) => redact(text, token), { size: 400_000, name: 'redact' })
})
