import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import type { BranchFile } from '../../workspace.ts'
import { createChangesTool } from './changes.ts'
import { createRevertTool } from './revert.ts'

const signal = new AbortController().signal
const base: Readonly<Record<string, string>> = {
  'a.md': 'old\n',
  'gone.md': 'g\n',
  'm.md': 'moved\n',
  'same.md': 's\n',
}
const header = 'diff --git a/a.md b/a.md\nindex 1..2 100644\n--- a/a.md\n+++ b/a.md\n'
const counts = { previousPath: null, binary: false, additions: 1, deletions: 0, patch: '' }
const files: readonly BranchFile[] = [
  { ...counts, path: 'a.md', status: 'modified', deletions: 1, patch: `${header}@@ -1 +1 @@\n-old\n+new\u200b\n` },
  { ...counts, path: 'gone.md', status: 'deleted', additions: 0, deletions: 1 },
  { ...counts, path: 'n.md', status: 'renamed', previousPath: 'm.md', additions: 0 },
  { ...counts, path: 'p.png', status: 'added', binary: true },
]

function open() {
  const memory = createMemoryWorkspace({ 'a.md': 'new\u200b\n', 'n.md': 'moved\n', 'p.png': '\0', 'same.md': 's\n' })
  const branch = {
    base: () => Promise.resolve('c0ffee'),
    files: () => Promise.resolve(files),
    read: (path: string) => Promise.resolve(Object.hasOwn(base, path) ? Buffer.from(base[path] ?? '') : undefined),
  }
  return { memory, context: { workspace: { ...memory, branch }, signal } }
}

test('changes lists the files of the branch, and shows the diff of one', async () => {
  const { context } = open()
  const changes = async (input: object) => (await createChangesTool().run(input, context)).text
  assert.equal(
    await changes({}),
    [
      '[4 files differ from the base]',
      'a.md: modified, +1 -1',
      'gone.md: deleted, +0 -1',
      'n.md: renamed from m.md, +0 -0',
      'p.png: added, binary',
    ].join('\n'),
  )
  assert.equal(await changes({ path: 'a.md' }), '[a.md: modified, +1 -1]\n@@ -1 +1 @@\n-old\n+new\\u{200B}')
  assert.equal(await changes({ path: 'm.md' }), '[n.md: renamed from m.md, +0 -0]')
  assert.equal(await changes({ path: 'same.md' }), '[same.md is as in the base]')
  assert.equal(await changes({ glob: '*.mdx' }), '[no file differs from the base]')
})

test('revert restores a changed, deleted, made or moved file', async () => {
  const { context, memory } = open()
  const revert = (path: string) => createRevertTool().run({ path }, context)
  assert.equal((await revert('a.md')).text, '[a.md is as in the base again]')
  assert.equal((await revert('gone.md')).text, '[gone.md is as in the base again]')
  assert.equal((await revert('p.png')).text, '[deleted p.png, which the base does not have]')
  const moved = await revert('n.md')
  assert.equal(moved.text, '[m.md is as in the base again; deleted n.md, which the base does not have]')
  assert.deepEqual(moved.facts?.reverted, { base: 'c0ffee', paths: ['m.md', 'n.md'] })
  assert.deepEqual(memory.texts(), base)
  assert.equal((await revert('same.md')).text, '[same.md is as in the base already]')
  assert.equal((await revert('nothing.md')).isError, true)
})
