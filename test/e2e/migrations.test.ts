// The check of migrations refuses what it is there for: each fault is planted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addLines, judge, type MigrationFile } from '../../scripts/check-migrations.ts'

const first: MigrationFile = { name: 'postgres/0001-jobs', text: '// Jobs.\nup(`create table jobs (id text)`)\n' }
const landed = addLines([first], '')
const next = (text: string): readonly MigrationFile[] => [first, { name: 'postgres/0002-next', text }]
/** The findings about a new migration, without the one that it is new. */
const about = (text: string) => judge(next(text), landed).filter((finding) => !finding.includes('is new'))

test('a migration that has landed may change in comments and layout only', () => {
  assert.deepEqual(judge([first], landed), [])
  assert.deepEqual(judge([{ ...first, text: '// Other words.\n\nup(`create  table jobs\n (id text)`)' }], landed), [])
  const [changed = ''] = judge([{ ...first, text: first.text.replace('id text', 'id text, at date') }], landed)
  assert.match(changed, /^postgres\/0001-jobs has changed since it landed: restore it/)
  assert.match(judge([], landed)[0] ?? '', /has landed and is missing/)
})

test('a new migration that drops, renames or changes types is refused', () => {
  const refused = [
    'ALTER TABLE seals DROP COLUMN IF EXISTS pairs',
    'drop table jobs',
    'alter table jobs rename column id to key',
    'RENAME TABLE a TO b',
    'truncate jobs',
    'ALTER TABLE a MODIFY COLUMN b UInt8',
    'alter table jobs alter column id type bigint',
    'alter table jobs alter column id set not null',
  ]
  for (const statement of refused) assert.match(about(statement)[0] ?? '', /a migration only adds/, statement)
  const accepted = ['alter table jobs add column dropped_at date', '// Does not drop.\ncreate table if not exists a ()']
  for (const statement of accepted) assert.deepEqual(about(statement), [])
})

test('a statement that does more than add needs a reason in the list', () => {
  const files = next('drop index a')
  const lines = addLines(files, landed)
  assert.equal(judge(files, lines).length, 1)
  assert.deepEqual(judge(files, lines.replace(/(0002-next \w+)/, '$1 makes it wider')), [])
})

test('a new migration is added to the list, and one before a landed one is refused', () => {
  const files = next('create table a ()')
  assert.match(judge(files, landed)[0] ?? '', /0002-next is new: .*npm run migrations:add/)
  assert.deepEqual(judge(files, addLines(files, landed)), [])
  const late = [...files, { name: 'postgres/0001-again', text: '' }]
  assert.match(judge(late, addLines(files, landed))[0] ?? '', /comes before .*: give it the next number/)
})
