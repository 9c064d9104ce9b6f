import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noise } from '../../../test/support/git-remote.ts'
import { createRedaction } from './redact.ts'

const password = `glpat+${noise(60).toString('base64')}`
const redact = createRedaction({ username: 'oauth2', password })
const spellings = [
  password,
  encodeURIComponent(password),
  encodeURIComponent(password).replaceAll(/%../g, (code) => code.toLowerCase()),
  Buffer.from(password).toString('base64url'),
  Buffer.from(`oauth2:${password}`).toString('base64'),
]

test('every spelling of a secret is replaced, and the words around it are kept', () => {
  for (const spelling of spellings) {
    assert.equal(redact(`before ${spelling} and ${spelling}; after`), 'before [redacted] and [redacted]; after')
  }
  assert.equal(redact('nothing secret\nremote: at all'), 'nothing secret\nremote: at all')
  assert.equal(redact(''), '')
})

test('a secret broken over lines, by colours or by control characters is replaced', () => {
  const [one, two] = [password.slice(0, 5), password.slice(5)]
  for (const between of ['\n', '\r\nremote: ', '\u001b[31m', '\u0000', '\u200b', ' ', '\n\nremote:\n']) {
    assert.equal(redact(`a=${one}${between}${two}.`), 'a=[redacted].', JSON.stringify(between))
  }
})

test('any twelve characters of a long secret are replaced, and eleven are not', () => {
  assert.equal(redact(`at ${password.slice(20, 32)}!`), 'at [redacted]!')
  assert.equal(redact(`at ${password.slice(20, 31)}!`), `at ${password.slice(20, 31)}!`)
})

test('a short password is replaced as a whole, and one of three characters is not', () => {
  const four = createRedaction({ username: 'u', password: 'p4ss' })
  assert.equal(four('the password p4ss is wrong'), 'the password [redacted] is wrong')
  assert.equal(four('the word p4s is kept'), 'the word p4s is kept')
  const three = createRedaction({ username: 'u', password: 'git' })
  assert.equal(three('this is not a git repository'), 'this is not a git repository')
})

test('a password of spaces and one that is no valid text change nothing else', () => {
  for (const odd of ['      ', '\ud800\ud800\ud800\ud800\ud800', 'two words here']) {
    const text = createRedaction({ username: 'u', password: odd })('it said: nothing of it')
    assert.equal(text, 'it said: nothing of it')
  }
})
