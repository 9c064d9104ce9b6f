import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, splitBlocks, splitInline } from './blocks.ts'

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

test('inline code is between two backticks on one line', () => {
  const cases: readonly (readonly [string, readonly Block[]])[] = [
    ['Run `npm ci` first', [plain('Run '), code('npm ci'), plain(' first')]],
    ['`a``b`', [code('a'), code('b')]],
    ['`npm install', [plain('`npm install')]],
    ['`one\ntwo`', [plain('`one\ntwo`')]],
    ['``', [plain('``')]],
  ]
  for (const [text, parts] of cases) assert.deepEqual(splitInline(text), parts, JSON.stringify(text))
})
