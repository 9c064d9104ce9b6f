import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { toListing, toPage } from '../../../scripts/label-user-agents.ts'

const read = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')

test('docs/user-agents.{md,tsv} are up to date (node scripts/label-user-agents.ts)', async () => {
  assert.ok((await read('user-agents.md')) === (await toPage()), 'docs/user-agents.md differs from the rules')
  assert.ok((await read('user-agents.tsv')) === toListing(), 'docs/user-agents.tsv differs from the rules')
})
