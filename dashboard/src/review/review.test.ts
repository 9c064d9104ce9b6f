import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobChecks } from '../api/job/checks.ts'
import { placeKey } from '../diff/lines/rows.ts'
import { parseAt, toAt } from './at.ts'
import { filesByKind } from './files-by-kind.ts'
import { marksOf } from './marks.ts'
import { count, plain, wordsLost } from './words.ts'

test('a place in the address comes back as it was', () => {
  for (const path of ['a.md', 'docs/a:12.md', 'a\nb', '12', 'a:7'])
    for (const line of [0, 12]) assert.deepEqual(parseAt(toAt({ path, line })), { path, line })
  for (const path of ['docs/index.md', 'docs/a:7b.md']) assert.deepEqual(parseAt(path), { path, line: 0 })
})

test('new problems, warnings and new sites are marks; old problems are not', () => {
  const finding = { path: 'a.md', line: 3, kind: 'link', severity: 'wrong', suggestion: null, byPerson: false } as const
  const checks: JobChecks = {
    introduced: 1,
    fixed: 1,
    remaining: 1,
    ignored: 0,
    drift: null,
    coverage: { judged: 9, notJudged: [], site: { judged: 9, notJudged: [] } },
    findings: (['introduced', 'fixed', 'remaining'] as const).map((state) => ({ ...finding, state, message: state })),
    losses: [{ path: 'a.md', headings: [], codeBlocks: [], fields: [], words: null }],
    ungrounded: [{ path: 'a.md', line: 5, term: '--max-lines' }],
    grounding: { judged: 9, notJudged: 0, missing: 1 },
    hosts: [{ host: 'b.example', path: 'b.md', line: 1 }],
    expected: [],
    warnings: [{ path: 'a.md', line: null, message: 'is deleted' }],
    refused: [{ path: 'a.md', line: 3, message: 'adds a script' }],
  }
  const marks = [...marksOf(checks)].map(([key, some]) => [key, ...some.map(({ label, text }) => `${label}: ${text}`)])
  const at = (path: string, line: number) => placeKey({ path, at: 'head', line })
  assert.deepEqual(marks, [
    [at('a.md', 0), 'Draft: is deleted'],
    [at('a.md', 3), 'Wrong: introduced'],
    [at('a.md', 5), 'Not found in the sources: --max-lines'],
    [at('b.md', 1), 'New site: b.example'],
  ])
})

test('files are counted by kind', () => {
  const files = [
    { path: 'docs/a.md', status: 'modified' },
    { path: 'b.MDX', status: 'modified' },
    { path: 'c.markdown', status: 'renamed' },
    { path: 'docs.json', status: 'deleted' },
  ] as const
  assert.equal(filesByKind(files), 'Pages: 2 changed, 1 moved. Other files: 1 deleted.')
  assert.equal(filesByKind(files.slice(3)), 'Other files: 1 deleted.')
  assert.equal(filesByKind([]), '')
})

test('texts are short, and hide nothing', () => {
  assert.equal(plain('a\u202eb'), 'a⟨U+202E⟩b')
  assert.equal(plain('x'.repeat(300)), 'x'.repeat(300))
  assert.equal(plain('x'.repeat(301)), `${'x'.repeat(300)}…`)
  assert.equal(plain(`${'x'.repeat(299)}😀`).isWellFormed(), true)
  assert.deepEqual([count(1, 'problem'), count(1_200, 'problem')], ['1 problem', '1,200 problems'])
  assert.equal(wordsLost({ before: 1_200, after: 700 }), 'lost 42 % of its words (1,200 before, 700 now)')
  assert.equal(wordsLost({ before: 0, after: 0 }), 'lost 0 % of its words (0 before, 0 now)')
})
