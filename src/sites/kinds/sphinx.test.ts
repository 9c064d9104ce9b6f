import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'
import { createMemoryWorkspace } from '../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from '../../agent/tools/delete-file.ts'
import { createMoveFileTool } from '../../agent/tools/move-file.ts'
import { coverageOf } from '../../checks/coverage.ts'

const signal = new AbortController().signal
const files = {
  'doc/conf.py': "project = 'Acme'\nextensions = ['sphinx.ext.todo', 'myst_parser']\nexclude_patterns = ['old']\n",
  'doc/index.rst':
    'Acme\n====\n\n.. toctree::\n   :glob:\n\n   install\n   Guide <guide/run>\n   guide/md*\n   gone\n\nSee :doc:`guide/run`, :ref:`start`, :ref:`no-such`, :doc:`/none` and :download:`x.zip`.\n',
  'doc/install.rst':
    'Install\n=======\n\n.. _start:\n\nStart\n-----\n\n.. image:: /img/a.png\n\n.. image:: b.png\n\n.. include:: /part.txt\n\n.. include:: none.txt\n',
  'doc/guide/run.rst': ':orphan:\n\nRun\n===\n\n:doc:`../install` :class:`acme.Run` |sub|\n',
  'doc/guide/md.md': '# MyST\n\n{doc}`run` {ref}`start` {doc}`nowhere` [a](#start) [b](run.rst#no)\n',
  'doc/lost.rst': 'Lost\n====\n',
  'doc/old/a.rst': ':doc:`none`\n',
  'doc/part.txt': 'A part.\n',
  'doc/img/a.png': 'PNG',
}

test('Sphinx judges documents, labels, entries, images, includes and downloads', async () => {
  const result = await checkFiles(memoryTree(files))
  assert.deepEqual([result.sites[0]?.kind, result.pages], ['sphinx', 5])
  assert.equal(
    showFindings(result.findings),
    `doc/guide/md.md:3 anchor run.rst#no
doc/guide/md.md:3 link nowhere
doc/index.rst:10 navigation gone
doc/index.rst:12 link /none
doc/index.rst:12 link x.zip
doc/install.rst:11 image b.png
doc/install.rst:15 include none.txt
doc/lost.rst:1 unlisted `,
  )
  assert.deepEqual(
    coverageOf(result).notJudged.map(({ reason, count }) => [reason, count]),
    [
      ['generated', 1],
      ['context', 1],
    ],
  )
})

// The warnings of Sphinx 5 for these names are the two that are found.
test('a document has its ending in a toctree only', async () => {
  const index = 'A\n=\n\n.. toctree::\n\n   install.rst\n\n:doc:`install.rst` :doc:`install`\n'
  const pages = {
    'doc/index.rst': index,
    'doc/guide/md.md': '---\norphan: true\n---\n# M\n\n{doc}`md.md` [a](md.md)\n',
    'doc/install.rst': 'I\n=\n',
    'doc/lost.rst': null,
    'doc/guide/run.rst': null,
  }
  const { findings } = await checkFiles(memoryTree(files, pages))
  assert.equal(showFindings(findings), 'doc/guide/md.md:6 link md.md\ndoc/index.rst:8 link install.rst')
  const workspace = createMemoryWorkspace({ ...files, 'doc/index.rst': index })
  await createMoveFileTool().run({ from: 'doc/install.rst', to: 'doc/start.rst' }, { workspace, signal })
  assert.match(workspace.texts()['doc/index.rst'] ?? '', / start\n\n:doc:`start` :doc:`start`/)
})

test('roles that name objects are judged where a page describes these', async () => {
  const index = `A
=

.. toctree::

   b

:term:\`Build
frontend <Build Frontend>\` :term:\`gone\` :confval:\`~a_b\` :meth:\`.Run.go()\` :meth:\`lost\` :c:func:\`c_open\`
:rst:dir:\`acme\` :issue:\`12\` :ref:\`other:page\` :show:\`a\` :class:\`Example\`

.. role:: show(code)
`
  const b = `B
=

.. glossary::
   :sorted:

   Build frontend
      A program.
   Other

.. confval:: a_b
.. py:method:: Run.go(a)
.. c:function:: int *c_open(char *path)
.. rst:directive:: .. acme:: name

.. code-block:: rst

   .. class:: Example
`
  const conf = `project = 'A'
extensions = ['sphinx.ext.extlinks', 'sphinx.ext.intersphinx']
extlinks = {'issue': ('https://example.com/%s', '#%s')}
intersphinx_mapping = {'other': ('https://example.com/', None)}
`
  const result = await checkFiles(memoryTree({ 'conf.py': conf, 'index.rst': index, 'b.rst': b }))
  assert.equal(showFindings(result.findings), '')
  // With the entry of the navigation.
  assert.deepEqual(coverageOf(result), {
    judged: 6,
    notJudged: [{ reason: 'generated', count: 1, example: 'index.rst:1 term gone' }],
  })
  const withCode = memoryTree({
    'conf.py': conf.replace("['sphinx.ext", "['sphinx.ext.autodoc', 'sphinx.ext"),
    'index.rst': index,
    'b.rst': b,
  })
  assert.deepEqual(coverageOf(await checkFiles(withCode)).notJudged, [
    { reason: 'generated', count: 3, example: 'index.rst:1 term gone' },
  ])
})

test('labels and documents that an extension may know are not judged', async () => {
  const conf = "project = 'Acme'\nextensions = ['sphinx.ext.intersphinx', 'sphinx_gallery.gen_gallery']\n"
  const result = await checkFiles(memoryTree(files, { 'doc/conf.py': conf }))
  assert.doesNotMatch(showFindings(result.findings), /no-such|none\b(?!\.txt)|gone/)
  assert.ok((coverageOf(result).notJudged.find(({ reason }) => reason === 'generated')?.count ?? 0) >= 4)
})

test('code that makes no page leaves documents judged', async () => {
  const last =
    "def last(app, _):\n    open('x', 'w').write('a')\n\ndef setup(app):\n    app.connect('build-finished', last)\n"
  const conf =
    "project = 'A'\nextensions = ['own', 'sphinx.ext.autosummary']\nhtml_additional_pages = {'all': 'a.html'}\n"
  const index = 'A\n=\n\n:doc:`guide/run/` :doc:`none` `a <all.html>`_ a_ `No one`_\n'
  const found = async (own: string, more: string) => {
    const change = { 'doc/conf.py': conf + more + last, 'doc/own.py': own, 'doc/index.rst': index }
    const { findings } = await checkFiles(memoryTree(files, change))
    return findings.flatMap(({ path, target }) => (path === 'doc/index.rst' ? target : []))
  }
  const none = 'autosummary_generate = False\n\n'
  assert.deepEqual(await found('', none), ['#no one', 'none'])
  for (const [own, more] of [
    ["app.connect('builder-inited', x)", none],
    ['from . import x', none],
    ['', ''],
  ] as const)
    assert.deepEqual(await found(own, more), ['#no one'], own)
  assert.deepEqual(await found('', `${none}rst_epilog = '.. _no one: x'\n`), ['none'])
})

test('a name that an included file may have is not judged', async () => {
  const page = 'A\n=\n\ngone_\n\n.. tab-set::\n\n   gone_\n'
  const judge = async (more: string) => {
    const result = await checkFiles(memoryTree(files, { 'doc/index.rst': page + more, 'doc/guide/md.md': null }))
    const own = result.findings.filter(({ target }) => target === '#gone').map(({ line }) => line)
    return [own, coverageOf(result).notJudged.find(({ reason }) => reason === 'context')?.count]
  }
  assert.deepEqual(await judge(''), [[4, 8], undefined])
  assert.deepEqual(await judge('\n.. include:: lost.rst\n'), [[], 2])
})

test('a page whose label changes is missed by the pages that name it', async () => {
  const install = files['doc/install.rst'].replace('.. include:: /part.txt', '')
  const before = await checkFiles(memoryTree(files, { 'doc/install.rst': install }))
  const after = await checkFiles(memoryTree(files, { 'doc/install.rst': install.replace('_start:', '_begin:') }))
  assert.equal(after.findings.length, before.findings.length + 3)
})

test('a label that no inserted file can have is missed; the first page needs no entry', async () => {
  const change = {
    'doc/conf.py': `${files['doc/conf.py']}root_doc = 'start'\nrediraffe_redirects = 'moved.txt'\n`,
    'doc/index.rst': null,
    'doc/start.rst': files['doc/index.rst'],
    'doc/install.rst': files['doc/install.rst'].replace('.. include:: /part.txt', ''),
  }
  const found = showFindings((await checkFiles(memoryTree(files, change))).findings)
  assert.match(found, /doc\/start\.rst:12 link no-such/)
  assert.doesNotMatch(found, /start\.rst:1 unlisted|redirect/)
})

test('a page of Sphinx moves with the names that lead to it', async () => {
  const workspace = createMemoryWorkspace(files)
  await createMoveFileTool().run({ from: 'doc/guide/run.rst', to: 'doc/ops/go.rst' }, { workspace, signal })
  const texts = workspace.texts()
  assert.match(texts['doc/index.rst'] ?? '', /Guide <ops\/go>/)
  assert.match(texts['doc/index.rst'] ?? '', /See :doc:`ops\/go`/)
  assert.match(texts['doc/guide/md.md'] ?? '', /\{doc\}`\.\.\/ops\/go`/)
  assert.match(texts['doc/ops/go.rst'] ?? '', /:doc:`\.\.\/install`/)
})

test('a deletion names every place of Sphinx that stays', async () => {
  const workspace = createMemoryWorkspace(files)
  const input = { path: 'doc/install.rst', removeLinks: false }
  const { text } = await createDeleteFileTool().run(input, { workspace, signal })
  assert.match(text, /doc\/index\.rst/)
  assert.match(text, /doc\/guide\/run\.rst/)
})

// The warnings of myst-parser 0.18 for these links are the four that are found.
test('a link of MyST may name a label or a document', async () => {
  const result = await checkFiles(
    memoryTree({
      LICENSE: 'MIT\n',
      'docs/conf.py': "project = 'Acme'\nextensions = ['myst_parser']\n",
      'docs/index.md':
        '# A\n\n(my-label)=\n## B\n\n[a](my-label) [b](b) [c](nolabel) [d](b.md#no) [e](sub) [f](../LICENSE)\n\n% see [g](g.md)\n% ```sh\n% h\n% ```\n\n```{toctree}\nb\nsub/c\n```\n',
      'docs/b.md': '# B\n\n[a](My-Label) [b](index) [c](sub/c) [d](#my-label)\n',
      'docs/sub/c.md': '# C\n\n[a](b) [b](../b) [c](/b) [d](/b.md)\n',
    }),
  )
  assert.equal(
    showFindings(result.findings),
    `docs/index.md:6 anchor b.md#no
docs/index.md:6 link nolabel
docs/index.md:6 link sub
docs/sub/c.md:3 link b`,
  )
})

test('a link of MyST follows the document that it names', async () => {
  const workspace = createMemoryWorkspace({
    'docs/conf.py': "project = 'Acme'\nextensions = ['myst_parser']\n",
    'docs/index.md': '# A\n\n[a](guide/run) [b](guide/run.md)\n',
    'docs/guide/run.md': '# Run\n\n[c](../index)\n',
  })
  await createMoveFileTool().run({ from: 'docs/guide/run.md', to: 'docs/ops/deep/go.md' }, { workspace, signal })
  assert.match(workspace.texts()['docs/index.md'] ?? '', /\[a\]\(ops\/deep\/go\) \[b\]\(ops\/deep\/go\.md\)/)
  assert.match(workspace.texts()['docs/ops/deep/go.md'] ?? '', /\[c\]\(\.\.\/\.\.\/index\)/)
})

test('the names in a file outside the site belong to the page that includes it', async () => {
  const tree = memoryTree({
    'CHANGES.md': '# Changes\n\n[a](start) [b](#start) [c](docs/index.md)\n',
    'docs/conf.py': "project = 'Acme'\nextensions = ['myst_parser']\n",
    'docs/index.md': '(start)=\n# A\n\n```{include} ../CHANGES.md\n```\n',
  })
  const result = await checkFiles(tree)
  assert.equal(showFindings(result.findings), '')
  assert.deepEqual(
    coverageOf(result).notJudged.map(({ reason, count }) => [reason, count]),
    [['context', 2]],
  )
})

test('pages of autodoc2 are in a folder, and those of summaries are objects', async () => {
  const links = '# A\n\n[a](api/x.md) [b](b.md) {doc}`apidocs/c` {doc}`gen/acme.Run` {doc}`gen/c-d`\n'
  const found = async (extension: string, more = '') => {
    const conf = `project = 'A'\nextensions = ['myst_parser', '${extension}']\n${more}`
    const { findings } = await checkFiles(memoryTree({ 'doc/index.md': links, 'doc/conf.py': conf }))
    return findings.map(({ target }) => target).join(' ')
  }
  assert.equal(await found('autodoc2'), 'api/x.md b.md gen/acme.Run gen/c-d')
  assert.equal(await found('autoapi.extension', "autoapi_root = 'api'\n"), 'apidocs/c b.md gen/acme.Run gen/c-d')
  assert.equal(await found('autodoc2', 'autodoc2_output_dir = FOLDER\n'), '')
  assert.equal(await found('sphinx.ext.autosummary'), 'api/x.md b.md gen/c-d')
  assert.equal(await found('sphinx.ext.autosummary', 'autosummary_filename_map = {}\n'), '')
  assert.equal(await found('myst_nb'), 'api/x.md apidocs/c b.md gen/acme.Run gen/c-d')
})

test('a configuration that reads files makes no pages, and summaries no images', async () => {
  const read = "version = open('../VERSION', encoding='utf-8').read()\nredirects = {'a': 'apidocs/b'}\n"
  const conf = (more: string) => `project = 'Acme'\nextensions = ['sphinx.ext.autosummary']\n${more}`
  const pages = { 'doc/index.rst': 'A\n=\n\n:doc:`gone`\n\n.. image:: gone.png\n' }
  const found = async (text: string) => {
    const { findings } = await checkFiles(memoryTree({ ...pages, 'doc/conf.py': text }))
    return showFindings(findings)
  }
  assert.equal(await found(conf(read)), 'doc/index.rst:6 image gone.png')
  assert.equal(await found(conf("open('a.rst', 'w').write('')\n")), '')
  assert.equal(
    await found(conf(read).replace('.autosummary', '.todo')),
    'doc/index.rst:4 link gone\ndoc/index.rst:6 image gone.png',
  )
})
