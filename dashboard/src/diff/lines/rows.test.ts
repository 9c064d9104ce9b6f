import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePatch } from '../patch.ts'
import { type ChangedFile, type Row, toRows, type View } from './rows.ts'
import { toSegments, visible } from './segments.ts'
import { changedWords } from './words.ts'

const nothing: ReadonlySet<string> = new Set()
const view = (given: Partial<View> = {}): View => ({
  layout: 'unified',
  folded: nothing,
  previewed: nothing,
  comments: nothing,
  marks: new Map(),
  ...given,
})
const patch = [
  'diff --git a/a.md b/a.md',
  '--- a/a.md',
  '+++ b/a.md',
  '@@ -3,4 +3,4 @@ # Heading',
  ' same',
  '-old one',
  '-old two',
  '+new one',
  ' end',
  '@@ -20 +19,2 @@',
  '--- a line that looks like a header',
  '+++ another',
  '+last',
  '\\ No newline at end of file',
  '',
].join('\n')
const file = (given: Partial<ChangedFile> = {}): ChangedFile => ({
  path: 'a.md',
  previousPath: null,
  status: 'modified',
  binary: false,
  additions: 3,
  deletions: 3,
  patch,
  ...given,
})

const show = (row: Row): string => {
  if (row.kind === 'line') return `${row.line.before ?? ''}|${row.line.after ?? ''} ${row.line.kind} ${row.line.text}`
  if (row.kind === 'pair') return `${row.left?.text ?? '·'} / ${row.right?.text ?? '·'}`
  return 'text' in row ? `${row.kind} ${row.text}` : row.kind
}

test('a patch becomes lines with their numbers, whatever they look like', () => {
  assert.deepEqual(toRows([file()], view()).map(show), [
    'file',
    'hunk # Heading',
    '3|3 same same',
    '4| removed old one',
    '5| removed old two',
    '|4 added new one',
    '6|5 same end',
    'hunk ',
    '20| removed -- a line that looks like a header',
    '|19 added ++ another',
    '|20 added last',
  ])
  assert.deepEqual(
    parsePatch(patch).flatMap(({ lines }) => lines.filter(({ isCut }) => isCut).map(({ text }) => text)),
    ['last'],
  )
})

test('side by side, removed and added lines stand beside each other', () => {
  assert.deepEqual(toRows([file()], view({ layout: 'split' })).map(show), [
    'file',
    'hunk # Heading',
    'same / same',
    'old one / new one',
    'old two / ·',
    'end / end',
    'hunk ',
    '-- a line that looks like a header / ++ another',
    '· / last',
  ])
})

test('marks are below their lines, or below the file where the change has no such line', () => {
  const marks = new Map([['a.md', new Set([30, 4, 0])]])
  for (const layout of ['unified', 'split'] as const) {
    const rows = toRows([file()], view({ layout, marks }))
    const marked = rows.flatMap((row) => (row.kind === 'marks' ? [[row.place.line, row.isAside]] : []))
    assert.deepEqual(marked, [
      [0, true],
      [30, true],
      [4, false],
    ])
    const below = rows[rows.findIndex((row) => row.kind === 'marks' && !row.isAside) - 1]
    assert.match(below === undefined ? '' : show(below), /new one$/)
  }
  const binary = file({ binary: true, patch: '' })
  assert.deepEqual(toRows([binary], view({ marks })).map(show), [
    'file',
    'marks',
    'marks',
    'marks',
    'note A binary file: no lines to compare.',
  ])
  assert.deepEqual(
    toRows([file({ path: 'b.md' })], view({ marks })).filter(({ kind }) => kind === 'marks'),
    [],
  )
})

test('a comment follows its line, on either side and in either layout', () => {
  const comments = new Set(['base 5 a.md', 'head 3 a.md'])
  for (const layout of ['unified', 'split'] as const) {
    const rows = toRows([file()], view({ layout, comments })).map(show)
    assert.equal(rows.filter((row) => row === 'comments').length, 2)
    assert.equal(rows[rows.indexOf('comments') - 1], layout === 'split' ? 'same / same' : '3|3 same same')
    assert.match(rows[rows.lastIndexOf('comments') - 1] ?? '', /old two/)
  }
})

const notes: readonly (readonly [Partial<ChangedFile>, RegExp])[] = [
  [{ binary: true, patch: '' }, /binary file/],
  [{ patch: '' }, /too large/],
  [{ patch: '', additions: 0, deletions: 0, status: 'renamed', previousPath: 'b.md' }, /Renamed without changes/],
  [{ patch: '', additions: 0, deletions: 0 }, /Only the mode/],
  [{ patch: '', additions: 0, deletions: 0, status: 'added' }, /empty file/],
]

test('a file without lines says why, and a folded or previewed one shows no lines', () => {
  for (const [given, expected] of notes)
    assert.match(
      toRows([file(given)], view())
        .map(show)
        .join(),
      expected,
    )
  assert.deepEqual(toRows([file()], view({ folded: new Set(['a.md']) })).map(show), ['file'])
  assert.deepEqual(toRows([file()], view({ previewed: new Set(['a.md']) })).map(show), ['file', 'preview'])
})

test('every row of a change has its own key', () => {
  const files = [file(), file({ path: 'b.md' }), file({ path: 'c.md', binary: true })]
  for (const layout of ['unified', 'split'] as const) {
    const keys = toRows(files, view({ layout, comments: new Set(['base 5 a.md', 'head 3 a.md']) })).map(
      ({ key }) => key,
    )
    assert.equal(new Set(keys).size, keys.length)
  }
})

test('the words that were replaced are marked, lines with little in common are not', () => {
  const marked = (before: string, after: string) => {
    const changed = changedWords(before, after)
    return (
      changed && [
        changed.before.map(({ start, end }) => before.slice(start, end)),
        changed.after.map(({ start, end }) => after.slice(start, end)),
      ]
    )
  }
  assert.deepEqual(marked('Use the Acme CLI now.', 'Use the Acme Command now.'), [['CLI'], ['Command']])
  assert.deepEqual(marked('a b c', 'a c'), [['b '], []])
  assert.equal(marked('completely different', 'nothing of this'), undefined)
  assert.equal(marked('x'.repeat(1_001), 'x'), undefined)
})

test('a line keeps its text through colours and marks, and few elements', () => {
  const text = 'const a = "b"'
  const segments = toSegments(
    text,
    [
      [5, 'keyword'],
      [5, ''],
      [3, 'string'],
    ],
    [{ start: 6, end: 7 }],
  )
  assert.equal(segments.map((one) => one.text).join(''), text)
  assert.deepEqual(
    segments.map((one) => [one.text, one.kind, one.isChanged]),
    [
      ['const', 'keyword', false],
      [' ', '', false],
      ['a', '', true],
      [' = ', '', false],
      ['"b"', 'string', false],
    ],
  )
  const many = toSegments(
    'ab'.repeat(100),
    Array.from({ length: 200 }, (_, index) => [1, index % 2 ? 'string' : '']),
  )
  assert.ok(many.filter(({ kind }) => kind !== '').length <= 12)
  assert.equal(many.map((one) => one.text).join(''), 'ab'.repeat(100))
})

test('characters that deceive readers are shown by their number', () => {
  assert.equal(visible('a\u202eb\u200bc\u0000\u{e0041}'), 'a⟨U+202E⟩b⟨U+200B⟩c⟨U+0000⟩⟨U+E0041⟩')
  assert.equal(visible('naïve 日本語 👍\t'), 'naïve 日本語 👍\t')
})

test('the heading of a hunk that git cut ends with a whole word', () => {
  const headingOf = (text: string) => parsePatch(`@@ -3,4 +3,4 @@ ${text}\n same\n`)[0]?.heading
  const words = 'Pages of this site are written in Markdown, and the names of all files are '
  assert.equal(headingOf(`${words}short`.slice(0, 79)), `${words}shor`)
  assert.equal(headingOf(`${words}short`), `${words.trim()} …`)
  assert.equal(headingOf('文'.repeat(26) + '\ufffd'), `${'文'.repeat(26)} …`)
  assert.equal(headingOf('# Heading'), '# Heading')
})
