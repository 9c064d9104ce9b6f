import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTree } from '../../../../test/support/memory-tree.ts'
import { findDeletions } from './deletions.ts'

type Files = Readonly<Record<string, string>>

async function judge(before: Files, after: Files, messages: readonly string[], mostPercent: number | null = null) {
  const base = memoryTree(before)
  const found = await findDeletions({
    before: base.entries(),
    after: memoryTree(after).entries(),
    textOf: (path) => Promise.resolve(before[path]),
    messages,
    mostPercent,
  })
  return found.map(({ path, message }) => `${path} ${message}`)
}

function pagesOf(count: number): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`docs/page-${at}.md`, `# Page ${at}\n`]))
}

test('a deleted page that a message names in some form is not shown', async () => {
  const path = 'docs/cli/getting-started.mdx'
  const files = { [path]: '---\ntitle: "First steps"\n---\n', 'docs/cli/index.md': '# CLI\n', 'img/a.png': '' }
  const after = { 'docs/cli/index.md': '# CLI\n' }
  const named = [
    'Delete docs/cli/getting-started.mdx',
    'remove `getting-started.mdx`, please',
    'The page Getting Started is old',
    'Delete /cli/getting-started',
    'Remove "First Steps".',
    'Delete everything in docs/cli/',
    'Delete `docs/cli/**`.',
    'We do not need the CLI folder',
  ]
  for (const message of named) assert.deepEqual(await judge(files, after, ['Hello', message]), [], message)
  const others = ['Fix typos', 'Delete docs/cli/getting-started2.mdx', 'Delete docs/cli/old/', 'started', 'docs']
  for (const message of others) {
    assert.deepEqual(await judge(files, after, [message]), [`${path} is deleted, and no message names it`], message)
  }
})

test('the first page of a folder has the name of the folder', async () => {
  const files = { 'docs/billing/index.md': '', 'docs/a.md': '' }
  assert.deepEqual(await judge(files, { 'docs/a.md': '' }, ['Delete the billing page']), [])
  assert.equal(
    (await judge(files, { 'docs/a.md': '' }, ['Delete the index']))[0]?.split(' ')[0],
    'docs/billing/index.md',
  )
})

test('a moved page is not deleted', async () => {
  const before = { 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' }
  assert.deepEqual(await judge(before, { 'guides/a.md': '# A, again\n', 'docs/c.md': '# B\n' }, []), [])
})

test('many deleted pages are shown although a message names them', async () => {
  const message = ['Delete docs/']
  const without = (count: number, of: number) =>
    Object.fromEntries(Object.entries(pagesOf(of)).filter((_, at) => at >= count))
  const many = async (count: number, of: number, percent?: number) =>
    (await judge(pagesOf(of), without(count, of), message, percent)).map((text) => text.replace(/^\S+ /, ''))
  assert.deepEqual(await many(3, 30), [], 'ten percent')
  assert.deepEqual(await many(3, 29), ['is one of 3 deleted pages, of 29'])
  assert.deepEqual(await many(2, 2), [], 'fewer than three')
  assert.deepEqual(await many(17, 34, 50), [])
  assert.deepEqual(await many(18, 34, 50), ['is one of 18 deleted pages, of 34'])
})
