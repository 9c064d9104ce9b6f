import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Inline, plainWords, splitInline } from './inline.ts'

const code = (text: string): Inline => ({ kind: 'code', text })
const plain = (text: string): Inline => ({ kind: 'text', text })
const strong = (...parts: readonly Inline[]): Inline => ({ kind: 'strong', parts })
const em = (...parts: readonly Inline[]): Inline => ({ kind: 'em', parts })
const link = (href: string, ...parts: readonly Inline[]): Inline => ({ kind: 'link', href, parts })

test('inline code is between as many backticks, on one line', () => {
  const cases: readonly (readonly [string, readonly Inline[]])[] = [
    ['Run `npm ci` first', [plain('Run '), code('npm ci'), plain(' first')]],
    ['`` a`b ``', [code('a`b')]],
    ['`npm install', [plain('`npm install')]],
    ['`one\ntwo`', [plain('`one\ntwo`')]],
    ['``', [plain('``')]],
    ['`**a**`', [code('**a**')]],
  ]
  for (const [text, parts] of cases) assert.deepEqual(splitInline(text), parts, JSON.stringify(text))
})

test('emphasis needs its end on the same line, and is no part of a word', () => {
  const cases: readonly (readonly [string, readonly Inline[]])[] = [
    ['**Acme** and *so* on', [strong(plain('Acme')), plain(' and '), em(plain('so')), plain(' on')]],
    ['__a _b_ c__', [strong(plain('a '), em(plain('b')), plain(' c'))]],
    ['~~old~~', [{ kind: 'del', parts: [plain('old')] }]],
    ['snake_case_name 2 * 3 * 4', [plain('snake_case_name 2 * 3 * 4')]],
    [String.raw`\*not\* this`, [plain('*not* this')]],
    ['**open', [plain('**open')]],
    ['<b>x</b>', [plain('<b>x</b>')]],
  ]
  for (const [text, parts] of cases) assert.deepEqual(splitInline(text), parts, JSON.stringify(text))
})

test('links lead to addresses of the web, and to nothing else', () => {
  const cases: readonly (readonly [string, readonly Inline[]])[] = [
    ['[**a** b](https://a.example/x_(y) "t")', [link('https://a.example/x_(y)', strong(plain('a')), plain(' b'))]],
    [
      'See https://a.example/b.',
      [plain('See '), link('https://a.example/b', plain('https://a.example/b')), plain('.')],
    ],
    ['<https://a.example>', [link('https://a.example', plain('https://a.example'))]],
    ['[x](javascript:alert(1))', [plain('[x](javascript:alert(1))')]],
    ['[x](../guide.md)', [plain('[x](../guide.md)')]],
    ['[x](https://)', [plain('[x](https://)')]],
  ]
  for (const [text, parts] of cases) assert.deepEqual(splitInline(text), parts, JSON.stringify(text))
})

test('nothing of a text is lost', () => {
  assert.equal(plainWords('a **b _c `d` e_ f** [g](https://h.example) i'), 'a b c d e f g i')
  assert.equal(plainWords('## Is it **Acme** or `ACME`?'), 'Is it Acme or ACME?')
  assert.equal(plainWords('- 1. > one'), 'one')
  assert.equal(plainWords('#tag - x'), '#tag - x')
  const long = '**a '.repeat(2_000)
  assert.deepEqual(splitInline(long), [plain(long)])
})
