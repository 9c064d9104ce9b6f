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
doc/index.rst:12 link no-such
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

test('labels and documents that an extension may know are not judged', async () => {
  const conf = "project = 'Acme'\nextensions = ['sphinx.ext.intersphinx', 'autoapi.extension']\n"
  const result = await checkFiles(memoryTree(files, { 'doc/conf.py': conf }))
  assert.doesNotMatch(showFindings(result.findings), /no-such|none\b(?!\.txt)|gone/)
  assert.ok((coverageOf(result).notJudged.find(({ reason }) => reason === 'generated')?.count ?? 0) >= 4)
})

test('a page whose label changes is missed by the pages that name it', async () => {
  const before = await checkFiles(memoryTree(files))
  const change = { 'doc/install.rst': files['doc/install.rst'].replace('_start:', '_begin:') }
  const after = await checkFiles(memoryTree(files, change))
  assert.equal(after.findings.length, before.findings.length + 3)
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
