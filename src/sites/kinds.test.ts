import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { toPage } from '../../scripts/write-kinds.ts'

test('docs/guides/kinds.md is up to date (node scripts/write-kinds.ts)', async () => {
  const page = await readFile(new URL('../../docs/guides/kinds.md', import.meta.url), 'utf8')
  assert.equal(page, toPage())
})
