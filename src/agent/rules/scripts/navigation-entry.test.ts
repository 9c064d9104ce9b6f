import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applySplices } from '../../../docs-syntax/text.ts'
import { navigationSplice } from './navigation-entry.ts'
import { choosePath } from './create-page.ts'

const cases: readonly (readonly [
  name: string,
  text: string,
  page: string,
  group: string | undefined,
  after: string,
  where: string,
])[] = [
  [
    'behind the last neighbour on its line',
    '{"pages": ["g/a", "g/b", "c"]}',
    'g/n',
    undefined,
    '{"pages": ["g/a", "g/b", "g/n", "c"]}',
    '',
  ],
  ['behind the only one', '{"pages": ["g/a"]}', 'g/n', undefined, '{"pages": ["g/a", "g/n"]}', ''],
  [
    'on a line of its own',
    '{"group": "G", "pages": [\r\n\t"g/a"\r\n]}',
    'g/n',
    undefined,
    '{"group": "G", "pages": [\r\n\t"g/a",\r\n\t"g/n"\r\n]}',
    ' under “G”',
  ],
  [
    'with a slash where they have one',
    '{"pages": ["/g/a.mdx"]}',
    'g/n',
    undefined,
    '{"pages": ["/g/a.mdx", "/g/n"]}',
    '',
  ],
  [
    'in the list with most neighbours',
    '[{"pages": ["g/a"]}, {"pages": ["g/b", "g/c"]}]',
    'g/n',
    undefined,
    '[{"pages": ["g/a"]}, {"pages": ["g/b", "g/c", "g/n"]}]',
    '',
  ],
  [
    'in the named group',
    '[{"group": "A", "pages": ["g/a"]}, {"group": "B", "pages": ["x"]}]',
    'g/n',
    'b',
    '[{"group": "A", "pages": ["g/a"]}, {"group": "B", "pages": ["x", "g/n"]}]',
    ' under “B”',
  ],
  [
    'in the named group when it is empty',
    '{"group": "A", "pages": [ ]}',
    'g/n',
    'A',
    '{"group": "A", "pages": ["g/n"]}',
    ' under “A”',
  ],
]

for (const [name, text, page, group, after, where] of cases) {
  test(`a new page is listed ${name}`, () => {
    const entry = navigationSplice(text, page, group)
    assert.ok(!('problem' in entry))
    assert.equal(applySplices(text, [entry]), after)
    assert.equal(entry.where, where)
  })
}

test('a new page is not listed where it does not belong', () => {
  for (const [text, group] of [
    ['{', undefined],
    ['{"pages": ["g/n"]}', undefined],
    ['{"pages": ["/g/n.mdx"]}', 'x'],
    ['{"pages": ["x"]}', undefined],
    ['{"pages": "g/a"}', undefined],
    ['{"items": ["g/a"]}', undefined],
    ['{"group": "A", "pages": ["g/a"]}', 'B'],
  ] as const)
    assert.ok('problem' in navigationSplice(text, 'g/n', group), text)
})

const places: readonly (readonly [name: string, files: readonly string[], path: string, config: string | undefined])[] =
  [
    ['g/n', ['g/a.md', 'b.mdx', 'c.mdx'], 'g/n.md', undefined],
    ['g/n', ['h/a.md', 'README.md', 'CONTRIBUTING.md', 'b.mdx', 'c.mdx'], 'g/n.mdx', undefined],
    ['g/n', ['h/a.md', 'h/b.md', 'c.mdx'], 'g/n.md', undefined],
    ['g/n', [], 'g/n.mdx', undefined],
    ['/g/n.md', ['docs.json', 'a.mdx'], 'g/n.md', 'docs.json'],
    ['g/n', ['docs/docs.json', 'docs/a.mdx'], 'docs/g/n.mdx', 'docs/docs.json'],
    ['docs/g/n', ['docs/docs.json', 'docs/a.mdx'], 'docs/g/n.mdx', 'docs/docs.json'],
    ['g/n', ['a/docs.json', 'b/docs.json'], 'g/n.mdx', undefined],
    ['b/n', ['docs.json', 'b/docs.json'], 'b/n.mdx', 'docs.json'],
  ]

for (const [name, files, path, config] of places) {
  test(`the page ${name} goes to ${path} among ${files.join(', ')}`, () => {
    assert.deepEqual(choosePath(name, [...files].toSorted()), { path, config })
  })
}
