import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIsVisible } from './visible.ts'

test('only files under the paths are seen, and no secret among them', () => {
  const isVisible = createIsVisible(['src', '*.md', '/packages/*/api/**'])
  const seen = ['src/a.ts', 'README.md', 'docs/a.md', 'packages/x/api/b.go']
  for (const path of seen) assert.ok(isVisible(path), path)
  for (const path of ['lib/a.ts', 'packages/x/b.go', 'src/.env', 'src/a.pem']) assert.ok(!isVisible(path), path)
  assert.deepEqual([createIsVisible([])('lib/a.ts'), createIsVisible([])('lib/id_rsa')], [true, false])
})
