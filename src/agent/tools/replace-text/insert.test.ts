import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { createReplaceTextTool } from './replace-text.ts'

const tool = createReplaceTextTool()
const signal = new AbortController().signal
const newText = '_Last reviewed: May._'

async function insert(files: Readonly<Record<string, string>>, input: object) {
  const workspace = createMemoryWorkspace(files)
  const result = await tool.run(tool.input.parse({ newText, ...input }), { workspace, signal })
  const changed = Object.entries(workspace.texts()).filter(([path, text]) => files[path] !== text)
  return { ...result, changed: Object.fromEntries(changed) }
}

const places: readonly (readonly [name: string, place: string, before: string, after: string])[] = [
  ['below the frontmatter', 'frontmatter', '---\na: b\n---\n\ntext\n', '---\na: b\n---\n\nNEW\n\ntext\n'],
  [
    'below a frontmatter without a blank line',
    'frontmatter',
    '---\na: b\n---\n# T\n',
    '---\na: b\n---\n\nNEW\n\n# T\n',
  ],
  ['at the top of a page without frontmatter', 'frontmatter', '# T\n', 'NEW\n\n# T\n'],
  [
    'below the title',
    'title',
    '---\na: b\n---\n\n## A\n\n# T\ntext\n',
    '---\na: b\n---\n\n## A\n\n# T\n\nNEW\n\ntext\n',
  ],
  ['below a title in two lines', 'title', 'T\n===\n\ntext', 'T\n===\n\nNEW\n\ntext'],
  [
    'below a heading with CRLF',
    '## Use',
    '# T\r\n\r\n## Use\r\n\r\nx\r\n',
    '# T\r\n\r\n## Use\r\n\r\nNEW\r\n\r\nx\r\n',
  ],
  [
    'below a heading, not in a fence',
    '## Use',
    '~~~md\n## Use\n~~~\n\n## Use\nx\n',
    '~~~md\n## Use\n~~~\n\n## Use\n\nNEW\n\nx\n',
  ],
  ['below a heading with its own anchor', '#own', '# T\n\n## Use { #own }\n', '# T\n\n## Use { #own }\n\nNEW\n'],
  ['at the end', 'end', 'a\n\n\n', 'a\n\nNEW\n\n\n'],
  ['at the end with CRLF', 'end', 'a\r\nb\r\n', 'a\r\nb\r\n\r\nNEW\r\n'],
  ['at the end of a last line that is open', 'end', 'a', 'a\n\nNEW'],
  ['into an empty page', 'end', '', 'NEW\n'],
]

for (const [name, place, before, after] of places) {
  test(`replace_text inserts ${name}`, async () => {
    const { changed } = await insert({ 'a.md': before }, { insert: place, newText: '\nNEW\n' })
    assert.deepEqual(changed, { 'a.md': after })
    const again = await insert(changed, { insert: place, newText: 'NEW' })
    assert.deepEqual(
      [again.text, again.changed],
      ['[nothing to insert; 1 skipped]\nskipped: a.md: the text is there', {}],
    )
    const other = { 'a.md': after.replace('NEW', 'ANEWS') }
    assert.equal(Object.keys((await insert(other, { insert: place, newText: 'NEW' })).changed).length, 1)
  })
}

const site = {
  'a.md': '# A\n\ntext\n',
  'b.md': 'no title\n',
  'c.mdx': '\ufeff# C\r\n',
  'd.md': '# A\n',
  'es/a.md': '# A\n',
  'quote.md': '> # Q\n',
  'twice.md': '# A\n\n# A\n',
  'x.yml': '# A\n',
}

test('an insertion counts and names the pages that have no such place', async () => {
  const { text, changed } = await insert(site, { insert: '# A', glob: '*.{md,mdx}', exclude: 'es' })
  assert.deepEqual(changed, { 'a.md': `# A\n\n${newText}\n\ntext\n`, 'd.md': `# A\n\n${newText}\n` })
  assert.deepEqual(text.split('\n'), [
    '[inserted into 2 pages; 4 skipped]',
    'a.md:',
    '1: # A',
    '2: ',
    `3: ${newText}`,
    '4: ',
    '5: text',
    'd.md:',
    '1: # A',
    '2: ',
    `3: ${newText}`,
    'skipped: b.md: no heading is "# A"',
    'skipped: c.mdx: no heading is "# A"',
    'skipped: quote.md: no heading is "# A"',
    'skipped: twice.md: 2 headings are "# A"',
    'a.md: line 3',
    'd.md: line 3',
  ])
  const titled = await insert(site, { insert: 'title' })
  assert.match(titled.text, /^\[inserted into 5 pages; 2 skipped\]\n/)
  assert.match(titled.text, /\nskipped: b\.md: no heading of level 1\nskipped: quote\.md: the heading is in a quote/)
  assert.equal(titled.changed['c.mdx'], `\ufeff# C\r\n\r\n${newText}\r\n`)
})

test('a dry run of an insertion says the same and changes nothing', async () => {
  const { text, changed } = await insert(site, { insert: 'end', glob: 'a.md', dryRun: true })
  assert.deepEqual(changed, {})
  assert.match(text, /^\[would insert into 2 pages; 0 skipped\]\n/)
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${String(i)}.md`, 'x\n']))
  const none = await insert(many, { insert: 'title' })
  assert.match(none.text, /^\[nothing to insert; 60 skipped\]\n[^]*\nand 10 more skipped$/)
})

test('one page that may not be edited stops the whole insertion and is named', async () => {
  const workspace = createMemoryWorkspace(site)
  const guarded = { ...workspace, editProblem: (path: string) => (path === 'd.md' ? 'is protected' : undefined) }
  const result = await tool.run({ newText, insert: 'end' }, { workspace: guarded, signal })
  assert.equal(result.isError, true)
  assert.match(result.text, /^Nothing was inserted: some files may not be edited\. .*\nd\.md: is protected$/)
  assert.deepEqual(workspace.texts(), site)
})

test('an insertion that cannot be meant is refused', async () => {
  for (const [input, words] of [
    [{ insert: 'Use' }, /a heading that begins with #/],
    [{ insert: '#' }, /a heading that begins with #/],
    [{ insert: 'end', newText: ' \n' }, /empty/],
    [{ insert: 'end', newText: 'a\0' }, /NUL/],
    [{ insert: 'end', in: 'prose' }, /or `insert` alone/],
    [{ insert: 'end', pattern: 'a' }, /or `insert` alone/],
    [{ pattern: 'a' }, /Give `pattern` with `in`/],
    [{ in: 'all' }, /Give `pattern` with `in`/],
  ] as const) {
    const { isError, text, changed } = await insert(site, input)
    assert.equal(isError, true)
    assert.match(text, words)
    assert.deepEqual(changed, {})
  }
})
