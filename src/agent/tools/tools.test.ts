import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { createMemoryWorkspace, type MemoryFile } from '../../../test/support/memory-workspace.ts'
import { Failure } from '../../lib/failure.ts'
import { inputSchemaOf } from './input-schema.ts'
import { createTools } from './all.ts'
import { maxResultCharacters, type ToolResult } from '../tool.ts'

const tools = createTools()
const signal = new AbortController().signal

async function call(files: Readonly<Record<string, MemoryFile>>, name: string, input: unknown) {
  const workspace = createMemoryWorkspace(files)
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new Error(name)
  const parsed = tool.input.safeParse(input)
  const result: ToolResult = parsed.success
    ? await tool.run(parsed.data, { workspace, signal }).catch((error: unknown) => {
        assert.ok(error instanceof Failure, String(error))
        return { text: error.message, isError: true }
      })
    : { text: z.prettifyError(parsed.error), isError: true }
  return { ...result, workspace }
}

const many = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`p/${String(i).padStart(4, '0')}.md`, 'x\n']))

test('every tool has a text for the model and an object as its input schema', () => {
  const files = [
    'list_files',
    'search',
    'read_file',
    'edit_file',
    'replace_text',
    'write_file',
    'move_file',
    'delete_file',
  ]
  assert.deepEqual(
    tools.map((tool) => tool.name),
    [...files, 'changes', 'revert', 'log', 'show_change', 'affected_pages', 'check', 'fetch_page', 'finish'],
  )
  for (const tool of tools) {
    const schema = inputSchemaOf(tool.input)
    assert.equal(schema['type'], 'object', tool.name)
    assert.doesNotMatch(JSON.stringify(schema), /"(?:min\w+|maxItems|\$schema)":/, tool.name)
    assert.ok(tool.description.length > 80, tool.name)
  }
})

test('no hostile input of any tool does more than answer with an error', async () => {
  const hostile = [
    '../x',
    '/etc/passwd',
    'a/../../x',
    'a\0b',
    '.git/config',
    'a//b',
    '__proto__',
    'constructor',
    'toString',
  ]
  for (const path of hostile) {
    for (const [name, input] of [
      ['read_file', { path }],
      ['edit_file', { path, edits: [{ oldText: 'a', newText: 'b' }] }],
      ['move_file', { from: path, to: 'b.md' }],
      ['delete_file', { path, removeLinks: true }],
    ] as const) {
      const { isError, workspace } = await call({ 'a.md': 'a' }, name, input)
      assert.equal(isError, true, `${name} ${path}`)
      assert.deepEqual(workspace.texts(), { 'a.md': 'a' })
    }
  }
  const huge = 'x'.repeat(10_000_000)
  for (const name of tools.map((tool) => tool.name)) {
    const input = {
      path: huge,
      from: huge,
      to: huge,
      glob: huge,
      pattern: huge,
      content: huge,
      title: huge,
      summary: huge,
    }
    assert.equal((await call({ 'a.md': 'a' }, name, input)).isError, true, name)
  }
})

test('files may have the names of properties', async () => {
  const { workspace, isError } = await call({ 'a.md': 'a' }, 'write_file', { path: '__proto__', content: 'x' })
  assert.equal(isError, undefined)
  assert.equal(workspace.text('__proto__'), 'x')
})

test('the head line of list_files says what is shown and how to continue', async () => {
  assert.equal((await call({ 'b.md': 'xy', 'a.md': '' }, 'list_files', {})).text, '[2 files]\na.md\t0\nb.md\t2')
  const first = (await call(many, 'list_files', { glob: '**' })).text
  assert.match(first, /^\[files 1-500 of 3000 fit \*\*; read on with offset 500\]\np\/0000\.md\t2\n/)
  assert.match((await call(many, 'list_files', { offset: 2999 })).text, /^\[files 3000-3000 of 3000\]\np\/2999\.md\t2$/)
  assert.match((await call(many, 'list_files', { offset: 3000 })).text, /^\[no file beyond offset 3000/)
  const linked = await call({ l: { kind: 'symlink' }, m: { kind: 'submodule' } }, 'list_files', {})
  assert.equal(linked.text, '[2 files]\nl\tsymlink\nm\tsubmodule')
  const odd = await call({ 'a\nb\u200b': '' }, 'list_files', {})
  assert.equal(odd.text, '[1 file]\na\\nb\\u{200B}\t0')
})

test('list_files and search read globs as people write them', async () => {
  const files = { 'a.mdx': 'x', 'g/b.mdx': 'x', 'g/h/c.md': 'x', 'docs.json': 'x' }
  const found = async (glob: string): Promise<string[]> =>
    (await call(files, 'search', { pattern: 'x', glob, filesOnly: true })).text
      .split('\n')
      .slice(1)
      .map((line) => line.split(':')[0] ?? '')
  assert.deepEqual(await found('*.mdx'), ['a.mdx', 'g/b.mdx'])
  assert.deepEqual(await found('g'), ['g/b.mdx', 'g/h/c.md'])
  assert.deepEqual(await found('./g/*'), ['g/b.mdx'])
  assert.deepEqual(await found('{docs,mint}.json'), ['docs.json'])
  assert.deepEqual(await found('**/*.{md,mdx}'), ['a.mdx', 'g/b.mdx', 'g/h/c.md'])
  assert.match((await call(files, 'list_files', { glob: '{a,b}'.repeat(20) })).text, /alternatives/)
})

test('list_files shows folders with their counts, and one level on request', async () => {
  const files = Object.fromEntries(
    ['ar', 'de', 'en'].flatMap((folder) =>
      Array.from({ length: 100 }, (_, n) => [`docs/${folder}/g${n % 20}/${n}.md`, '']),
    ),
  )
  const all = { ...files, 'docs.json': '', 'docs/en/index.md': '' }
  assert.equal(
    (await call(all, 'list_files', {})).text,
    [
      '[302 files; folders at depth 2 are summed up, list one with glob]',
      'docs.json\t0',
      'docs/ar/\t100 files',
      'docs/de/\t100 files',
      'docs/en/\t101 files',
    ].join('\n'),
  )
  assert.match((await call(all, 'list_files', { depth: 1 })).text, /\]\ndocs\.json\t0\ndocs\/\t301 files$/)
  const level = (await call(all, 'list_files', { glob: 'docs/en', depth: 1 })).text
  assert.match(level, /^\[101 files fit docs\/en; .*\]\ndocs\/en\/g0\/\t5 files\n/)
  assert.match(level, /\ndocs\/en\/index\.md\t0$/)
  assert.equal((await call(all, 'list_files', { glob: '!docs' })).text, '[1 file fit !docs]\ndocs.json\t0')
  const few = await call(all, 'list_files', { glob: 'docs/**, !**/g*/**', exclude: 'x' })
  assert.match(few.text, /\ndocs\/en\/index\.md\t0$/)
})

test('search leaves out what ! and exclude name, and says where nothing was found', async () => {
  const files = { 'a.md': 'x', 'es/a.md': 'x', 'fr/a.md': 'x', 'b.mdx': 'y' }
  const found = async (input: object) => (await call(files, 'search', { pattern: 'x', ...input })).text
  assert.equal(await found({ glob: '!{es,fr}/**' }), '[1 match]\na.md:1: x')
  assert.equal(await found({ glob: '*.md,!es' }), '[2 matches]\na.md:1: x\nfr/a.md:1: x')
  assert.equal(await found({ glob: '*.md', exclude: '{es,fr}/**' }), '[1 match]\na.md:1: x')
  assert.equal(await found({ glob: 'nowhere/**' }), '[nothing found: no file fits glob and exclude]')
  assert.equal(await found({ without: true, exclude: 'es,fr' }), '[1 file]\nb.mdx')
  assert.equal(await found({ frontmatter: 'title' }), 'Give either pattern or frontmatter.')
})

test('search shows lines around matches, and only counts in generated files', async () => {
  const files = {
    'a.md': '1\n2\nx 3\n4\nx 5\n6\n7\n8\n',
    'package-lock.json': 'x\nx\n',
    'site.min.js': 'x',
  }
  assert.equal(
    (await call(files, 'search', { pattern: 'x', context: 2 })).text,
    [
      '[2 matches]\na.md-1- 1\na.md-2- 2\na.md:3: x 3\na.md-4- 4\na.md:5: x 5\na.md-6- 6\na.md-7- 7',
      '[in generated files, not shown: package-lock.json: 2; site.min.js: 1]',
    ].join('\n'),
  )
  const named = await call(files, 'search', { pattern: 'x', glob: 'package-lock.json' })
  assert.match(named.text, /^\[2 matches\]\npackage-lock\.json:1: x/)
})

test('search finds pages by a field of their frontmatter', async () => {
  const files = {
    'a.md': '---\ntitle: A\ndescription: One\n---\ntext\n',
    'b.mdx': '---\ntitle: B\n---\ndescription: no\n\n---\n',
    'c.md': '---\ndescription: ""\n---\n',
    'd.md': '# D\n\n---\ndescription: no\n---\n',
    'e.json': '{"description": 1}',
    'es/a.md': 'x',
  }
  const found = async (input: object) => (await call(files, 'search', { frontmatter: 'description', ...input })).text
  assert.equal(await found({}), '[1 file]\na.md:3: description: One')
  assert.equal(await found({ without: true, exclude: 'es' }), '[3 files]\nb.mdx\nc.md\nd.md')
})

test('search answers lines, pages them and counts files', async () => {
  const files = { 'a.md': 'one\nTwo one\r\n', 'b.md': 'one\u200b\n' }
  assert.equal(
    (await call(files, 'search', { pattern: 'one' })).text,
    '[3 matches]\na.md:1: one\na.md:2: Two one\nb.md:1: one\\u{200B}',
  )
  assert.equal((await call(files, 'search', { pattern: 'two' })).text, '[nothing found in 2 files]')
  assert.equal((await call(files, 'search', { pattern: 'two', ignoreCase: true })).text, '[1 match]\na.md:2: Two one')
  assert.equal((await call(files, 'search', { pattern: '^o.e$', regex: true })).text, '[1 match]\na.md:1: one')
  assert.equal((await call(files, 'search', { pattern: 'one', filesOnly: true })).text, '[2 files]\na.md: 2\nb.md: 1')
  assert.match(
    (await call(many, 'search', { pattern: 'x' })).text,
    /^\[matches 1-100; more follow, read on with offset 100\]\n/,
  )
  assert.match((await call(many, 'search', { pattern: 'x', offset: 2950 })).text, /^\[matches 2951-3000\]\n/)
  const paged = (await call(many, 'search', { pattern: 'x', filesOnly: true })).text
  assert.match(paged, /^\[files 1-1000 of 3000; more follow, read on with offset 1000\]\n/)
  assert.equal((await call(files, 'search', { pattern: '(', regex: true })).isError, true)
  assert.equal((await call(files, 'search', { pattern: 'a\nb' })).isError, true)
  assert.equal((await call({ 'a.md': 'abc\na.c\n' }, 'search', { pattern: 'a.c' })).text, '[1 match]\na.md:2: a.c')
  const exact = await call(many, 'search', { pattern: 'x', limit: 1500, offset: 1500 })
  assert.match(exact.text, /^\[matches 1501-3000\]\n/)
  const long = (await call({ 'a.md': `x${'y'.repeat(3000)}` }, 'search', { pattern: 'x' })).text
  assert.ok(long.length < 500 && long.endsWith('…'))
})

test('read_file shows lines unchanged and says which part they are', async () => {
  assert.equal(
    (await call({ 'a.md': 'x\r\n y\r\n' }, 'read_file', { path: 'a.md' })).text,
    '[all 2 lines of a.md]\nx\n y\n',
  )
  assert.match(
    (await call({ 'a.md': 'x' }, 'read_file', { path: 'a.md' })).text,
    /does not end with a line break\]\nx$/,
  )
  assert.equal((await call({ 'a.md': '' }, 'read_file', { path: 'a.md' })).text, '[a.md is empty]')
  const numbered = { path: 'a.md', startLine: 2, numbers: true }
  assert.equal((await call({ 'a.md': 'x\r\n y\r\n' }, 'read_file', numbered)).text, '[lines 2-2 of 2 of a.md]\n2:  y\n')
  const lines = Array.from({ length: 2500 }, (_, index) => `line ${index + 1}\n`).join('')
  const part = await call({ 'a.md': lines }, 'read_file', { path: 'a.md' })
  assert.match(part.text, /^\[lines 1-2000 of 2500 of a\.md; read on with startLine 2001\]\nline 1\n/)
  const rest = await call({ 'a.md': lines }, 'read_file', { path: 'a.md', startLine: 2001 })
  assert.match(rest.text, /^\[lines 2001-2500 of 2500 of a\.md\]\nline 2001\n/)
  const two = await call({ 'a.md': lines }, 'read_file', { path: 'a.md', startLine: 3, endLine: 4 })
  assert.equal(two.text, '[lines 3-4 of 2500 of a.md; read on with startLine 5]\nline 3\nline 4\n')
  assert.match((await call({ 'a.md': lines }, 'read_file', { path: 'a.md', startLine: 2501 })).text, /only 2500 lines/)
  assert.equal((await call({ 'a.md': lines }, 'read_file', { path: 'a.md', startLine: 3, endLine: 2 })).isError, true)
})

test('read_file never exceeds its limit and says what it cut', async () => {
  const wide = `${'y'.repeat(30_000)}\n`.repeat(3)
  const { text } = await call({ 'a.md': wide }, 'read_file', { path: 'a.md' })
  assert.match(text, /^\[lines 1-1 of 3 of a\.md; read on with startLine 2\]/)
  for (const content of ['z'.repeat(200_000), '\u200b'.repeat(60_000)]) {
    const cut = (await call({ 'a.md': content }, 'read_file', { path: 'a.md' })).text
    assert.ok(cut.length <= maxResultCharacters)
    assert.match(cut, /are cut off/)
  }
})

test('read_file escapes invisible characters and leaves emoji intact', async () => {
  const { text } = await call({ 'a.md': 'a\u202eb \u{1f468}\u200d\u{1f469} \u{e0041}\n' }, 'read_file', {
    path: 'a.md',
  })
  assert.equal(
    text,
    '[all 1 line of a.md; 2 invisible characters shown as \\u{…}]\na\\u{202E}b \u{1f468}\u200d\u{1f469} \\u{E0041}\n',
  )
})

test('read_file has a defined answer for everything that is no text', async () => {
  const files: Record<string, MemoryFile> = {
    'i.png': new Uint8Array([0x89, 0x50, 0, 1]),
    'l.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
    s: { kind: 'symlink' },
    'guides/setup.mdx': 'x',
  }
  assert.match((await call(files, 'read_file', { path: 'i.png' })).text, /binary file \(4 bytes\)/)
  assert.match((await call(files, 'read_file', { path: 'l.bin' })).text, /Git LFS/)
  assert.match((await call(files, 'read_file', { path: 's' })).text, /symlink/)
  assert.match((await call(files, 'read_file', { path: 'setup.mdx' })).text, /Did you mean guides\/setup\.mdx\?/)
  assert.match((await call(files, 'read_file', { path: 'guides/setup' })).text, /Did you mean guides\/setup\.mdx\?/)
})

test('write_file creates a file, keeps line breaks, and refuses binary content', async () => {
  const made = await call({}, 'write_file', { path: 'a.md', content: 'x\ny\n' })
  assert.equal(made.text, '[made a.md: 2 lines]')
  assert.equal(made.workspace.text('a.md'), 'x\ny\n')
  const replaced = await call({ 'a.md': '\ufeffa\r\nb\r\n' }, 'write_file', { path: 'a.md', content: 'c\nd\n' })
  assert.equal(replaced.workspace.text('a.md'), '\ufeffc\r\nd\r\n')
  const mixed = await call({ 'a.md': 'a\n\r\nb\r\n' }, 'write_file', { path: 'a.md', content: 'c\r\nd\n' })
  assert.equal(mixed.workspace.text('a.md'), 'c\r\nd\r\n')
  assert.match((await call({ 'a.md': 'a' }, 'write_file', { path: 'a.md', content: 'a' })).text, /already/)
  assert.equal((await call({}, 'write_file', { path: 'a.md', content: 'a\0' })).isError, true)
  assert.equal(
    (await call({ 'i.png': new Uint8Array([0]) }, 'write_file', { path: 'i.png', content: 'a' })).isError,
    true,
  )
  assert.equal((await call({}, 'write_file', { path: 'a.md', content: 'x'.repeat(500_001) })).isError, true)
})
