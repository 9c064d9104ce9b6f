import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../test/support/linear.ts'
import { createGlobMatcher, escapeGlob, toGlobs } from './glob.ts'

const cases: readonly (readonly [glob: string, fits: readonly string[], not: readonly string[]])[] = [
  ['*.mdx', ['a.mdx', 'g/h/a.mdx'], ['a.md', 'a.mdx/b']],
  ['guides', ['guides', 'guides/a', 'x/guides/b/c'], ['guides2/a']],
  ['guides/', ['guides/a/b'], ['guides', 'x/guides/a']],
  ['guides/*', ['guides/a'], ['guides/a/b', 'guides']],
  ['guides/**', ['guides/a', 'guides/a/b'], ['guides', 'guidesx/a']],
  ['**/a.md', ['a.md', 'x/y/a.md'], ['xa.md']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab']],
  ['a**b/c', ['axb/c', 'ab/c'], ['a/b/c']],
  ['a?.md/x', ['ab.md/x'], ['a/.md/x', 'a.md/x']],
  ['[a-c]x/y', ['bx/y'], ['dx/y', '/x/y']],
  ['[!a-c]x/y', ['dx/y'], ['bx/y', '/x/y']],
  ['a[b/c', ['a[b/c'], ['ab/c', 'a/c']],
  ['\\😀/c', ['😀/c'], ['\\/c', 'x/c']],
  ['{docs,mint}.json', ['docs.json', 'x/mint.json'], ['other.json']],
  ['/a/{b,c{d,e}}.md', ['a/b.md', 'a/cd.md', 'a/ce.md'], ['a/c.md']],
  ['./a/b', ['a/b', 'a/b/c'], ['x/a/b']],
  ['', ['a', 'b/c'], []],
]

for (const [glob, fits, not] of cases) {
  test(`the glob ${JSON.stringify(glob)} matches as people expect`, () => {
    const matches = createGlobMatcher(toGlobs(glob))
    for (const path of fits) assert.ok(matches(path), path)
    for (const path of not) assert.ok(!matches(path), path)
  })
}

test('an escaped path matches only itself', () => {
  const part = fc.string({
    unit: fc.constantFrom('a', '*', '?', '[', ']', '{', '}', ',', '\\', 'é'),
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(part, part, (a, b) => {
      const matches = createGlobMatcher(toGlobs(`x/${escapeGlob(a)}`))
      assert.ok(matches(`x/${a}`))
      assert.equal(matches(`x/${b}`), a === b)
    }),
  )
})

test('a glob takes linear time and has a limited number of alternatives', () => {
  const matches = createGlobMatcher(toGlobs('*a'.repeat(200)))
  const path = (size: number) => `${'a'.repeat(size)}b`
  assert.equal(matches(path(4000)), false)
  assertLinear(path, matches, { size: 4000, name: 'two hundred stars' })
  assert.throws(() => toGlobs('{a,b}'.repeat(10)), /alternatives/)
  assert.throws(() => toGlobs('a'.repeat(501)), /characters/)
})
