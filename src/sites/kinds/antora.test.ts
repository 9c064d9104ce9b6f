import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles, showFindings } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'
import { coverageOf } from '../../checks/coverage.ts'

const files = {
  'docs/antora.yml':
    "name: acme\nversion: '1.0'\nnav:\n- modules/ROOT/nav.adoc\nasciidoc:\n  attributes:\n    dir: guides\n",
  'docs/modules/ROOT/nav.adoc':
    '* xref:index.adoc[]\n* xref:ops:run.adoc[]\n* xref:gone.adoc[Gone]\n* xref:other::a.adoc[]\n',
  'docs/modules/ROOT/pages/index.adoc':
    '= Acme\n\nxref:ops:run.adoc#start-now[] xref:ops:run.adoc#no[] xref:ops:old.adoc[] xref:other::a.adoc[] xref:{dir}/a.adoc[] xref:{x}.adoc[]\n\n<<here>> <<Here We Go>> <<Top>>\n\n[[top-part]]\n== Top\n\n[#here]\n== Here We Go\n\nimage::a.png[]\n\nimage::b.png[]\n\ninclude::partial$p.adoc[]\n\ninclude::partial$q.adoc[]\n',
  'docs/modules/ROOT/pages/guides/a.adoc':
    '= A\n\nxref:index.adoc#part[] xref:1.0@acme:ROOT:index.adoc[] xref:2.0@acme::index.adoc[]\n',
  'docs/modules/ROOT/partials/p.adoc': '[#part]\nText. xref:gone.adoc[] xref:ops:gone.adoc[]\n',
  'docs/modules/ROOT/images/a.png': 'PNG',
  'docs/modules/ops/pages/run.adoc': '= Run\n:page-aliases: old.adoc\n\n== Start now\n\n<<nowhere>>\n',
}

test('Antora judges names, entries, images and includes', async () => {
  const result = await checkFiles(memoryTree(files))
  assert.equal(
    showFindings(result.findings),
    `docs/modules/ROOT/nav.adoc:3 navigation gone.adoc
docs/modules/ROOT/pages/index.adoc:3 anchor ops:run.adoc#no
docs/modules/ROOT/pages/index.adoc:15 image b.png
docs/modules/ROOT/pages/index.adoc:19 include partial$q.adoc
docs/modules/ROOT/partials/p.adoc:2 link ops:gone.adoc
docs/modules/ops/pages/run.adoc:6 anchor nowhere`,
  )
})

test('Antora counts what it does not judge', async () => {
  const { notJudged } = coverageOf(await checkFiles(memoryTree(files)))
  const counts = Object.fromEntries(notJudged.map(({ reason, count }) => [reason, count]))
  assert.deepEqual([counts['outside'], counts['template'], counts['context']], [3, 1, 1])
})

test('Antora serves pages below component, version and module', async () => {
  const { index } = await checkFiles(memoryTree(files))
  const routes = index.pages.map(({ path, routes: [route] }) => `${path.slice(13)} ${route ?? '-'}`)
  assert.deepEqual(routes, [
    'ROOT/pages/guides/a.adoc /acme/1.0/guides/a',
    'ROOT/pages/index.adoc /acme/1.0',
    'ROOT/partials/p.adoc -',
    'ops/pages/run.adoc /acme/1.0/ops/run',
  ])
})

test('a component of which other repositories have modules lacks no page', async () => {
  const list = '* xref:index.adoc[]\n* xref:query:a.adoc[]\n* xref:search:b.adoc[]\n* xref:ops:gone.adoc[]\n'
  const shared = { ...files, 'docs/modules/ROOT/nav.adoc': list }
  const { findings } = await checkFiles(memoryTree(shared))
  assert.equal(
    showFindings(findings),
    `docs/modules/ROOT/pages/index.adoc:3 anchor ops:run.adoc#no
docs/modules/ops/pages/run.adoc:6 anchor nowhere`,
  )
})

test('a page that inserts what is no page of the tree may have any anchor', async () => {
  const page = 'docs/modules/ops/pages/run.adoc'
  const tree = memoryTree({ ...files, [page]: `${files[page]}\ninclude::partial$manual.adoc[]\n` })
  const link = { path: 'docs/modules/ops/partials/manual.adoc', kind: 'symlink', oid: '', size: 0 }
  const { findings } = await checkFiles({ ...tree, entries: () => [...tree.entries(), link] })
  assert.doesNotMatch(showFindings(findings), /anchor/)
})

test('AsciiDoc of a repository is judged relative to its file', async () => {
  const { findings } = await checkFiles(
    memoryTree({
      'README.adoc':
        '= A\n\nxref:docs/b.adoc#_c[] link:docs/b.adoc[] xref:no.adoc[]\n\nimage::no.png[]\n\ninclude::no.adoc[]\n',
      'docs/b.adoc': '= B\n\n== C\n\nimage::logo.png[]\n',
      'images/logo.png': 'PNG',
    }),
  )
  assert.equal(
    showFindings(findings),
    'README.adoc:3 link no.adoc\nREADME.adoc:5 image no.png\nREADME.adoc:7 include no.adoc',
  )
})

test('a list of Antora that another one inserts is part of it', async () => {
  const { findings } = await checkFiles(
    memoryTree({
      'antora.yml': 'name: acme\nversion: ~\nnav:\n- modules/ROOT/nav.adoc\n',
      'modules/ROOT/nav.adoc': '* xref:index.adoc[]\n\ninclude::ops:partial$nav.adoc[]\n',
      'modules/ROOT/pages/index.adoc': '= Acme\n',
      'modules/ops/partials/nav.adoc': '* xref:ops:run.adoc[]\n* xref:ops:gone.adoc[]\n',
      'modules/ops/pages/run.adoc': '= Run\n',
    }),
  )
  assert.equal(showFindings(findings), 'modules/ops/partials/nav.adoc:2 navigation ops:gone.adoc')
})

test('a part that no page inserts and a page that is elsewhere have no dead anchors', async () => {
  const more = {
    ...files,
    'docs/modules/ops/pages/moved.adoc': '= Moved\n:page-location: run.adoc\n',
    'docs/modules/ops/pages/b.adoc': '= B\n\nxref:moved.adoc#start-now[] xref:b.adoc#no[]\n',
    'docs/modules/ops/partials/lost.adoc': 'xref:ops:run.adoc#no[]\n',
  }
  const { findings } = await checkFiles(memoryTree(more))
  const own = findings.filter(({ path }) => /moved|b\.adoc|lost/.test(path))
  assert.equal(showFindings(own), 'docs/modules/ops/pages/b.adoc:3 anchor b.adoc#no')
})

test('JSON that pages insert is text for readers, and JSON beside them is data', async () => {
  const more = {
    ...files,
    'docs/modules/ops/partials/sample.json': '{ "a": 1,\n  ...\n}\n',
    'docs/modules/ops/pages/data.json': '{ "a": 1,\n  ...\n}\n',
  }
  const { findings } = await checkFiles(memoryTree(more))
  assert.deepEqual(
    findings.filter(({ kind }) => kind === 'config').map(({ path }) => path),
    ['docs/modules/ops/pages/data.json'],
  )
})
