import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tree, TreeEntry } from '../../git/types.ts'
import { openEditedTree } from './edited-tree.ts'

test('files have the order of a commit, wherever an edit changed or added one', () => {
  const entries = ['a.md', 'b.md', 'c.md', 'e.md'].map((path): TreeEntry => {
    return { path, kind: 'file', size: 1, mode: '100644', oid: '1'.repeat(40) }
  })
  const tree: Pick<Tree, 'commit' | 'entries' | 'read'> = {
    commit: '0'.repeat(40),
    entries: () => entries,
    read: () => Promise.resolve(undefined),
  }
  const edit = (path: string, text: string | null) =>
    ({ path, content: text === null ? null : Buffer.from(text), mode: '100644' }) as const
  const pathsOf = (...edits: readonly ReturnType<typeof edit>[]) =>
    openEditedTree(tree, edits)
      .entries()
      .map(({ path }) => path)
  assert.deepEqual(pathsOf(edit('b.md', 'B')), ['a.md', 'b.md', 'c.md', 'e.md'])
  assert.deepEqual(pathsOf(edit('d.md', 'D'), edit('a.md', null)), ['b.md', 'c.md', 'd.md', 'e.md'])
})
