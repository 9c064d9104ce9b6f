// The page of cases names tests that exist, so that a renamed or deleted test does not leave a claim without one.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../', import.meta.url)
const rows = readFileSync(new URL('docs/cases.md', root), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))

test('every case names tests that exist, or says why there is no test', () => {
  assert.ok(rows.length >= 82, String(rows.length))
  for (const row of rows) {
    const [holds = '', tests = ''] = row.split(' | ').slice(1)
    const named = [...tests.matchAll(/`([^`]+\.test\.tsx?)`: “([^”]+)”/g)]
    if (named.length === 0) assert.match(`${holds} ${tests}`, /^(?:Cannot happen|Not yet): .* — \|$/, row)
    for (const [, path = '', name = ''] of named)
      assert.ok(readFileSync(new URL(path, root), 'utf8').includes(name), `${path}: ${name}`)
  }
})
