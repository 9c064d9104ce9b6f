// Nothing outside the paths of a source is readable, whatever the paths, the globs and the pattern are.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { signal } from '../../../test/support/git-remote.ts'
import { servedSource, within } from '../../../test/support/git-source.ts'
import { coverWanted } from './cover.ts'

const names = ['a.ts', '[a].ts', '*', 'b c.md', 'é', ':(top)x', '-e', '!a', 'a\\b', '\u0001x', 'A.TS', '**']
const folders = ['', 'src/', 'src/[x]/', 'docs/', 'src2/', ':/']
const files = Object.fromEntries(
  folders.flatMap((folder) => names.map((name) => [folder + name, `secret of ${folder}${name}\n`])),
)
const every = Object.keys(files)
const glob = fc.oneof(
  fc.constantFrom(
    'src/',
    'src/**',
    '**',
    '*',
    'docs',
    '[a].ts',
    '!src',
    ':(top)x',
    ':!src',
    ':(exclude)src',
    '../**',
    '-e',
    ':/',
    '',
  ),
  fc.string({
    unit: fc.constantFrom('*', '?', '[', ']', '!', ':', '/', '(', ')', 'a', 's', 'r', 'c', '\\', '-', '.'),
    maxLength: 8,
  }),
)

test('no file outside the paths is listed, read or found', async (t) => {
  const { source } = await servedSource(t, files)
  const { commit } = await source.fetch({ branch: 'main', isVisible: within() }, signal())
  const paths = fc.array(glob, { minLength: 1, maxLength: 3 })
  const pattern = fc.constantFrom('secret', '.', '^', 's.*', 'of src', '(a|secret)')
  const property = fc.asyncProperty(paths, paths, pattern, async (given, globs, pattern) => {
    const isVisible = within(...given)
    const visible = every.filter(isVisible)
    const tree = await source.tree(commit, isVisible)
    assert.deepEqual(
      tree
        .entries()
        .map(({ path }) => path)
        .toSorted(),
      visible.toSorted(),
    )
    for (const path of every) {
      const content = await tree.read(path)
      assert.equal(content !== undefined, visible.includes(path), path)
      assert.equal(tree.entry(path) !== undefined, visible.includes(path))
    }
    const query = { pattern, syntax: 'regex', ignoreCase: false, limit: 1000 } as const
    for (const asked of [{ globs: [] }, { globs: globs.filter((one) => one !== '') }, { globs: [], exclude: globs }]) {
      for (const without of [false, true]) {
        const found = await tree.search({ ...query, ...asked, without }, signal()).catch(() => undefined)
        const outside = found?.matches.filter(({ path }) => !visible.includes(path))
        assert.deepEqual(outside ?? [], [])
      }
    }
    const all = await tree.search({ ...query, pattern: '.', globs: [] }, signal())
    assert.equal(all.matches.length, visible.length)
  })
  await fc.assert(property, { numRuns: 25 })
})

test('the ids that are asked for lead to all wanted contents, and to no other one', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
  const paths = fc.uniqueArray(fc.tuple(path, fc.boolean()), { selector: ([one]) => `${one}/x`, maxLength: 12 })
  const property = fc.property(paths, (given) => {
    const all = given.map(([folder, isWanted]) => ({ path: `${folder}/x`, isWanted }))
    const listed = all.flatMap(({ path }) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, at, parts) => parts.slice(0, at + 1).join('/')),
    )
    const list = all.map(({ path }) => ({ path, oid: `blob ${path}`, kind: 'file', size: 0, mode: '100644' }) as const)
    const known = { root: 'tree ', folders: new Map(listed.map((folder) => [folder, `tree ${folder}`])), files: list }
    const wanted = new Set(all.filter(({ isWanted }) => isWanted).map(({ path }) => `blob ${path}`))
    const oids = coverWanted(known, wanted)
    const isUnder = (file: string) => (oid: string) =>
      oid === `blob ${file}` || oid === 'tree ' || (oid.startsWith('tree ') && file.startsWith(`${oid.slice(5)}/`))
    for (const { path, isWanted } of all) assert.equal(oids.filter(isUnder(path)).length, isWanted ? 1 : 0, path)
  })
  fc.assert(property)
})
