import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { createKeyText, digestKey, isKeyText, keyHint } from './key-text.ts'

test('a new key is of the published form and carries its checksum', () => {
  const key = createKeyText()
  assert.match(key, /^docent_[0-9A-Za-z]{46}$/)
  assert.ok(isKeyText(key))
  assert.notEqual(createKeyText(), key)
})

test('the published test vector holds', () => {
  const body = 'docent_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd'
  assert.ok(isKeyText(`${body}3Mh7Oa`), 'the checksum of the vector in docs/guides/keys.md')
})

test('any other character anywhere makes it no key', () => {
  const key = createKeyText()
  const change = fc.record({ at: fc.nat(key.length - 1), to: fc.constantFrom('a', 'Z', '0', '9', '_', ' ', 'é') })
  fc.assert(
    fc.property(change, ({ at, to }) => {
      fc.pre(key[at] !== to)
      assert.equal(isKeyText(key.slice(0, at) + to + key.slice(at + 1)), false)
    }),
  )
})

test('stored and shown values do not reveal the key', () => {
  const key = createKeyText()
  assert.match(digestKey(key), /^[0-9a-f]{64}$/)
  assert.equal(keyHint(key).length, 16)
  assert.ok(!keyHint(key).includes(key.slice(12, 40)))
})

test('the rule for gitleaks in the docs finds keys in any text, and nothing else', () => {
  const page = readFileSync(new URL('../../docs/guides/keys.md', import.meta.url), 'utf8')
  const rule = /```toml\n([^]*?)```/.exec(page)?.[1] ?? ''
  const pattern = /^regex = '''(.+)'''$/m.exec(rule)?.[1]
  const [keyword = ''] = /^keywords = \["(.+)"\]$/m.exec(rule)?.slice(1) ?? []
  assert.ok(pattern !== undefined && keyword !== '', 'the page has no rule')
  const found = (text: string) => (text.includes(keyword) ? text.match(new RegExp(pattern, 'g')) : null)
  for (let times = 0; times < 100; times += 1) {
    const key = createKeyText()
    for (const text of [key, `KEY=${key}\n`, `"Bearer ${key}"`, `https://x/?key=${key}&y`, `(${key}).`]) {
      assert.deepEqual(found(text), [key], text)
    }
    for (const text of [key.slice(0, -1), `${key}x`, `x${key}`, key.replace('_', '-'), key.toUpperCase()]) {
      assert.equal(found(text), null, text)
    }
  }
  for (const text of ['docent_…', 'docent_runs', `docent_${'é'.repeat(46)}`, 'ghp_0123456789']) {
    assert.equal(found(text), null, text)
  }
})
