import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { createEditFileTool } from './edit-file.ts'

const tool = createEditFileTool()
const signal = new AbortController().signal

type Edit = readonly [oldText: string, newText: string]

async function edit(content: string | Uint8Array, ...edits: readonly Edit[]) {
  const workspace = createMemoryWorkspace({ 'a.md': content })
  const input = { path: 'a.md', edits: edits.map(([oldText, newText]) => ({ oldText, newText })) }
  const result = await tool.run(input, { workspace, signal })
  return { ...result, content: workspace.text('a.md') }
}

const kept: readonly [name: string, before: string, edits: readonly Edit[], after: string][] = [
  ['a word changes and nothing else', 'one two\n', [['two', 'three']], 'one three\n'],
  ['an empty new text deletes', 'one two\n', [[' two', '']], 'one\n'],
  ['CRLF stays CRLF', 'a\r\nb\r\nc', [['a\nb', 'a\nx\ny\nb']], 'a\r\nx\r\ny\r\nb\r\nc'],
  ['mixed line breaks stay as they are', 'a\r\nb\nc\rd', [['a\nb\nc\nd', 'a\nB\nc\nD']], 'a\r\nB\nc\rD'],
  ['a missing last line break stays missing', 'a\nb', [['b', 'c']], 'a\nc'],
  ['a byte order mark stays', '\ufeffa\n', [['a\n', 'b\n']], '\ufeffb\n'],
  ['CRLF in oldText and newText is read as LF', 'a\nb\n', [['a\r\nb', 'c\r\nd']], 'c\nd\n'],
  ['two line breaks never become one', 'a\rX\nb', [['X', '']], 'a\r\r\nb'],
  ['line breaks of two kinds side by side stay two', '<\ra\n>', [['<\na\n>', '<\n\n>']], '<\r\r\n>'],
  [
    'edits are looked up in the original',
    'a b\n',
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    'b a\n',
  ],
  [
    'edits may touch',
    'ab',
    [
      ['a', '1'],
      ['b', '2'],
    ],
    '12',
  ],
  ['a hidden character is found as it is shown', 'a\u200bb c', [['a\\u{200B}b c', 'a\\u{200B}b d']], 'a\u200bb d'],
  ['a hidden character can be taken out', 'a\u200bb', [['a\\u{200B}b', 'ab']], 'ab'],
  [
    'an escape that hides nothing stays text',
    'x a\u200b \\u{200B}',
    [['x', '\\u{200B}']],
    '\\u{200B} a\u200b \\u{200B}',
  ],
]

for (const [name, before, edits, after] of kept) {
  test(`edit_file: ${name}`, async () => {
    assert.deepEqual((await edit(before, ...edits)).content, after)
  })
}

const refused: readonly [name: string, before: string, edits: readonly Edit[], words: RegExp][] = [
  ['several places are named by line', 'x\ny\nx\n', [['x', 'z']], /2 times in the file, at lines 1, 3/],
  ['overlapping places count', 'aaa', [['aa', 'b']], /2 times/],
  [
    'the place that differs in white space is shown',
    'a\n  b  c\n',
    [['b c', 'd']],
    /line 2 differs only in white space: \nb {2}c/,
  ],
  ['the place that differs in quotes is shown', 'say \u201chi\u201d\n', [['"hi"', 'x']], /quotes or dashes/],
  [
    'the closest line is shown',
    'one\nInstall the Acme CLI now\n',
    [['Install the Acme tool now', 'x']],
    /line 2: \nInstall the Acme CLI/,
  ],
  ['line numbers are noticed', 'one\ntwo\n', [['1: one\n2: two', 'x']], /line numbers/],
  ['an empty oldText', 'a', [['', 'b']], /oldText is empty/],
  ['a newText that changes nothing', 'a', [['a', 'a']], /the same/],
  [
    'overlapping edits',
    'abc',
    [
      ['ab', 'x'],
      ['bc', 'y'],
    ],
    /Edit 1 and Edit 2 overlap at line 1/,
  ],
  ['half a character', 'a', [['a', '\ud800']], /lone surrogate/],
  ['a NUL', 'a', [['a', '\0']], /NUL/],
  ['the middle of an escape', 'a\u200bb', [['B}b', 'x']], /was not found/],
  [
    'all or nothing',
    'a b',
    [
      ['a', 'x'],
      ['missing', 'y'],
    ],
    /Edit 2/,
  ],
]

for (const [name, before, edits, words] of refused) {
  test(`edit_file refuses: ${name}`, async () => {
    const result = await edit(before, ...edits)
    assert.equal(result.isError, true)
    assert.match(result.text, words)
    assert.equal(result.content, before)
  })
}

test('edit_file shows the changed lines with two lines around them', async () => {
  assert.equal(
    (await edit('a\nb\nc\nd\n', ['b', 'B\nBB'], ['d', 'D'])).text,
    '[changed a.md: lines 2-3, 5; 2 edits made]\n1: a\n2: B\n3: BB\n4: c\n5: D',
  )
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n')
  const long = await edit(lines, ['line 50\n', `${'y'.repeat(300)}\n`.repeat(30)], ['line 9\n', ''])
  assert.match(long.text, /made\]\n7: line 7\n8: line 8\n9: line 10\n10: line 11\n11: line 12\n…\n47: line 48\n/)
  assert.ok(long.text.length < 2_000 && long.text.includes('…\n77: y'), long.text)
})

type Loose = Readonly<Record<string, unknown>>

async function editLoosely(files: Readonly<Record<string, string>>, ...edits: readonly Loose[]) {
  const workspace = createMemoryWorkspace(files)
  const result = await tool.run(tool.input.parse({ path: 'a.mdx', edits }), { workspace, signal })
  return { ...result, texts: workspace.texts() }
}

const page = '---\ntitle: A\n---\n\n# A\n\n## One `x`\n\n1\n\n### Deep\n\n2\n\n## Two\n\n3\n'

const targets: readonly (readonly [name: string, before: string, edit: Loose, after: string])[] = [
  ['every place of a text', 'ab ab\nab\n', { oldText: 'ab', all: true, newText: 'c' }, 'c c\nc\n'],
  ['all places do not overlap', 'aaa', { oldText: 'aa', all: true, newText: 'b' }, 'ba'],
  [
    'a section with what is below it',
    page,
    { section: 'One x', newText: '' },
    page.replace(/## One[^]*(?=## Two)/, ''),
  ],
  [
    'a section by its text, whose heading has its own anchor',
    '# A\n\n## Read a `.env` file { #read-env }\n\nx\n',
    { section: 'Read a .env file', newText: '## B\n' },
    '# A\n\n## B\n',
  ],
  [
    'a section by the anchor that its heading has',
    '# A\n\n## Hooks {: .wide #web-hooks }\n\nx\n',
    { section: '#web-hooks', newText: '## B\n' },
    '# A\n\n## B\n',
  ],
  ['a section at the end', page, { section: '## Two', newText: '' }, page.replace(/\n## Two[^]*/, '')],
  [
    'a section by its anchor',
    page,
    { section: '#deep', newText: '### New\n\nx' },
    page.replace('### Deep\n\n2', '### New\n\nx'),
  ],
  [
    'lines by number',
    'a\r\n  b: 1\r\nc\r\nd\r\n',
    { startLine: 2, endLine: 3, first: 'b:', last: 'c', newText: 'x' },
    'a\r\nx\r\nd\r\n',
  ],
  ['the last line', 'a\n\nb', { startLine: 2, endLine: 3, first: '', last: 'b', newText: '' }, 'a\n'],
]

for (const [name, before, edit, after] of targets) {
  test(`edit_file replaces ${name}`, async () => {
    const { text, texts } = await editLoosely({ 'a.mdx': before }, edit)
    assert.equal(texts['a.mdx'], after, text)
  })
}

test('edit_file moves a section to the end of another page, without a lost line', async () => {
  const { text, texts } = await editLoosely({ 'a.mdx': page, 'b.mdx': '# B\r\n' }, { section: 'Deep', moveTo: 'b.mdx' })
  assert.match(text, /^\[changed a\.mdx: lines? .*; 1 edit made; moved to the end of b\.mdx\]\n/)
  assert.equal(texts['b.mdx'], '# B\r\n\r\n### Deep\r\n\r\n2\r\n')
  assert.equal(texts['a.mdx'], page.replace('### Deep\n\n2\n\n', ''))
})

test('relative links in a text that moves to another folder still lead to their files', async () => {
  const links = '[b](./b.mdx#x) [root](/c/d) ![i](img/i.png) [out](https://x.example/b) [d](c/d.mdx)'
  const files = {
    'a.mdx': `[b](./b.mdx)\r\n\r\n## Deep\r\n\r\n${links}\r\n`,
    'b.mdx': '# B\n',
    'c/d.mdx': '# D\n',
    'img/i.png': 'x',
  }
  const { text, texts } = await editLoosely(files, { section: 'Deep', moveTo: 'c/d.mdx' })
  const moved = '[b](../b.mdx#x) [root](/c/d) ![i](../img/i.png) [out](https://x.example/b) [d](d.mdx)'
  assert.equal(texts['c/d.mdx'], `# D\n\n## Deep\n\n${moved}\n`)
  assert.equal(texts['a.mdx'], '[b](./b.mdx)\r\n')
  assert.match(text, /; moved to the end of c\/d\.mdx, with 3 links updated\]/)
  const same = await editLoosely({ ...files, 'e.mdx': '' }, { section: 'Deep', moveTo: 'e.mdx' })
  assert.equal(same.texts['e.mdx'], `## Deep\n\n${links}\n`)
  assert.match(same.text, /moved to the end of e\.mdx\]/)
})

test('edit_file refuses a target that is not meant', async () => {
  const tabs = '<Tabs>\n\n## In\n\nx\n\n</Tabs>\n\n## Out\n'
  const wrong: readonly (readonly [before: string, edit: Loose, words: RegExp])[] = [
    [page, { section: 'Three', newText: '' }, /no heading is "Three"\. The headings are:\n5: A\n7: One x/],
    [
      'x\ny\n'.repeat(9),
      { startLine: 16, first: 'x', newText: '' },
      /line 16 is not the line that first names \(lines that begin so: 9, 11, 13, 15, 17\)/,
    ],
    ['## A\n\n## A\n', { section: 'A', newText: '' }, /2 headings are "A"\. Name one by its anchor: #a, #a-1/],
    [tabs, { section: 'In', newText: '' }, /the page could not be read/],
    ['a\nb\nc\n', { startLine: 2, first: 'c', newText: '' }, /line 2 is not the line .* begin so: 3\)\. Line 2 is: b/],
    ['a\nb\nc\n', { startLine: 1, endLine: 3, first: 'a', newText: '' }, /last is missing/],
    ['a\n', { startLine: 2, first: '', newText: '' }, /has only 1 line/],
    ['a\n', { oldText: 'a', section: 'A', newText: '' }, /give one of/],
    ['a\n', { newText: '' }, /give one of/],
    ['a\n', { oldText: 'a' }, /newText is missing/],
    ['a\n', { oldText: 'a', moveTo: 'a.mdx' }, /the same file/],
    ['a\n', { oldText: 'a', moveTo: 'missing.mdx' }, /There is no file missing\.mdx\. Make it with write_file first/],
  ]
  for (const [before, edit, words] of wrong) {
    const { isError, text, texts } = await editLoosely({ 'a.mdx': before }, edit)
    assert.equal(isError, true, text)
    assert.match(text, words)
    assert.deepEqual(texts, { 'a.mdx': before })
  }
})

test('a refused file leaves the other files of the same edit unchanged', async () => {
  const workspace = createMemoryWorkspace({ 'a.mdx': page, 'b.mdx': '# B\n' })
  const before = workspace.texts()
  const guarded = {
    ...workspace,
    write: (path: string, content: Uint8Array) =>
      path === 'a.mdx' ? Promise.reject(new Error('refused')) : workspace.write(path, content),
  }
  const input = { path: 'a.mdx', edits: [{ section: 'Deep', moveTo: 'b.mdx' }] }
  await assert.rejects(tool.run(input, { workspace: guarded, signal }), /refused/)
  assert.deepEqual(workspace.texts(), before)
})

test('edit_file responds with an error for a file that is not text', async () => {
  assert.match((await edit(new Uint8Array([1, 0, 2]), ['a', 'b'])).text, /binary/)
  assert.match((await edit(new Uint8Array([0xff, 0xfe]), ['a', 'b'])).text, /binary/)
  assert.match((await edit('version https://git-lfs.github.com/spec/v1\noid x\n', ['oid', 'b'])).text, /Git LFS/)
})

test('edit_file refuses huge arguments before it processes them', () => {
  const huge = { path: 'a.md', edits: [{ oldText: 'x'.repeat(10_000_000), newText: '' }] }
  assert.equal(tool.input.safeParse(huge).success, false)
  const many = { path: 'a.md', edits: Array.from({ length: 501 }, () => ({ oldText: 'x', newText: '' })) }
  assert.equal(tool.input.safeParse(many).success, false)
})

const piece = fc.constantFrom('a', 'b', 'word ', '\n', '\r\n', '\r', '\u{1f600}', '\u200b', '  ')
const document = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => pieces.join(''))

test('an edit changes only its own bytes, with any line breaks', async () => {
  const place = fc.tuple(
    document,
    document,
    document,
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  )
  await fc.assert(
    fc.asyncProperty(place, async ([before, old, after, replacement]) => {
      const marked = `${before}<${old}>${after}`
      const wanted = `<${old}>`.replace(/\r\n?/g, '\n').replaceAll('\u200b', '\\u{200B}')
      const result = await edit(marked, [wanted, `<${replacement}!>`])
      assert.equal(result.isError, undefined)
      const content = result.content ?? ''
      assert.ok(content.startsWith(`${before}<`) && content.endsWith(`>${after}`))
      const middle = content.slice(before.length, content.length - after.length)
      assert.equal(middle.replace(/\r\n?/g, '\n'), `<${replacement}!>`.replace(/\r\n?/g, '\n'))
    }),
  )
})

test('an edit of one line keeps the line breaks that oldText only quoted', async () => {
  await fc.assert(
    fc.asyncProperty(document, document, async (before, after) => {
      const content = `${before}OLD${after}`
      const quoted = content.replace(/\r\n?/g, '\n').replaceAll('\u200b', '\\u{200B}')
      const result = await edit(content, [quoted, quoted.replace('OLD', 'NEW')])
      assert.equal(result.content, `${before}NEW${after}`)
    }),
  )
})

test('a file that is longer than a tool may write takes small edits, and no large one', async () => {
  const file = `# Changes\n${'a line\n'.repeat(100_000)}`
  const small = await edit(file, ['# Changes\n', '# Changes\n\n## 2.0\n'])
  assert.ok(!small.isError, small.text)
  const large = await edit(file, ['# Changes\n', 'x'.repeat(100_100)])
  assert.match(large.text, /it would grow by more than 100000 characters; make several smaller edits\./)
})

test('a section of reStructuredText or AsciiDoc goes from its heading to the next one', async () => {
  const cases = [
    [
      'a.rst',
      'A\n=\n\nText.\n\n.. _use:\n\nUse\n---\n\nOld ``Use``::\n\n   B\n   -\n\nNext\n----\n\nc\n',
      'Use\n---\n\nNew.\n',
    ],
    ['a.adoc', '= A\n\nText.\n\n== Use\n\nOld.\n\n----\n== B\n----\n\n== Next\n\nc\n', '== Use\n\nNew.\n'],
  ] as const
  for (const [path, text, newText] of cases) {
    const workspace = createMemoryWorkspace({ [path]: text })
    const { isError } = await createEditFileTool().run(
      { path, edits: [{ section: 'Use', newText }] },
      { workspace, signal },
    )
    assert.notEqual(isError, true)
    const after = workspace.text(path) ?? ''
    assert.match(after, /New\.\n\n(?:== )?Next\n/)
    assert.doesNotMatch(after, /Old/)
    assert.match(after, /Text\.\n/)
  }
})
