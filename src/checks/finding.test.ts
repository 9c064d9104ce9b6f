import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findingKinds } from './finding.ts'
import { splitIgnored } from './ignore.ts'

test('the table in docs/guides/check.md is the table in the code', () => {
  const page = readFileSync(new URL('../../docs/guides/check.md', import.meta.url), 'utf8')
  const rows = Array.from(page.matchAll(/^\| `([\w-]+)` \| (breaking|wrong) \| (.*) \|$/gm), ([, ...cells]) => cells)
  assert.deepEqual(
    rows,
    Object.entries(findingKinds).map(([kind, { severity, about }]) => [kind, severity, about]),
  )
})

test('a kind of problem is ignored in a file, below a folder, or everywhere', () => {
  const findings = [
    { kind: 'link', path: 'docs/legal/a.md' },
    { kind: 'link', path: 'docs/legal.md' },
    { kind: 'image', path: 'docs/legal/a.md' },
  ] as const
  const ignored = (path: string) => splitIgnored(findings, [{ kind: 'link', path }]).ignored
  assert.deepEqual(ignored('docs/legal'), [findings[0]])
  assert.deepEqual(ignored('./docs/legal/'), [findings[0]])
  assert.deepEqual(ignored('docs/legal.md'), [findings[1]])
  assert.deepEqual(ignored('docs/leg'), [])
  assert.deepEqual(ignored('.'), [findings[0], findings[1]])
  assert.deepEqual(splitIgnored(findings, [{ kind: 'link', path: '.' }]).kept, [findings[2]])
})
