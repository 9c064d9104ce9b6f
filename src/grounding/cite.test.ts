import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../test/support/memory-workspace.ts'
import { parseCitation, verifyCitations } from './cite.ts'

test('a citation names a source, a file and lines, or less', () => {
  assert.deepEqual(parseCitation('@api/src/a.ts:12-30'), { name: 'api', path: 'src/a.ts', lines: { from: 12, to: 30 } })
  assert.deepEqual(parseCitation('src/a.ts#L3'), { name: '', path: 'src/a.ts', lines: { from: 3, to: 3 } })
  assert.deepEqual(parseCitation('src/a.ts'), { name: '', path: 'src/a.ts', lines: undefined })
  for (const wrong of ['', '@api', '@API/a', '../a', 'a/../b', 'a:0', 'a:3-2', 'a:b', '/a', 'https://example.com/a']) {
    assert.equal(parseCitation(wrong), undefined, wrong)
  }
})

test('citations hold if the file has the lines; others are dropped and counted', async () => {
  const files = createMemoryWorkspace({ 'a.ts': 'one\ntwo\n', 'link.ts': { kind: 'symlink' } })
  const api = { files, repository: 'https://git.example/api', commit: 'c0ffee' }
  const cited = [
    '@api/a.ts:1-2',
    '@api/a.ts:1-3',
    '@api/gone.ts',
    '@other/a.ts',
    'a.ts',
    '@api/link.ts',
    '@api/a.ts:1-2',
  ]
  const { held, dropped } = await verifyCitations(
    cited.map((source) => ({ page: 'docs/p.md', source })),
    (name) => (name === 'api' ? api : undefined),
  )
  assert.deepEqual(
    held.map(({ name, path, lines, commit }) => ({ name, path, lines, commit })),
    [{ name: 'api', path: 'a.ts', lines: { from: 1, to: 2 }, commit: 'c0ffee' }],
  )
  assert.equal(dropped, 5)
})
