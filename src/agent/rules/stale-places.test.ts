// Places of names and values that the product changed: only those that the check found, and only where it is clear.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applySplices } from '../../docs-syntax/text.ts'
import { stalePlaces } from './stale-places.ts'

type Row = readonly [about: string, kind: string, target: string, suggestion: string, before: string, after: string]

const term = ['stale-term', '--max-lines', '--max-rows'] as const
const value = ['stale-value', '--retries 3', '5'] as const
const rows: readonly Row[] = [
  ['a name in a code span', ...term, 'Set `--max-lines` and `--max-lines`.', 'Set `--max-rows` and `--max-rows`.'],
  ['a name in prose', ...term, 'Set --max-lines.', 'Set --max-rows.'],
  ['not a longer name', ...term, 'Set `--max-lines-all`.', 'Set `--max-lines-all`.'],
  ['not an address', ...term, 'See [x](/a--max-lines).', 'See [x](/a--max-lines).'],
  ['a name in a heading', ...term, '## Use --max-lines', '## Use --max-rows'],
  ['a value after its name', ...value, '`--retries` (default `3`).', '`--retries` (default `5`).'],
  ['a cell', ...value, '| `--retries` | default: 3 |', '| `--retries` | default: 5 |'],
  [
    'nothing if two values may be meant',
    ...value,
    '`--retries` (default 3, limit 3).',
    '`--retries` (default 3, limit 3).',
  ],
  ['no part of a number', ...value, '`--retries`, default 3.5, 13 or 3%.', '`--retries`, default 3.5, 13 or 3%.'],
  ['a boolean', 'stale-value', 'cache true', 'false', '`cache` (default `true`)', '`cache` (default `false`)'],
  [
    'no word whose case is lost',
    'stale-value',
    'level info',
    'warn',
    '`level` (default `info`)',
    '`level` (default `info`)',
  ],
]

for (const [about, kind, target, suggestion, before, after] of rows) {
  test(`a stale mention is changed on its line alone: ${about}`, () => {
    const text = `# Page\n\n${before}\n\nIt was ${target} once.\n`
    const problem = { path: 'a.md', line: 3, kind, target, message: '', suggestion }
    const splices = stalePlaces({ path: 'a.md', text }, [problem], suggestion)
    assert.equal(applySplices(text, splices), `# Page\n\n${after}\n\nIt was ${target} once.\n`)
  })
}
