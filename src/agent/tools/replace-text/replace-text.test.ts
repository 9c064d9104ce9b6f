import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { createReplaceTextTool } from './replace-text.ts'

const tool = createReplaceTextTool()
const signal = new AbortController().signal

const site = {
  'docs.json': '{"group": "docs.json", "pages": ["a"]}\n',
  'a.mdx':
    '---\ntitle: About docs.json\n---\n\n## The docs.json file\n\nWrite docs.json, not mydocs.json or `docs.json`.\n\n```sh\ncat docs.json\n```\n',
  'b.mdx': 'See [it](/a#the-docsjson-file).\r\n',
  'es/a.mdx': 'El docs.json aquí.\n',
  'x.yml': 'file: docs.json\n',
}

async function replace(files: Readonly<Record<string, string>>, input: object) {
  const workspace = createMemoryWorkspace(files)
  const given = tool.input.parse({ pattern: 'docs.json', newText: 'site.json', ...input })
  const result = await tool.run(given, { workspace, signal })
  const changed = Object.entries(workspace.texts()).filter(([path, text]) => files[path] !== text)
  return { ...result, changed: Object.fromEntries(changed) }
}

test('in prose whole mentions change, with titles and links to changed headings', async () => {
  const { text, changed } = await replace(site, { in: 'prose', exclude: 'es' })
  assert.deepEqual(changed, {
    'a.mdx': site['a.mdx']
      .replace('About docs.json', 'About site.json')
      .replace('The docs.json', 'The site.json')
      .replace('Write docs.json', 'Write site.json'),
    'b.mdx': 'See [it](/a#the-sitejson-file).\r\n',
    'docs.json': '{"group": "site.json", "pages": ["a"]}\n',
  })
  assert.match(
    text,
    /^\[replaced 4 places in 3 files; 1 link to changed headings updated; left: 2 in code, 1 in addresses/,
  )
  assert.match(text, /\na\.mdx: 3 \(lines 2, 5, 7\)\n/)
  assert.match(text, /\n5: ## The site\.json file\n/)
  assert.match(text, /\nb\.mdx: links \(line 1\)\n/)
})

test('in code only code blocks and code spans of pages change', async () => {
  const { changed } = await replace(site, { in: 'code' })
  assert.deepEqual(changed, {
    'a.mdx': site['a.mdx'].replace('`docs.json`', '`site.json`').replace('cat docs.json', 'cat site.json'),
  })
})

test('in all every place changes, also inside words, and links to its headings', async () => {
  const { text, changed } = await replace(site, { in: 'all', glob: '*.{mdx,yml},!es/**' })
  assert.deepEqual(changed, {
    'a.mdx': site['a.mdx'].replaceAll('docs.json', 'site.json'),
    'b.mdx': 'See [it](/a#the-sitejson-file).\r\n',
    'x.yml': 'file: site.json\n',
  })
  assert.match(text, /^\[replaced 7 places in 3 files; 1 link to changed headings updated\]\n/)
})

test('a dry run says what would change and changes nothing', async () => {
  const { text, changed } = await replace(site, { in: 'prose', dryRun: true })
  assert.deepEqual(changed, {})
  assert.match(text, /^\[would replace 5 places in 4 files; /)
  assert.match((await replace(site, { in: 'all', pattern: 'absent' })).text, /^\[nothing found to replace\]$/)
})

test('one file that may not be edited stops the whole replacement and is named', async () => {
  const workspace = createMemoryWorkspace(site)
  const guarded = { ...workspace, editProblem: (path: string) => (path === 'x.yml' ? 'is protected' : undefined) }
  const input = { pattern: 'docs.json', newText: 'site.json', in: 'all' as const }
  const result = await tool.run(input, { workspace: guarded, signal })
  assert.equal(result.isError, true)
  assert.match(result.text, /^Nothing was replaced: some files may not be edited\. .*\nx\.yml: is protected$/)
  const failing = {
    ...workspace,
    write: (path: string, content: Uint8Array) =>
      path === 'x.yml' ? Promise.reject(new Error('refused')) : workspace.write(path, content),
  }
  await assert.rejects(tool.run(input, { workspace: failing, signal }), /refused/)
  assert.deepEqual(workspace.texts(), site)
})

test('a replacement that cannot be meant is refused', async () => {
  for (const [input, words] of [
    [{ in: 'all', newText: 'docs.json' }, /the same/],
    [{ in: 'all', pattern: 'a\nb' }, /single line/],
    [{ in: 'prose', newText: '' }, /cannot be empty/],
    [{ in: 'all', newText: 'a\0' }, /NUL/],
  ] as const) {
    const { isError, text, changed } = await replace(site, input)
    assert.equal(isError, true)
    assert.match(text, words)
    assert.deepEqual(changed, {})
  }
})

test('links of AsciiDoc and Antora to changed headings are updated', async () => {
  const input = { in: 'prose', pattern: 'Acme', newText: 'Zenith' }
  const plain = { 'a.adoc': '== Use Acme\n\n<<_use_acme>>\n', 'b.adoc': 'xref:a.adoc#_use_acme[]\n' }
  assert.deepEqual((await replace(plain, input)).changed, {
    'a.adoc': '== Use Zenith\n\n<<_use_zenith>>\n',
    'b.adoc': 'xref:a.adoc#_use_zenith[]\n',
  })
  const attributes = "asciidoc:\n  attributes:\n    idprefix: ''\n    idseparator: '-'\n"
  const site = {
    'antora.yml': `name: c\nversion: '1'\n${attributes}`,
    'modules/ROOT/pages/a.adoc': '= A\n\n== Use Acme\n',
    'modules/m/pages/b.adoc': '= B\n\nxref:ROOT:a.adoc#use-acme[x]\n',
  }
  assert.deepEqual((await replace(site, input)).changed, {
    'modules/ROOT/pages/a.adoc': '= A\n\n== Use Zenith\n',
    'modules/m/pages/b.adoc': '= B\n\nxref:ROOT:a.adoc#use-zenith[x]\n',
  })
})
