import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ForgeKind } from '../../../forge/host.ts'
import type { Tree, TreeEntry } from '../../../git/types.ts'
import { fillTemplate, readTemplate } from './template.ts'

function treeOf(files: Readonly<Record<string, string>>, kind: TreeEntry['kind'] = 'file'): Tree {
  const entries = Object.entries(files).map(([path, text]) => {
    return { path, kind, size: Buffer.byteLength(text), mode: '100644', oid: 'o' }
  })
  const read = async (path: string) => Buffer.from(files[path] ?? assert.fail(path))
  const refuse = () => Promise.reject(new Error('not used'))
  return { commit: 'c', entries: () => entries, entry: () => undefined, read, search: refuse }
}

test('the first place of the forge counts, in any case', async () => {
  const table: readonly (readonly [ForgeKind, readonly string[], string | undefined])[] = [
    ['github', ['PULL_REQUEST_TEMPLATE.md', '.github/pull_request_template.md'], '.github/pull_request_template.md'],
    ['github', ['docs/Pull_Request_Template.md'], 'docs/Pull_Request_Template.md'],
    ['github', ['.gitlab/merge_request_templates/Default.md', 'src/pull_request_template.md'], undefined],
    [
      'gitlab',
      ['pull_request_template.md', '.gitlab/merge_request_templates/Default.md'],
      '.gitlab/merge_request_templates/Default.md',
    ],
    ['gitlab', ['.gitlab/merge_request_templates/Bug.md'], undefined],
    [
      'gitea',
      ['.github/PULL_REQUEST_TEMPLATE.md', '.gitea/pull_request_template.md'],
      '.gitea/pull_request_template.md',
    ],
    [
      'azure',
      ['pull_request_template.md', '.azuredevops/pull_request_template.md'],
      '.azuredevops/pull_request_template.md',
    ],
    ['azure', ['.github/pull_request_template.md', 'docs/pull_request_template.txt'], 'docs/pull_request_template.txt'],
    ['bitbucket', ['pull_request_template.md'], undefined],
  ]
  for (const [forge, paths, expected] of table) {
    const tree = treeOf(Object.fromEntries(paths.map((path) => [path, path])))
    assert.equal(await readTemplate(tree, forge), expected, `${forge} ${paths.join(' ')}`)
  }
})

test('a link, and a file that is too large to be a template, is ignored', async () => {
  const path = 'pull_request_template.md'
  assert.equal(await readTemplate(treeOf({ [path]: 'x' }, 'symlink'), 'github'), undefined)
  assert.equal(await readTemplate(treeOf({ [path]: 'x'.repeat(30_001) }), 'github'), undefined)
  assert.equal((await readTemplate(treeOf({ [path]: 'x'.repeat(30_000) }), 'github'))?.length, 30_000)
  assert.equal(await readTemplate(treeOf({ [path]: '---\nname: x\n---\nText' }), 'github'), 'Text')
})

test('the description replaces the comment under the heading that asks for it', () => {
  const template = '# Pull request\n\n## Description\n\n<!-- What does it do? -->\n\n## Checklist\n\n- [ ] Tests\n'
  const filled = '# Pull request\n\n## Description\n\nRenames it.\n\n## Checklist\n\n- [ ] Tests'
  assert.equal(fillTemplate(template, 'Renames it.'), filled)
  assert.equal(fillTemplate(template.replaceAll('\n', '\r\n'), 'Renames it.'), filled)
  assert.equal(fillTemplate('## What changed?\nPlease write.', 'It.'), '## What changed?\n\nIt.\n\nPlease write.')
})

test('without such a heading the description comes first', () => {
  assert.equal(fillTemplate('- [ ] Signed\n', 'Renames it.'), 'Renames it.\n\n- [ ] Signed')
  assert.equal(fillTemplate('', 'Renames it.').trim(), 'Renames it.')
})
