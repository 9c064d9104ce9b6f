import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../test/support/linear.ts'
import fc from 'fast-check'
import type { Range } from './text.ts'
import { parsePage } from './markdown.ts'

function read(path: string, text: string) {
  const page = parsePage(path, text)
  const slice = (range: Range | undefined): string => (range ? text.slice(range.start, range.end) : '')
  return {
    page,
    prose: page.prose.map((one) => slice(one)).filter((one) => one.trim() !== ''),
    code: page.code.map((one) => slice(one)),
    links: page.links.map((link) => `${link.kind} ${slice(link)}`),
    wholes: page.links.map((link) => slice(link.whole)),
  }
}

const proseCases: readonly (readonly [name: string, path: string, text: string, prose: readonly string[]])[] = [
  ['paragraphs and headings', 'a.md', '# One *two*\n\nthree `four`\n', ['One ', 'two', 'three ']],
  ['tables', 'a.md', '| a | b |\n|--|--|\n| c \\| d | `e` |\n', ['a', 'b', 'c \\| d']],
  ['link texts and alternative texts', 'a.md', '[a **b**](c "d") ![e](f)\n', ['a ', 'b', 'e']],
  ['names of references that are shown', 'a.md', '[a] [b][a]\n\n[a]: c\n', ['a', 'b', 'a', 'a']],
  ['no names of references that differ', 'a.md', '[A] [b][a]\n\n[a]: c\n', ['b']],
  [
    'attributes that people read',
    'a.mdx',
    '<Card title="T" icon="I" description={x} alt=\'A\'>in</Card>\n',
    ['T', 'A', 'in'],
  ],
  ['no expressions, imports or code elements', 'a.mdx', 'import A from "b"\n\n{"x"} <code>y</code> z\n', [' z']],
  [
    'text of HTML in Markdown',
    'a.md',
    '<div title="T">\nin <b>bold</b> <code>no</code>\n</div>\n\nx <kbd>K</kbd> y\n',
    ['T', '\nin ', 'bold', 'x ', ' y'],
  ],
  [
    'text between code elements of HTML',
    'a.md',
    '<p>\na <code>b</code> c <pre>d</pre> e\n</p>\n',
    ['\na ', ' c ', ' e\n'],
  ],
  ['no comments', 'a.md', 'a <!-- no --> b\n\n<!--\nno\n-->\n', ['a ', ' b']],
  ['no autolinks', 'a.md', 'see <https://a.b> and https://c.d now\n', ['see ', ' and ', ' now']],
  ['quotes over two lines', 'a.md', '> a\n> b\n', ['a\n> b']],
  ['MDX that does not parse', 'a.mdx', '<br>\n\nimport A from "b"\n\n<Card title="T" x={1}> a {b}\n', ['T', ' a {b}']],
  ['CRLF', 'a.mdx', '# A\r\n\r\nb\r\nc\r\n', ['A', 'b\r\nc']],
]

for (const [name, path, text, prose] of proseCases) {
  test(`prose: ${name}`, () => assert.deepEqual(read(path, text).prose, prose))
}

const linkCases: readonly (readonly [name: string, path: string, text: string, links: readonly string[]])[] = [
  [
    'destinations as written',
    'a.md',
    '[a](b) [c](<d e> "t") [f](g(h)i) [j]( k\n"t") []()\n',
    ['link b', 'link d e', 'link g(h)i', 'link k', 'link '],
  ],
  ['brackets in texts', 'a.md', '[a [b] `]`](c)\n', ['link c']],
  [
    'autolinks without their brackets',
    'a.md',
    '<https://a.b> https://c.d\n',
    ['autolink https://a.b', 'autolink https://c.d'],
  ],
  ['images', 'a.md', '![a](b.png "t") ![a \\] b](c.png) ![](d.png)\n', ['image b.png', 'image c.png', 'image d.png']],
  ['definitions', 'a.md', '[a]: b "t"\n[c d]: <e f>\n', ['definition b', 'definition e f']],
  [
    'attributes',
    'a.mdx',
    '<A href="/b" to={"/c"} src=\'d\' icon="/e" title="f" />\n',
    ['attribute /b', 'expression /c', 'attribute d', 'attribute /e'],
  ],
  ['expressions', 'a.mdx', '<A x={[{ y: "/b" }]} />\n\n{["./c", "d", `/e`]}\n', ['expression /b', 'expression ./c']],
  [
    'imports and exports',
    'a.mdx',
    'import A, { B } from "./b.mdx"\nexport { C } from \'/d.mdx\'\n',
    ['import ./b.mdx', 'import /d.mdx'],
  ],
  ['no code', 'a.mdx', '`[a](b)`\n\n```\n[a](b)\n```\n', []],
  [
    'attributes of HTML',
    'a.md',
    '<a class=x href=/b>\n\n<img\n  src="c.png"\n/>\n',
    ['attribute /b', 'attribute c.png'],
  ],
  [
    'a page that does not parse',
    'a.mdx',
    '<br>\n\nimport A from \'./b.mdx\'\n\n<C d={e} href={"/f"} src="g">\n',
    ['import ./b.mdx', 'expression /f', 'attribute g'],
  ],
  [
    'in quotes and lists with CRLF',
    'a.mdx',
    '> [a](b)\r\n>\r\n> - <C href="/d">\r\n>     [e](f)\r\n>   </C>\r\n',
    ['link b', 'attribute /d', 'link f'],
  ],
]

for (const [name, path, text, links] of linkCases) {
  test(`links: ${name}`, () => assert.deepEqual(read(path, text).links, links))
}

test('a page falls back from MDX to Markdown to lines, and says why', () => {
  assert.equal(parsePage('a.mdx', 'a {b} c\n').syntax, 'mdx')
  const markdown = parsePage('a.mdx', 'a\n\n{ x\n')
  assert.equal(markdown.syntax, 'markdown')
  assert.ok(markdown.problem && markdown.problem.line >= 3, JSON.stringify(markdown.problem))
  const huge = `---\ntitle: T\n---\n\n# H\n\nA \`b\` [c](d)\n\n\`\`\`\nx\n\`\`\`\n${'y'.repeat(60_000)}\n`
  const lines = read('a.md', huge)
  assert.equal(lines.page.syntax, 'lines')
  assert.deepEqual(lines.links, ['link d'])
  assert.deepEqual(lines.code, ['`b`', '```\nx\n```\n'])
  assert.equal(lines.page.headings[0]?.slug, 'h')
  assert.equal(lines.page.frontmatter?.strings[0]?.value, 'T')
})

test('headings have the anchors that sites give them', () => {
  const text = '# A b: `c`!\n\n## A b: c\n\n## A b: c 1\n\n## Über *x*\n\n## Own {#my-id}\n\n<a id="x"></a>\n'
  const page = parsePage('a.md', text)
  assert.deepEqual(
    page.headings.map(({ slug }) => slug),
    ['a-b-c', 'a-b-c-1', 'a-b-c-1-1', 'über-x', 'my-id'],
  )
  assert.deepEqual(page.ids, ['x'])
})

test('frontmatter has its strings with positions, in every style', () => {
  const text =
    '---\r\ntitle: Plain # c\r\na: "d\\"q"\r\nb: \'s\'\r\nc: >\r\n  folded\r\nd:\r\n  e: x\r\n---\r\nbody\r\n'
  const { page } = read('a.mdx', text)
  const strings = page.frontmatter?.strings.map((one) => [
    one.path.join('.'),
    one.value,
    one.style,
    text.slice(one.start, one.end),
  ])
  assert.deepEqual(strings, [
    ['title', 'Plain', 'plain', 'Plain'],
    ['a', 'd"q', 'double', '"d\\"q"'],
    ['b', 's', 'single', "'s'"],
    ['c', 'folded\n', 'block', '>\r\n  folded\r\n'],
    ['d.e', 'x', 'plain', 'x'],
  ])
  assert.equal(text.slice(page.frontmatter?.body.start, page.frontmatter?.body.end).startsWith('title'), true)
  assert.ok(parsePage('a.md', '---\n: [\n---\n').frontmatter?.problem)
})

const fragment = fc.constantFrom(
  '# ',
  'word ',
  '[a](b)',
  '![a](b)',
  '[a]',
  '[a]: b\n',
  '`',
  '```\n',
  '<A x="y">',
  '</A>',
  '{',
  '}',
  '|',
  '\n',
  '\r\n',
  '\r',
  '> ',
  '- ',
  '---\n',
  'import a from "b"\n',
  '<!--',
  '-->',
  '\\',
  '"',
  '\u{1f600}',
  '\t',
  '<',
  '&amp;',
  '*',
  '_',
  '\0',
  '\u200b',
  '](',
  '<https://x.y>',
)

test('no text makes the reader throw, and every range matches the text', () => {
  fc.assert(
    fc.property(
      fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.constantFrom('a.md', 'a.mdx'),
      (text, path) => {
        const page = parsePage(path, text)
        for (const range of [
          ...page.prose,
          ...page.code,
          ...page.links,
          ...page.links.map((link) => link.whole),
          ...page.headings,
          ...page.references,
        ])
          assert.ok(0 <= range.start && range.start <= range.end && range.end <= text.length, JSON.stringify(range))
        for (const link of page.links)
          assert.ok(link.whole.start <= link.start && link.end <= link.whole.end, JSON.stringify(link))
      },
    ),
    { numRuns: 400 },
  )
})

const repeat = (part: string, times: number) => part.repeat(times)
/** The largest page that a limit lets through, and what makes it one too large. */
const limits: readonly (readonly [name: string, page: string, more: string])[] = [
  ['characters', repeat(`${repeat('y', 998)}\n\n`, 250), 'y'],
  ['characters of a line', repeat('y', 20_000), 'y'],
  ['characters of a block', `${repeat('y', 20_000)}\n${repeat('y', 20_000)}`, '\ny'],
  ['lines', repeat('\n', 4999), '\n'],
  ['marks', repeat(`${repeat('`', 100)}\n\n`, 200), '`'],
  ['marks and lines of a block', repeat('y\n', 2499), 'y\ny'],
  ['nesting', repeat('> ', 11), '> '],
]

for (const [name, page, more] of limits) {
  test(`a page is read by lines beyond its limit of ${name}`, () => {
    assert.equal(parsePage('a.md', page).syntax, 'markdown')
    const larger = parsePage('a.md', page + more)
    assert.equal(larger.syntax, 'lines')
    assert.equal(larger.problem?.message, 'The page is too large to parse.')
  })
}

test('a page of more than two million characters is not read at all', () => {
  const page = `[a](b)\n${repeat('y', 2_000_000 - 7)}`
  assert.equal(parsePage('a.md', page).links.length, 1)
  assert.equal(parsePage('a.md', `${page}y`).links.length, 0)
})

test('a heading read by lines loses only the signs that close it', () => {
  const lines = ['# a # b ##  ', '## a#', '###   a  #\r', '# #', '# ']
  const page = parsePage('a.md', `${lines.join('\n')}\n${repeat('y', 20_001)}`)
  assert.deepEqual(
    page.headings.map(({ text }) => text),
    ['a # b', 'a#', 'a', '#', ''],
  )
})

test('a heading with a long run of spaces is read quickly', () => {
  const shape = (size: number) => `# a${repeat(' ', size)}b`
  assertLinear(shape, (text) => parsePage('a.md', text), { size: 200_000, name: 'a heading' })
})

// Lines of `_*` and the like take quadratic time in a block (0.2 s for 1,200 of them): the limits above keep them short.
test('hostile pages are parsed quickly', () => {
  const parts = [
    '[',
    '*a',
    '> ',
    '<a ',
    '`',
    '![',
    '{',
    '<A>',
    '- ',
    '1. ',
    '\\',
    '<!--',
    '<a href="',
    '|',
    '[a](',
    '</',
  ]
  for (const part of parts) {
    const shapes = [
      (size: number) => part.repeat(size),
      (size: number) => `${part}\n`.repeat(size),
      (size: number) => `${part.repeat(100)}\n\n`.repeat(size / 100),
    ]
    for (const shape of shapes) {
      const limits = { size: 1200, name: JSON.stringify(shape(3)), maxRatio: 6 }
      assertLinear(shape, (text) => parsePage('a.mdx', text), limits)
    }
  }
})
