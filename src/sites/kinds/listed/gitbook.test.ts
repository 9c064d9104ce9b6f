import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../../../test/support/check-files.ts'
import { memoryTree } from '../../../../test/support/docs-sites.ts'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from '../../../agent/tools/delete-file.ts'
import { createMoveFileTool } from '../../../agent/tools/move-file.ts'
import { coverageOf } from '../../../checks/coverage.ts'

const signal = new AbortController().signal
const book = { 'README.md': '# Book\n', 'a.md': '# A\n\n## Install `it_now`\n', 'g/README.md': '# G\n' }
const summary = '# Summary\n\n* [Book](README.md)\n* [A](a.md#install)\n* [G](g/README.md)\n'

async function check(files: Readonly<Record<string, string>>) {
  const result = await checkFiles(memoryTree(files))
  const findings = result.findings.map(({ kind, path, target }) => `${kind} ${path} ${target}`.trim())
  const kinds = result.sites.map(({ kind, config }) => `${kind} ${config ?? ''}`.trim())
  return {
    kinds,
    findings,
    notJudged: coverageOf(result).notJudged.map(({ reason, example }) => `${reason} ${example}`),
  }
}

test('HonKit: a page that the summary leaves out is not built', async () => {
  const files = { ...book, 'book.json': '{}', 'SUMMARY.md': summary, 'b.md': '# B\n', 'GLOSSARY.md': '## A\n' }
  const links = '[ok](a.md#install-itnow) [no](a.md#install-it_now) [book](/a.md) [html](a.html) [no](/gone.md)\n'
  const { findings } = await check({ ...files, 'g/README.md': `# G\n\n${links.replaceAll('(a', '(../a')}` })
  assert.deepEqual(findings, [
    'unlisted b.md',
    'anchor g/README.md ../a.md#install-it_now',
    'link g/README.md /gone.md',
  ])
})

test('HonKit: each language of LANGS.md has a summary of its own', async () => {
  const files = {
    'book.json': '{ "root": "./book" }',
    'book/LANGS.md': '* [English](en/)\n* [German](de/)\n* [French](fr)\n',
    'book/en/README.md': '# A\n',
    'book/en/SUMMARY.md': '* [A](a.md)\n* [Gone](gone.md)\n',
    'book/en/a.md': '# A\n',
    'book/de/README.md': '# A\n',
    'book/de/SUMMARY.md': '* [A](README.md)\n',
    'book/de/b.md': '# B\n',
  }
  assert.deepEqual((await check(files)).findings, [
    'navigation book/LANGS.md fr',
    'unlisted book/de/b.md',
    'navigation book/en/SUMMARY.md gone.md',
  ])
})

test('a summary without a configuration makes a book, where no other site has it', async () => {
  const files = { ...book, 'SUMMARY.md': summary }
  assert.deepEqual((await check(files)).kinds, ['gitbook SUMMARY.md', 'plain'])
  for (const other of ['book.toml', 'mkdocs.yml']) {
    const { kinds } = await check({ ...files, [other]: '' })
    assert.ok(!kinds.some((kind) => kind.startsWith('gitbook')), other)
  }
  assert.deepEqual((await check({ ...files, 'SUMMARY.md': 'No list.\n' })).kinds, ['plain'])
  assert.deepEqual((await check({ 'book.json': '{}', 'a.md': '# A\n' })).kinds, ['plain'])
})

test('GitBook: its marks of a broken link are missing; other addresses are not judged', async () => {
  const files = {
    '.gitbook.yaml': '',
    'one/SUMMARY.md': '* [A](README.md)\n',
    'one/README.md':
      '# 1. `<A>` & B\n\n[b](/broken/pages/x1) [c](broken-reference) [d](/spaces/x/y) [e](#id-1.-less-than-a-greater-than-and-b) ![](<../.gitbook/assets/a b (1).png>) ![](<.gitbook/no b.png>)\n',
    '.gitbook/assets/a b (1).png': '',
    'CONTRIBUTING.md': '# A\n',
  }
  assert.deepEqual(await check(files), {
    kinds: ['gitbook .gitbook.yaml', 'plain'],
    findings: [
      'image one/README.md .gitbook/no b.png',
      'link one/README.md /broken/pages/x1',
      'link one/README.md broken-reference',
    ],
    notJudged: ['generated one/README.md:3 /spaces/x/y'],
  })
})

test('GitBook: a moved page keeps its entries, and its old address in .gitbook.yaml', async () => {
  const workspace = createMemoryWorkspace({
    '.gitbook.yaml': 'root: ./docs\nredirects:\n  older: guides/a.md\n  x/y: z.md\n',
    'docs/SUMMARY.md': '* [A](guides/a.md "a")\n  * [B](guides/b.md)\n',
    'docs/guides/a.md': '[b](b.md)\n',
    'docs/guides/b.md': '[a](a.md#x)\n',
  })
  const { text } = await createMoveFileTool().run(
    { from: 'docs/guides/a.md', to: 'docs/manual/a.md' },
    { workspace, signal },
  )
  assert.match(text, /^\[redirect from \/guides\/a to \/manual\/a in \.gitbook\.yaml\]$/m)
  const texts = workspace.texts()
  assert.equal(
    texts['.gitbook.yaml'],
    'root: ./docs\nredirects:\n  older: manual/a.md\n  x/y: z.md\n  guides/a: manual/a.md\n',
  )
  assert.equal(texts['docs/SUMMARY.md'], '* [A](manual/a.md "a")\n  * [B](guides/b.md)\n')
  assert.equal(texts['docs/guides/b.md'], '[a](../manual/a.md#x)\n')
  await createDeleteFileTool().run({ path: 'docs/guides/b.md', removeLinks: true }, { workspace, signal })
  assert.doesNotMatch(workspace.texts()['docs/SUMMARY.md'] ?? '', /guides\/b\.md/)
})
