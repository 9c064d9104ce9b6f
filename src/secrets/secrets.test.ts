import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { test } from 'node:test'
import { generateKey, parseKeys } from './keys.ts'
import { createSecrets, keyIdOf, type Secrets, SecretUnreadable } from './secrets.ts'

const texts = { old: generateKey(), new: generateKey() }
const oldOnly = withKeys(texts.old)
const both = withKeys(`${texts.new},${texts.old}`)
const newOnly = withKeys(texts.new)

function withKeys(text: string): Secrets {
  const ring = parseKeys(text)
  return createSecrets(() => ring)
}

const word = fc.string({ unit: 'grapheme' })

test('a value decrypts to its text for the same owner and purpose', () => {
  fc.assert(
    fc.property(word, word, word, (owner, purpose, text) => {
      assert.equal(oldOnly.decrypt(owner, purpose, oldOnly.encrypt(owner, purpose, text)), text)
    }),
  )
})

test('a value does not decrypt for another owner or purpose', () => {
  fc.assert(
    fc.property(fc.tuple(word, word), fc.tuple(word, word), (mine, other) => {
      fc.pre(mine[0] !== other[0] || mine[1] !== other[1])
      const value = oldOnly.encrypt(...mine, 'secret')
      assert.throws(() => oldOnly.decrypt(...other, value), SecretUnreadable)
    }),
  )
})

test('a derived text depends on owner, purpose and key, and is the same each time', () => {
  const texts = [
    oldOnly.derive('run_1', 'notices'),
    oldOnly.derive('run_2', 'notices'),
    oldOnly.derive('run_1', 'x'),
    createSecrets(() => parseKeys(generateKey())).derive('run_1', 'notices'),
  ]
  assert.equal(new Set(texts).size, 4)
  assert.ok(texts.every((text) => /^[\w-]{16}$/.test(text)))
  assert.equal(oldOnly.derive('run_1', 'notices'), texts[0])
})

test('a value with any changed character does not decrypt', () => {
  const value = oldOnly.encrypt('prj_1', 'credential', 'secret')
  for (let at = 0; at < value.length; at += 1) {
    for (const character of ['A', 'B', 'a', '0', '1', '.', '_']) {
      if (value[at] === character) continue
      const changed = value.slice(0, at) + character + value.slice(at + 1)
      assert.throws(() => oldOnly.decrypt('prj_1', 'credential', changed), SecretUnreadable, changed)
    }
  }
})

test('a value with any flipped bit does not decrypt', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, position) => {
      const [version, id, nonce = '', rest = ''] = oldOnly.encrypt('prj_1', 'credential', text).split('.')
      const bytes = Buffer.from(nonce + rest, 'base64url')
      const bit = position % (bytes.length * 8)
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const parts = [version, id, bytes.subarray(0, 12).toString('base64url'), bytes.subarray(12).toString('base64url')]
      assert.throws(() => oldOnly.decrypt('prj_1', 'credential', parts.join('.')), SecretUnreadable)
    }),
  )
})

test('a value with a cut tag does not decrypt', () => {
  const [version, id, nonce, rest = ''] = oldOnly.encrypt('prj_1', 'credential', 'a secret of some length').split('.')
  const bytes = Buffer.from(rest, 'base64url')
  for (let cut = 1; cut <= bytes.length; cut += 1) {
    const value = [version, id, nonce, bytes.subarray(0, -cut).toString('base64url')].join('.')
    assert.throws(() => oldOnly.decrypt('prj_1', 'credential', value), SecretUnreadable, `cut by ${cut}`)
  }
})

test('a tag of 4 bytes that fits its ciphertext is not accepted', () => {
  const ring = parseKeys(texts.old)
  const nonce = Buffer.alloc(12, 7)
  const cipher = createCipheriv('aes-256-gcm', ring[0].cipherKey, nonce, { authTagLength: 4 })
  cipher.setAAD(Buffer.from(JSON.stringify(['v1', ring[0].id, 'prj_1', 'credential'])))
  const encrypted = Buffer.concat([cipher.update('a secret of some length'), cipher.final(), cipher.getAuthTag()])
  const value = ['v1', ring[0].id, nonce.toString('base64url'), encrypted.toString('base64url')].join('.')
  assert.throws(() => oldOnly.decrypt('prj_1', 'credential', value), SecretUnreadable)
})

test('the first key encrypts and all keys decrypt', () => {
  const byOld = oldOnly.encrypt('prj_1', 'credential', 'secret')
  assert.equal(both.decrypt('prj_1', 'credential', byOld), 'secret')
  const byBoth = both.encrypt('prj_1', 'credential', 'secret')
  assert.equal(newOnly.decrypt('prj_1', 'credential', byBoth), 'secret')
  assert.equal(keyIdOf(byBoth), parseKeys(texts.new)[0].id)
})

test('a value of an unknown key is refused with the name of the key', () => {
  const byNew = newOnly.encrypt('prj_1', 'credential', 'secret')
  const id = parseKeys(texts.new)[0].id
  assert.throws(() => oldOnly.decrypt('prj_1', 'credential', byNew), {
    name: 'SecretUnreadable',
    message: `The value was encrypted with the key ${id}, which this service does not have.`,
  })
})

test('the same text gives another value each time', () => {
  const values = Array.from({ length: 100 }, () => oldOnly.encrypt('prj_1', 'credential', 'secret'))
  assert.equal(new Set(values).size, 100)
})

test('text that is no encrypted value is refused', () => {
  const hostile = ['', 'v1', 'v1...', 'v2.000000000000.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA', 'ghp_plain']
  for (const value of hostile) {
    assert.throws(() => oldOnly.decrypt('prj_1', 'credential', value), SecretUnreadable)
    assert.equal(keyIdOf(value), undefined)
  }
  fc.assert(
    fc.property(fc.string(), (value) => {
      assert.throws(() => oldOnly.decrypt('prj_1', 'credential', value), SecretUnreadable)
    }),
  )
})

test('a key is 32 bytes in base64, and a mistake names its number and no key', () => {
  assert.equal(parseKeys(` ${texts.new} , ${texts.old} `).length, 2)
  const wrong = ['', ',', 'short', `${texts.old},`, texts.old.slice(1), `${'A'.repeat(42)}B=`, 'a'.repeat(64)]
  for (const text of wrong) {
    assert.throws(
      () => parseKeys(text),
      (error: Error) => error.message.startsWith('must be 32 bytes in base64') && !error.message.includes(texts.old),
      text,
    )
  }
  assert.throws(() => parseKeys(`${texts.old},short`), /number 2 is not/)
  assert.throws(() => parseKeys(`${texts.old},${texts.old}`), /holds the same key twice/)
})

test('a printed key shows nothing of itself', () => {
  const [key] = parseKeys(texts.old)
  const bytes = key.cipherKey.export()
  const printed = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key)
  for (const encoding of ['hex', 'base64'] as const) {
    assert.ok(!printed.includes(bytes.toString(encoding)))
    assert.ok(!printed.includes(Buffer.from(texts.old, 'base64').toString(encoding)))
  }
})
