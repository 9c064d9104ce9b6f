import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from '../delete-file.ts'
import { createMoveFileTool } from '../move-file.ts'

const signal = new AbortController().signal
const at = (path: string) => `docs/modules/${path}`
const files = {
  'docs/antora.yml': "name: acme\nversion: '1.0'\nnav:\n- modules/ROOT/nav.adoc\n",
  [at('ROOT/nav.adoc')]: '* xref:index.adoc[Home]\n* xref:ops:run.adoc[Run]\n** xref:ops:more.adoc[More]\n',
  [at('ROOT/pages/index.adoc')]:
    '= Acme\n\nSee xref:ops:run.adoc#start[Run], {dir}/run.adoc.\n\ninclude::partial$p.adoc[]\n\nimage::a.png[]\n',
  [at('ROOT/pages/guides/a.adoc')]: '= A\n\nxref:index.adoc[] xref:1.0@acme:ops:run.adoc[x]\n',
  [at('ROOT/partials/p.adoc')]: 'Text xref:ops:run.adoc[].\n',
  [at('ROOT/images/a.png')]: 'PNG',
  [at('ops/pages/run.adoc')]: '= Run\n\n[#start]\n== Start\n\nxref:more.adoc[] xref:ROOT:index.adoc[]\n',
  [at('ops/pages/more.adoc')]: '= More\n\nxref:run.adoc[]\n',
}

test('a page of Antora moves with the names that lead to it, and keeps the old one', async () => {
  const workspace = createMemoryWorkspace(files)
  const to = at('ROOT/pages/guides/run.adoc')
  const { text } = await createMoveFileTool().run({ from: at('ops/pages/run.adoc'), to }, { workspace, signal })
  const after = new Map(Object.entries(workspace.texts()))
  assert.equal(after.get(at('ROOT/nav.adoc'))?.split('\n')[1], '* xref:ROOT:guides/run.adoc[Run]')
  assert.match(after.get(at('ROOT/pages/index.adoc')) ?? '', /xref:ROOT:guides\/run\.adoc#start\[Run\]/)
  assert.match(after.get(at('ROOT/pages/guides/a.adoc')) ?? '', /xref:1\.0@acme:ROOT:guides\/run\.adoc\[x\]/)
  assert.equal(after.get(at('ops/pages/more.adoc')), '= More\n\nxref:ROOT:guides/run.adoc[]\n')
  assert.equal(
    after.get(to),
    '= Run\n:page-aliases: ops:run.adoc\n\n[#start]\n== Start\n\nxref:ops:more.adoc[] xref:ROOT:index.adoc[]\n',
  )
  assert.match(text, /redirect from \/acme\/1\.0\/ops\/run to \/acme\/1\.0\/guides\/run in/)
})

test('a page of Antora that moves back has no alias of its own name', async () => {
  const workspace = createMemoryWorkspace(files)
  const [from, to] = [at('ops/pages/run.adoc'), at('ops/pages/start.adoc')]
  await createMoveFileTool().run({ from, to }, { workspace, signal })
  await createMoveFileTool().run({ from: to, to: from }, { workspace, signal })
  assert.match(new Map(Object.entries(workspace.texts())).get(from) ?? '', /^= Run\n:page-aliases: start\.adoc\n/)
})

test('a deletion lists every name of Antora that stays, and removes the links', async () => {
  for (const [path, places] of [
    [at('ROOT/images/a.png'), /index\.adoc: still names it at line 7/],
    [at('ROOT/partials/p.adoc'), /index\.adoc: still names it at line 5/],
    [at('ops/pages/run.adoc'), /partials\/p\.adoc: still names it at line 1\n.*more\.adoc: still names it at line 3/],
  ] as const) {
    const workspace = createMemoryWorkspace(files)
    const { text } = await createDeleteFileTool().run({ path, removeLinks: true }, { workspace, signal })
    assert.match(text, places)
    if (path.endsWith('run.adoc'))
      assert.match(workspace.texts()[at('ROOT/nav.adoc')] ?? '', /^\* Run\n\*\* xref:ops:more\.adoc\[More\]$/m)
  }
})

test('AsciiDoc without a site is followed by its paths', async () => {
  const workspace = createMemoryWorkspace({
    'README.adoc': '= A\n\nxref:docs/b.adoc#_c[] xref:docs/b#[]\n\ninclude::docs/b.adoc[]\n',
    'docs/b.adoc': '= B\n\nxref:../README.adoc[]\n',
  })
  await createMoveFileTool().run({ from: 'docs/b.adoc', to: 'b.adoc' }, { workspace, signal })
  assert.deepEqual(workspace.texts(), {
    'README.adoc': '= A\n\nxref:b.adoc#_c[] xref:b#[]\n\ninclude::b.adoc[]\n',
    'b.adoc': '= B\n\nxref:README.adoc[]\n',
  })
})
