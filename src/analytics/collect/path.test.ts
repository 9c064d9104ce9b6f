import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { maxPathLength, normalisePath } from './path.ts'

const table: readonly (readonly [string, string])[] = [
  ['', '/'],
  ['/', '/'],
  ['//', '/'],
  ['quickstart', '/quickstart'],
  ['/quickstart/', '/quickstart'],
  ['//host/path', '/host/path'],
  ['/a//b///c', '/a/b/c'],
  ['/a?token=secret', '/a'],
  ['/a#part', '/a'],
  ['/a#x?y', '/a'],
  ['/a.md', '/a'],
  ['/a.mdx', '/a'],
  ['/a.html', '/a'],
  ['/a.html.md', '/a'],
  ['/a.HTML', '/a'],
  ['/a.htm', '/a'],
  ['/A.MD', '/A'],
  ['/a/index.htm', '/a'],
  ['/index.md', '/'],
  ['/a/index.html', '/a'],
  ['/a/index', '/a'],
  ['/a/index/', '/a'],
  ['/indexing', '/indexing'],
  ['/a/.md', '/a/.md'],
  ['/v1.2', '/v1.2'],
  ['/llms.txt', '/llms.txt'],
  ['/llms-full.txt', '/llms-full.txt'],
  ['/skill.md', '/skill'],
  ['/API/Reference', '/API/Reference'],
  ['/a/./b/../c', '/a/c'],
  ['/../../etc', '/etc'],
  ['/a/%2e%2e/b', '/b'],
  ['/q%75ick', '/quick'],
  ['/a%2fb', '/a%2Fb'],
  ['/a%2Fb', '/a%2Fb'],
  ['/%7euser', '/~user'],
  ['/a b', '/a%20b'],
  ['/a%20b', '/a%20b'],
  ['/über', '/%C3%BCber'],
  ['/%c3%bcber', '/%C3%BCber'],
  ['/u%CC%88ber', '/%C3%BCber'],
  ['/u\u0308ber', '/%C3%BCber'],
  ['/%ff%fe', '/%FF%FE'],
  ['/100%', '/100%25'],
  ['/%zz', '/%25zz'],
  ['/a\u0000b', '/a%00b'],
  ['/a%00b', '/a%00b'],
  ['/\ud800', '/%EF%BF%BD'],
  ['/a%3Fb%23c', '/a%3Fb%23c'],
  ['/a&b=c', '/a&b=c'],
  ['/"<>\\^`{|}', '/%22%3C%3E%5C%5E%60%7B%7C%7D'],
]

for (const [raw, normal] of table) {
  test(`the path of ${JSON.stringify(raw)} is ${normal}`, () => assert.equal(normalisePath(raw), normal))
}

test('thousands of marks on one letter take linear time', () => {
  const makePath = (marks: number) => `/a${'\u0301\u0323'.repeat(marks)}`
  const normalise = (path: string) => {
    for (let n = 0; n < 20; n += 1) assert.equal(normalisePath(path), undefined)
  }
  assertLinear(makePath, normalise, { size: 8_000, name: 'marks' })
  const kept = `/a${'\u0301\u0323'.repeat(20)}`
  assert.equal(normalisePath(kept), encodeURI(kept))
  assert.equal(normalisePath(encodeURI(kept)), encodeURI(kept))
})

test('a path of more than 2,048 bytes is refused', () => {
  assert.equal(normalisePath(`/${'a'.repeat(maxPathLength - 1)}`)?.length, maxPathLength)
  assert.equal(normalisePath(`/${'a'.repeat(maxPathLength)}`), undefined)
  assert.equal(normalisePath(`/${'ü'.repeat(400)}`), undefined)
  assert.equal(normalisePath('/'.repeat(1_000_000)), undefined)
})

test('normalising twice changes nothing, and leaves no query, fragment or control', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc
      .array(
        fc.constantFrom(
          '/',
          '.',
          '..',
          '%',
          '%2e',
          '%2F',
          '%C3',
          '%BC',
          '%00',
          'index',
          '.md',
          '.html',
          'a',
          'ü',
          'u\u0308',
          '?',
          '#',
        ),
      )
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(anything, (raw) => {
      const once = normalisePath(raw)
      if (once === undefined) return
      assert.equal(normalisePath(once), once)
      assert.match(once, /^\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2}|\/(?!\/))*$/)
      assert.doesNotMatch(once, /.\/$/)
    }),
    { numRuns: 3_000 },
  )
})
