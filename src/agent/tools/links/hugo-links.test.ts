import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { createDeleteFileTool } from '../delete-file.ts'
import { createMoveFileTool } from '../move-file.ts'

const signal = new AbortController().signal
const files = {
  'hugo.toml': `baseURL = 'https://acme.example/'
[[menus.main]]
pageRef = '/guides/run'
[[menus.main]]
url = '/guides/run/'
`,
  'content/_index.md': '---\ntitle: Acme\n---\n\n[Run](/guides/run/), [run](guides/run/#start)\n',
  'content/guides/_index.md': '+++\ntitle = "Guides"\n+++\n\n[Run](run/)\n',
  'content/guides/run.md':
    '---\ntitle: Run\naliases: [/start/]\n---\n\n## Start\n\n[more](../more/) [x]({{< ref "more.md" >}})\n',
  'content/guides/more.md':
    '---\ntitle: More\n---\n\n[a](../run/) [b]({{< relref "run.md#start" >}}) {{% ref "/guides/run" %}} [c](./run.md)\n',
  'content/notes/a.md':
    '---\ntitle: A\n---\n\n```sh\necho {{< ref "guides/run" >}}\n```\n\n[b](/other/) <a href="/guides/run/">c</a>\n',
}

test('a page of Hugo moves with what leads to it, and keeps the old address', async () => {
  const workspace = createMemoryWorkspace(files)
  const to = 'content/ops/start.md'
  const { text } = await createMoveFileTool().run({ from: 'content/guides/run.md', to }, { workspace, signal })
  const after = new Map(Object.entries(workspace.texts()))
  assert.match(text, /redirect from \/guides\/run to \/ops\/start in content\/ops\/start\.md, as `aliases`/)
  // Nothing here writes TOML.
  assert.match(text, /may still name it: hugo\.toml:3, hugo\.toml:5\]/)
  assert.match(after.get('content/_index.md') ?? '', /^\[Run\]\(\/ops\/start\/\), \[run\]\(ops\/start\/#start\)$/m)
  assert.match(after.get('content/guides/_index.md') ?? '', /^\[Run\]\(\.\.\/ops\/start\/\)$/m)
  assert.equal(
    after.get('content/guides/more.md')?.split('\n')[4],
    '[a](../../ops/start/) [b]({{< relref "../ops/start.md#start" >}}) {{% ref "/ops/start" %}} [c](../ops/start.md)',
  )
  assert.match(after.get('content/notes/a.md') ?? '', /\{\{< ref "ops\/start" >\}\}[^]*<a href="\/ops\/start\/">/)
  assert.equal(
    after.get(to),
    '---\ntitle: Run\naliases: [/start/, /guides/run/]\n---\n\n## Start\n\n[more](../../guides/more/) [x]({{< ref "../guides/more.md" >}})\n',
  )
})

test('a page of Hugo that moves back has no alias of its own address', async () => {
  const plain = '+++\ntitle = "Run"\n+++\n\n# Run\n'
  for (const [text, there, back] of [
    [plain, '+++\naliases = ["/guides/run/"]\ntitle = "Run"\n', '+++\naliases = ["/guides/b/"]\ntitle = "Run"\n'],
    ['# Run\n', '---\naliases:\n  - /guides/run/\n---\n', '---\naliases:\n  - /guides/b/\n---\n'],
    [
      '---\naliases:\n  - "/x/"\n---\n',
      '---\naliases:\n  - "/x/"\n  - "/guides/run/"\n',
      '---\naliases:\n  - "/x/"\n  - "/guides/b/"\n',
    ],
  ] as const) {
    const [from, to] = ['content/guides/run.md', 'content/guides/b.md']
    const workspace = createMemoryWorkspace({ ...files, [from]: text })
    await createMoveFileTool().run({ from, to }, { workspace, signal })
    assert.ok(workspace.texts()[to]?.startsWith(there), workspace.texts()[to])
    await createMoveFileTool().run({ from: to, to: from }, { workspace, signal })
    assert.ok(workspace.texts()[from]?.startsWith(back), workspace.texts()[from])
  }
})

test('a deletion lists every name of a page of Hugo that stays, and removes the links', async () => {
  const workspace = createMemoryWorkspace(files)
  const call = { path: 'content/guides/run.md', removeLinks: true }
  const { text } = await createDeleteFileTool().run(call, { workspace, signal })
  assert.match(text, /more\.md: still names it at line 5\n.*notes\/a\.md: still names it at line 6\n/)
  assert.match(text, /may still name it: hugo\.toml:3, hugo\.toml:5\]/)
  assert.match(workspace.texts()['content/guides/more.md'] ?? '', /^a b \{\{% ref "\/guides\/run" %\}\} c$/m)
})

test('a page of Hugo is found at its address, not at its path', async () => {
  const workspace = createMemoryWorkspace({
    ...files,
    'content/guides/run.md': '---\ntitle: Run\nslug: start-here\n---\n',
    'content/_index.md': '---\ntitle: Acme\n---\n\n[a](/guides/start-here/) [b](guides/)\n',
  })
  const { text } = await createDeleteFileTool().run({ path: 'content/guides/run.md' }, { workspace, signal })
  assert.match(text, /content\/_index\.md: still names it at line 5/)
  const section = await createDeleteFileTool().run({ path: 'content/guides/_index.md' }, { workspace, signal })
  assert.match(section.text, /content\/_index\.md: still names it at line 5/)
})
