import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, splitBlocks } from './blocks.ts'

const code = (text: string): Block => ({ kind: 'code', text })
const plain = (text: string): Block => ({ kind: 'text', text })

test('a code block runs from its fence to the closing fence, or to the end', () => {
  const cases: readonly (readonly [string, readonly Block[]])[] = [
    ['', []],
    ['One.\n\nTwo.\n', [plain('One.\n\nTwo.')]],
    ['Run:\n```sh\nnpm ci\nnpm test\n```\nDone.', [plain('Run:'), code('npm ci\nnpm test'), plain('Done.')]],
    ['```\na\n```\n```\n\nb\n\n```', [code('a'), code('\nb\n')]],
    ['Asked:\n\n> a\n> b\n\nNext.', [plain('Asked:'), { kind: 'quote', text: 'a\nb' }, plain('Next.')]],
    ['a > b\n```\n> c\n```', [plain('a > b'), code('> c')]],
    ['```\n```', [code('')]],
    ['```js', [code('')]],
    ['```js\nconst a = 1', [code('const a = 1')]],
    ['```js\nconst a = `b`\n``', [code('const a = `b`\n``')]],
  ]
  for (const [text, blocks] of cases) assert.deepEqual(splitBlocks(text), blocks, JSON.stringify(text))
})

test('a line that starts with inline code in three backticks is text', () => {
  const text = '```foo``` is a name.\nThe rest stays.'
  assert.deepEqual(splitBlocks(text), [plain(text)])
})

test('headings, rules, lists and tables are blocks of their own', () => {
  const cases: readonly (readonly [string, readonly Block[]])[] = [
    ['## What changed\nText #1', [{ kind: 'heading', level: 2, text: 'What changed' }, plain('Text #1')]],
    ['#tag', [plain('#tag')]],
    ['a\n\n---\nb', [plain('a'), { kind: 'rule' }, plain('b')]],
    [
      'Done:\n- one\n  more\n\n  * two\n10. ten\n\nEnd',
      [
        plain('Done:'),
        {
          kind: 'list',
          items: [
            { depth: 0, mark: '-', text: 'one\nmore' },
            { depth: 1, mark: '*', text: 'two' },
            { depth: 0, mark: '10.', text: 'ten' },
          ],
        },
        plain('End'),
      ],
    ],
    ['since\n2026. That', [plain('since\n2026. That')]],
    [
      '| a | b |\n| --- | :-: |\n| `x|y` | 2 | 3 |\n| 1 \\| 2 |\n\nEnd',
      [
        {
          kind: 'table',
          head: ['a', 'b'],
          rows: [
            ['`x|y`', '2'],
            ['1 | 2', ''],
          ],
        },
        plain('End'),
      ],
    ],
    ['a | b\nc', [plain('a | b\nc')]],
    ['> # a\n> - b', [{ kind: 'quote', text: '# a\n- b' }]],
  ]
  for (const [text, blocks] of cases) assert.deepEqual(splitBlocks(text), blocks, JSON.stringify(text))
})

test('hostile text is split in time that grows with its length', () => {
  for (const text of [
    '> '.repeat(50_000),
    '- '.repeat(50_000),
    `|${' '.repeat(50_000)}|\n|${'-'.repeat(50_000)}`,
    '# #'.repeat(30_000),
  ])
    assert.ok(splitBlocks(text).length > 0)
})
