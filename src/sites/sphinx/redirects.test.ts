import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createMoveFileTool } from '../../agent/tools/move-file.ts'
import { coverageOf } from '../../checks/coverage.ts'

const signal = new AbortController().signal
const files = {
  'doc/index.rst': 'A\n=\n\n.. toctree::\n\n   guide/run\n   install\n',
  'doc/install.rst': 'I\n=\n',
  'doc/guide/run.rst': 'Run\n===\n',
}
const conf = (extension: string, lines: string) => `project = 'A'\nextensions = ['${extension}']\n${lines}\n`
const rediraffe = (lines: string) => conf('sphinxext.rediraffe', `rediraffe_redirects = ${lines}`)
const reredirects = (lines: string) => conf('sphinx_reredirects', `redirects = ${lines}`)

async function check(text: string, more: Readonly<Record<string, string>> = {}) {
  return checkFiles(memoryTree({ ...files, ...more, 'doc/conf.py': text }))
}

async function move(text: string, more: Readonly<Record<string, string>> = {}, to = 'doc/ops/go.rst') {
  const workspace = createMemoryWorkspace({ ...files, ...more, 'doc/conf.py': text })
  const { text: said } = await createMoveFileTool().run({ from: 'doc/guide/run.rst', to }, { workspace, signal })
  return { texts: workspace.texts(), said }
}

// The warnings "(broken)" of sphinxext-rediraffe for the same dictionary are the two that are found.
test('a redirect of rediraffe leads to a document, over others too', async () => {
  const dictionary =
    '{\n  "a.rst": "install.rst",\n  "b.rst": "gone.rst",\n  "c.rst": "a.rst",\n  "install.rst": "guide/run.rst",\n}'
  const found = 'doc/conf.py:5 redirect gone\ndoc/conf.py:7 redirect /install'
  const text = showFindings((await check(rediraffe(dictionary))).findings)
  assert.equal(text.replace('/gone', 'gone'), found)
  const inFile = await check(rediraffe("'old.txt'"), {
    'doc/old.txt': '# Old\n"a b.rst" install.rst\nb.rst  gone.rst\n',
  })
  assert.equal(showFindings(inFile.findings), 'doc/old.txt:3 redirect /gone')
})

test('a redirect of reredirects is relative to its source, for files or folders', async () => {
  const result = await check(
    reredirects(
      `{\n 'a': 'install.html#x',\n 'old/b': '../install.html',\n 'old/c': 'install.html',\n 'd': '../guide/run/',\n 'e/f': '../../install/',\n 'g': 'https://a.example/',\n 'h*': 'none.html',\n 'i': '/none.html',\n 'j': '/guide/run.html',\n 'k': '$source.html',\n}`,
    ),
  )
  assert.equal(showFindings(result.findings), 'doc/conf.py:6 redirect /old/install')
  assert.deepEqual(
    coverageOf(result).notJudged.map(({ reason, count }) => [reason, count]),
    [
      ['outside', 1],
      ['template', 1],
    ],
  )
})

test('a move writes and follows the redirects of rediraffe', async () => {
  const many = await move(rediraffe('{\n    "a.rst": "guide/run.rst",  # why\n    "b.rst": "install.rst",\n}'))
  assert.match(
    many.texts['doc/conf.py'] ?? '',
    /\{\n {4}"a\.rst": "ops\/go\.rst", {2}# why\n {4}"b\.rst": "install\.rst",\n {4}"guide\/run\.rst": "ops\/go\.rst",\n\}/,
  )
  assert.match(many.said, /\[redirect from \/guide\/run to \/ops\/go in doc\/conf\.py\]/)
  const one = await move(rediraffe("{'b.rst': 'install.rst'}"))
  assert.match(one.texts['doc/conf.py'] ?? '', /\{'b\.rst': 'install\.rst', 'guide\/run\.rst': 'ops\/go\.rst'\}/)
  const turned = await move(rediraffe("{'ops/go.rst': 'guide/run.rst'}"))
  assert.match(turned.texts['doc/conf.py'] ?? '', /\{'guide\/run\.rst': 'ops\/go\.rst'\}/)
  const inFile = await move(rediraffe("'old.txt'"), { 'doc/old.txt': '"b.rst" "guide/run.rst"' })
  assert.equal(inFile.texts['doc/old.txt'], '"b.rst" "ops/go.rst"\n"guide/run.rst" "ops/go.rst"')
})

test('a move writes and follows the relative redirects of reredirects', async () => {
  const html = await move(reredirects("{'x/a': '../guide/run.html#y', 'b': 'https://a.example/'}"))
  assert.match(
    html.texts['doc/conf.py'] ?? '',
    /\{'x\/a': '\.\.\/ops\/go\.html#y', 'b': 'https:\/\/a\.example\/', 'guide\/run': '\.\.\/ops\/go\.html'\}/,
  )
  const folders = await move(reredirects("{'x/a': '../../guide/run/'}"), {}, 'doc/guide/deep/index.rst')
  assert.match(
    folders.texts['doc/conf.py'] ?? '',
    /\{'x\/a': '\.\.\/\.\.\/guide\/deep\/', 'guide\/run': '\.\.\/deep\/'\}/,
  )
  const turned = await move(reredirects("{'ops/go': '../guide/run.html'}"), {}, 'doc/ops/go.rst')
  assert.match(turned.texts['doc/conf.py'] ?? '', /\{'guide\/run': '\.\.\/ops\/go\.html'\}/)
})

test('redirects that code makes stay, and are named', async () => {
  const text = rediraffe("{**others, 'b.rst': 'guide/run.rst'}")
  const { texts, said } = await move(text)
  assert.equal(texts['doc/conf.py'], text)
  assert.match(said, /no redirect from \/guide\/run.*\n.*may still name it: doc\/conf\.py:3/)
})
