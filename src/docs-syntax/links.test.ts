import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createDocsTree, resolveAddress, writeAddress } from './links.ts'

const paths = [
  'docs.json',
  'index.mdx',
  'a.mdx',
  'a.md',
  'g/b.mdx',
  'g/index.md',
  'g/x y.mdx',
  'img/p.png',
  'public/q.png',
  'sub/docs.json',
  'sub/a.mdx',
  'sub/h/c.mdx',
]
const roots = [
  { folder: '', route: '' },
  { folder: 'sub', route: '' },
]
const tree = createDocsTree(paths, roots)

const cases: readonly (readonly [from: string, address: string, path: string | undefined])[] = [
  ['g/b.mdx', '/a', 'a.mdx'],
  ['g/b.mdx', '/a.md#x', 'a.md'],
  ['g/b.mdx', '../a', 'a.mdx'],
  ['g/b.mdx', 'x%20y?v', 'g/x y.mdx'],
  ['a.mdx', 'g', 'g/index.md'],
  ['a.mdx', 'g/', 'g/index.md'],
  ['a.mdx', '/', 'index.mdx'],
  ['a.mdx', '#x', 'a.mdx'],
  ['a.mdx', '/q.png', 'public/q.png'],
  ['sub/h/c.mdx', '/a', 'sub/a.mdx'],
  ['sub/h/c.mdx', '/g/b', 'g/b.mdx'],
  ['a.mdx', '../../etc/passwd', undefined],
  ['a.mdx', 'https://x.y/a', undefined],
  ['a.mdx', '//x.y/a', undefined],
  ['a.mdx', 'mailto:a', undefined],
  ['a.mdx', '%E0%A4%A', undefined],
  ['a.mdx', '', undefined],
  ['a.mdx', '__proto__', undefined],
]

for (const [from, address, path] of cases) {
  test(`in ${from} the address ${JSON.stringify(address)} means ${path}`, () => {
    assert.equal(resolveAddress(tree, from, address)?.path, path)
  })
}

test('a rewritten address means the new path, with the same suffix', () => {
  const addresses = cases.filter(([, address, path]) => path !== undefined && !address.startsWith('#'))
  fc.assert(
    fc.property(
      fc.constantFrom(...addresses),
      fc.constantFrom('n.mdx', 'g/n.mdx', 'g/(n) m.mdx', 'z/y/n.mdx', 'z/index.mdx'),
      ([from, address], path) => {
        const target = resolveAddress(tree, from, address)
        assert.ok(target)
        const written = writeAddress(tree, from, { address, target, path })
        const moved = createDocsTree([...paths.filter((one) => one !== target.path), path], roots)
        assert.equal(resolveAddress(moved, from, written)?.path, path, written)
        assert.ok(written.endsWith(target.suffix))
        assert.match(written, /^[^\s()<>"']*$/)
      },
    ),
  )
})
