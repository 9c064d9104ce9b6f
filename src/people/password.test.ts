import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { Failure } from '../lib/failure.ts'
import { checkPassword, hashPassword, verifyPassword } from './password.ts'

const person = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' }

test('a hash is argon2id in the PHC string format and checks its own password alone', async () => {
  const hash = await hashPassword('plenty of words here')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await verifyPassword('plenty of words here', hash), true)
  assert.equal(await verifyPassword('plenty of words herE', hash), false)
  assert.notEqual(await hashPassword('plenty of words here'), hash)
})

test('a hash with other parameters is checked with these', async () => {
  const nonce = Buffer.from('another salt')
  const tag = argon2Sync('argon2id', {
    message: 'old one',
    nonce,
    memory: 64,
    passes: 3,
    parallelism: 2,
    tagLength: 24,
  })
  const stored = `$argon2id$v=19$m=64,t=3,p=2$${nonce.toString('base64')}$${tag.toString('base64')}`
  assert.equal(await verifyPassword('old one', stored), true)
  assert.equal(await verifyPassword('old two', stored), false)
})

test('two spellings of one character are one password', async () => {
  assert.equal(
    await verifyPassword('cafe\u0301 au lait, please', await hashPassword('caf\u00e9 au lait, please')),
    true,
  )
})

test('nobody has the password of an account that does not exist', async () => {
  assert.equal(await verifyPassword('anything at all', undefined), false)
  assert.equal(await verifyPassword('', '$argon2id$v=19$broken'), false)
})

test('weak passwords are refused with the reason', () => {
  const table: readonly (readonly [string, RegExp])[] = [
    ['eleven char', /at least 12/],
    ['\u{1f600}'.repeat(11), /at least 12/],
    ['a b'.repeat(80), /at most 200/],
    ['aaaaaaaaaaaaaaaa', /different characters/],
    ['abcabcabcabcabc', /different characters/],
    ['Password123456', /use most/],
    ['qwertyuiop-1234', /use most/],
    ['Administrator2026', /use most/],
    ['ada.lovelace12', /differ more/],
    ['Ada Lovelace!', /differ more/],
  ]
  for (const [password, reason] of table) {
    assert.throws(
      () => checkPassword(password, person),
      (error) => error instanceof Failure && error.code === 'invalid_input' && reason.test(error.message),
      password,
    )
  }
})

test('long passwords of any characters are taken', () => {
  for (const password of ['correct horse battery', 'twelve chars', 'пароль из слов', 'Ada Lovelace likes looms']) {
    checkPassword(password, person)
  }
})
