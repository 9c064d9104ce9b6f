// The pages of the reader equal those of remark: for the examples of CommonMark, for what GFM adds, and for random texts.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { readWithRemark, toComparable } from '../../../test/support/remark-page.ts'
import { parsePage } from '../markdown.ts'
import { readCommonMark, readPlainMdx } from './commonmark.ts'

const { tests: examples } = createRequire(import.meta.url)('commonmark-spec') as {
  readonly tests: readonly { readonly markdown: string; readonly section: string; readonly number: number }[]
}

function assertEqual(path: 'a.md' | 'a.mdx', text: string): void {
  const expected = readWithRemark(path, text)
  if (!expected || expected.known !== undefined) return
  const { page } = expected
  assert.deepEqual(toComparable(parsePage(path, text), text), toComparable(page, text), JSON.stringify(text))
}

test('the examples of CommonMark are read as remark reads them', () => {
  assert.ok(examples.length > 600)
  const known = new Map<number, string>()
  for (const { markdown, number } of examples) {
    const text = markdown.replaceAll('→', '\t')
    const reason = readWithRemark('a.md', text)?.known
    if (reason) known.set(number, reason)
    assertEqual('a.md', text)
    assertEqual('a.mdx', text)
    for (const change of [toQuote, toItem, toCarriages]) assertEqual('a.md', change(text))
  }
  assert.deepEqual(
    [...known],
    [
      [44, 'open frontmatter'],
      [215, 'heading after definitions'],
      [606, 'bare address'],
    ],
  )
})

const toQuote = (text: string) => text.replace(/^/gm, '> ')
const toItem = (text: string) => `- ${text.replaceAll('\n', '\n  ')}`
const toCarriages = (text: string) => text.replaceAll('\n', '\r\n')

const cases: readonly (readonly [name: string, text: string])[] = [
  ['frontmatter of YAML', '---\na: b\n--- \n# c\n'],
  ['frontmatter of TOML', '+++\na = "b"\n+++\n\nc\n'],
  ['a table', '| a | `b|c` |\n| - | :-: |\n| d \\| e | f | g |\n| *h* |\n\ni'],
  ['a table without pipes at its edges', 'a | b\n--- | ---\nc | d\ne\n# f\n'],
  ['a table after a paragraph', 'a\nb | c\n- | -\nd | e\n> f\n'],
  ['a table of one column', 'a\n:-\nb\n'],
  ['a table in a quote, and a lazy line', '> |a|\n> |-|\n> |b|\nc\n'],
  ['no table, for its head has other cells', '|a|b|\n|-|\n'],
  ['tasks', '- [ ] a\n- [x]  b\n- [X]\n- [ ] \n  c\n- [y] d\n1. [ ] e\n- [ ] f\n  ===\n'],
  ['deleted text', 'a ~b~ ~~c *d*~~ ~~~e~~~ ~f~~ *g ~h* i~ ~j *k~ l*\n'],
  ['footnotes', 'a[^b] ![^b] [^c] [^b c]\n\n[^b]: d\n\n    e\n\n        f\n[^g]: h\ni\n'],
  ['a footnote after a paragraph', 'a\n[^b]: c\n'],
  ['addresses', 'https://a.b/c(d)e). www.a.b, a@b.co <https://c.d> HTTP://e.f/g_h_ *https://i.j* x@y.z1 http://_a.b\n'],
  ['no addresses in brackets', '[https://a.b](c) ![www.a.b](d)\n'],
  ['addresses with endings', 'https://a.b/&amp; https://a.b/c&d; https://a.b/c?d!) https://a.b]( https://a.b/c...d\n'],
  ['definitions that others interrupt', '[a]: b\n[c]: d\n"e"\n[f]: <g\n\n[h]:\ni\n===\n[a] [c] [f] [h]\n'],
  ['references', '[a][b] [a][] [a] [c][d] [a][c] ![a] ![e][b] [B][A] [a](x [a]\n\n[a]: /1\n[b]: /2\n'],
  ['links in links', '[a [b](c) d](e) ![f [g](h)](i) [j ![k](l)](m) [n [o] p](q)\n\n[o]: r\n'],
  ['entities', '# &amp; &#65; &#x1F600; &nope; &notit; &#0; &copy\n\n[a](b&amp;c&#32;d)\n'],
  [
    'HTML',
    '<a href=/b>c</a> <d e="f" g=\'h\' i> <j/> </k > <!-- l --> <!--> <?m?> <!N> <![CDATA[o]]> <p:q> <r s=t/u>\n',
  ],
  [
    'blocks of HTML',
    '<div>\n*a*\n\n<b>\n*c*\n</b>\n\nd\n<e>\n<hr/>\n<div/ f>\n\n<pre>\n\ng</pre>\nh\n<!-- i\n\n-->j\n<?k\n?>\n<x-y z=1>\n',
  ],
  ['a lazy line with a tag', '> a\n<b>\n    c\n    d\ne\n'],
  ['code after a lazy line', '> a\n\n- b\n\n      c\n\n    d\n    e\n'],
  ['fences', '```a b\nc\n  ```\n~~~\nd\n~~~ e\n~~~~\n``` f`g\n```\n\n- ```\n  h\n\ni\n'],
  ['lists', '- a\n\n  b\n- c\n* d\n1. e\n2) f\n-\n  g\n-\n\n  h\n10. i\n\nj\n2. k\n1. l\n-     m\n'],
  ['nested containers', '> - a\n>   > b\n> c\n> 1. d\n>\n>    e\n- > f\n\n  g\n    - h\n\t- i\n'],
  ['tabs', '-\ta\n\n\tb\n>\t\tc\n\td\n#\te\t#\n'],
  ['breaks', 'a  \nb\\\nc \nd\t \ne  '],
  ['code in lines', '`` a`b `` `c\nd` ` e ` \\`f` `g\n\n``h`\n'],
  ['emphasis', '*a**b***c* _d_e_ __f__g **h*i** ***j*** *k* l*m*n _(o)_ 。*p*。 a*"q"*b *~r~*\n'],
  ['null characters', '# a\0b\n\n[c](d\0e) *\0*\n'],
  ['parentheses in addresses', [31, 32, 33].map((n) => `[a](${'('.repeat(n)}b${')'.repeat(n)})`).join(' ')],
  ['nothing', ''],
]

for (const [name, text] of cases) {
  test(`read as remark reads it: ${name}`, () => {
    for (const change of [
      (one: string) => one,
      toQuote,
      toItem,
      toCarriages,
      (one: string) => one.replaceAll('\n', '\r'),
    ]) {
      assertEqual('a.md', change(text))
      assertEqual('a.mdx', change(text))
    }
  })
}

test('MDX with JSX, expressions or modules is left to remark', () => {
  const left = [
    'a <B/>',
    '{a}',
    '# {a}',
    '| {a} |\n| - |',
    'import a from "b"',
    'a\n\nexport const b = 1',
    '- <a>\n',
    'a\n<b>\nc\n</b>',
  ]
  for (const text of left) assert.equal(readPlainMdx(text), undefined, text)
  for (const text of ['`{a}` `<b>`', '```\nimport a\n{b} <c>\n```', '\\{ \\<', 'a important b', '[a](b{c})'])
    assert.ok(readPlainMdx(text), text)
})

const fragments =
  'a|b c| |  |    |\t|\n|\n|\n|\n\n|\r\n|\r|# |## x ##|#|> |>|- |* |+ |1. |2) |12. |---\n|***\n|===\n|```\n|```|~~~|`|``|*|**|_|__|~|~~|' +
  '[|]|![|](|)|(|[a]|[a][b]|[b][]|\n[a]: /u "t"\n|\n[b]: <v>\n|[a]: x\n\'y\nz\'\n|[^f]|\n[^f]: note\n|![^f]|\\|&amp;|&#65;|<div>|</div>|' +
  '<b>|<b c="d">|<!--|-->|<?|?>|<!X|<pre>|</pre>|<https://a.b>|<a@b.c>|<a href=/x>|"|\'|[x] |- [ ] |\u{1f600}|。|\u00a0|é|https://a.b/c|' +
  'www.a.b|a@b.co|.|,|!|;|:|+++\n|  \n|\\\n|\0|import a|/|@|http|:-\n'
const pipes = ['|', '| a | b |\n', '|-|-|\n', '| - | :-: |\n', '\\|']

test('random texts are read as remark reads them', () => {
  const fragment = fc.constantFrom(...fragments.split('|'), ...pipes)
  const text = fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom('a.md', 'a.mdx'), (one, path) => assertEqual(path, one)),
    { numRuns: 3000 },
  )
})

test('hostile texts are read in linear time', () => {
  const parts =
    '1. ,> ,- ,[,*,_,*a_,_*,**a*,`,<,<a ,<a b=",<!--,<?,![,](,[a](,[a](b ",[a](<,[a](b (,|,a|,[a]: b\n,[a]: b "c\n,[a],[^a],~,~a,~~a~,&,&amp;,\\,www.a,' +
    'https://a.,a@,a@b.,<a:,#,# a\n,- a\n,> a\n,\n,```\n,~~~,  \n,\t,{,]],a [b](c) '
  for (const part of parts.split(',')) {
    const shapes = [
      (size: number) => part.repeat(size / part.length),
      (size: number) => `${part}\n`.repeat(size / (part.length + 1)),
      (size: number) => `[a]: b\n\n| a |\n| - |\n${part.repeat(100)}\n\n`.repeat(size / (part.length * 100 + 20)),
      (size: number) => `${part.repeat(size / part.length / 2)}${'a]*_~`>) "'.repeat(size / 20)}`,
    ]
    for (const shape of shapes) {
      const limits = { size: 40_000, name: JSON.stringify(shape(40)), maxRatio: 4 }
      assertLinear(shape, (text) => readCommonMark(text), limits)
    }
  }
})

test('a list that gets deeper with each line is read in linear time', () => {
  const shape = (size: number) => Array.from({ length: Math.sqrt(size) }, (_, at) => `${'  '.repeat(at)}- a\n`).join('')
  assertLinear(shape, (text) => readCommonMark(text), { size: 250_000, name: 'a deep list' })
})
