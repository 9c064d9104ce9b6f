import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHash, toHex } from './line-hash.ts'
import { createLineHash, createLineIds, toLineId } from './line-id.ts'

const idsOf = (lines: readonly string[], { project = 'prj_a', scope = '', window = 65_536 } = {}) => {
  const ids = createLineIds(createLineHash(project), window)
  return lines.map((line) => {
    const { hash, before } = ids.count(Buffer.from(line))
    return toHex(toLineId(hash, before, scope))
  })
}

test('without a key, a hash is that of MurmurHash3_x86_128', () => {
  // Published with the implementations at github.com/aappleby/smhasher and github.com/karanlyons/murmurHash3.js.
  const known = [
    ['', '00000000000000000000000000000000'],
    ['I will not buy this record, it is scratched.', 'a0a9683b25ac5e40d9af2895890dddf5'],
    ['The quick brown fox jumps over the lazy dog', '2f1583c3ecee2c675d7bf66ce5e91d2c'],
  ] as const
  const hash = createHash('')
  for (const [text, hex] of known) assert.equal(toHex(hash(Buffer.from(text))), hex, text)
})

test('bytes of every length around a block have hashes of their own', () => {
  const hash = createHash('key')
  const made = Array.from({ length: 70 }, (_, length) => toHex(hash(new Uint8Array(length))))
  assert.equal(new Set(made).size, 70)
})

test('identical lines get different ids, and the same ids when read again', () => {
  const lines = ['a', 'b', 'a', 'a', 'b']
  assert.equal(new Set(idsOf(lines)).size, 5)
  assert.deepEqual(idsOf(lines), idsOf(lines))
})

test('a file that starts at a later line has the same ids for the lines in common', () => {
  const lines = Array.from({ length: 100 }, (_, n) => `line ${n >> 1}`)
  assert.deepEqual(idsOf(lines.slice(20)), idsOf(lines).slice(20))
})

test('the same line gets another id in another project, and in another scope', () => {
  const others = [{}, { project: 'prj_b' }, { scope: 'docs.example.com' }, { scope: 'example.com' }]
  assert.equal(new Set(others.flatMap((about) => idsOf(['a', 'a'], about))).size, 8)
})

test('only lines within the window count as repetitions', () => {
  const far = ['a', ...Array.from({ length: 20 }, (_, n) => String(n)), 'a']
  const ids = idsOf(far, { window: 8 })
  assert.equal(ids[0], ids.at(-1))
  const near = idsOf(['a', ...far.slice(1, 8), 'a'], { window: 8 })
  assert.notEqual(near[0], near.at(-1))
})

test('the window of an import has 65,536 different lines, and twice that is remembered', () => {
  for (const [others, isRemembered] of [
    [131_070, true],
    [131_071, false],
  ] as const) {
    const ids = idsOf(['a', ...Array.from({ length: others }, (_, n) => String(n)), 'a'])
    assert.equal(ids[0] !== ids.at(-1), isRemembered, String(others))
  }
})
