import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findingKinds } from './finding.ts'

test('the table in docs/guides/check.md is the table in the code', () => {
  const page = readFileSync(new URL('../../docs/guides/check.md', import.meta.url), 'utf8')
  const rows = Array.from(page.matchAll(/^\| `([\w-]+)` \| (breaking|wrong) \| (.*) \|$/gm), ([, ...cells]) => cells)
  assert.deepEqual(
    rows,
    Object.entries(findingKinds).map(([kind, { severity, about }]) => [kind, severity, about]),
  )
})
