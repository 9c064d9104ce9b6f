// Problems that are fixed, and problems that are only out of sight.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../test/support/check-files.ts'
import { memoryTree } from '../../test/support/docs-sites.ts'
import { compareChecks } from './compare.ts'
import { findFixed } from './fixed.ts'
import { findMoves } from './moves.ts'

type Files = Readonly<Record<string, string>>

async function fixed(from: Files, change: Readonly<Record<string, string | null>>): Promise<string> {
  const [old, now] = [memoryTree(from), memoryTree(from, change)]
  const [before, after] = [await checkFiles(old), await checkFiles(now)]
  const moves = findMoves(old.entries(), now.entries())
  return showFindings(findFixed(compareChecks(before.findings, after.findings, moves).fixed, { before, after, moves }))
}

const broken = { 'docs.json': '{ "navigation": {} }', 'a.mdx': '[b](/missing)\n', 'b.mdx': '# B\n' }

test('a link is fixed by another address and by a page that it leads to', async () => {
  assert.equal(await fixed(broken, { 'a.mdx': '[b](/b)\n' }), 'a.mdx:1 link /missing')
  assert.equal(await fixed(broken, { 'missing.mdx': '# Here\n' }), 'a.mdx:1 link /missing')
})

test('a page that is gone or no longer parses fixes none of its problems', async () => {
  assert.equal(await fixed(broken, { 'a.mdx': null }), '')
  assert.equal(await fixed(broken, { 'a.mdx': '<Open>\n' }), '')
  assert.equal(await fixed(broken, { 'a.mdx': null, 'c.mdx': '[b](/b)\n' }), '')
})

test('a field that is no longer expected is not fixed', async () => {
  const page = (at: number, field = 'description: D\n') => [`p${at}.md`, `---\n${field}title: ${at}\n---\n# P${at}\n`]
  const pages = Array.from({ length: 20 }, (_, at) => page(at, at === 0 ? '' : undefined))
  const from = { 'mkdocs.yml': 'site_name: x\ndocs_dir: docs\n', ...inDocs(pages) }
  assert.equal(await fixed(from, inDocs([page(0)])), 'docs/p0.md:1 field description')
  assert.equal(await fixed(from, inDocs([page(5, '')])), '')
})

function inDocs(pages: readonly (readonly string[])[]): Files {
  return Object.fromEntries(pages.map(([path = '', text = '']) => [`docs/${path}`, text]))
}
