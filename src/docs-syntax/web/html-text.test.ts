import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { readHtml } from './html-text.ts'

const address = 'https://docs.example.com/guide/page?x=1'
const textOf = (html: string) => readHtml(html, address).text

test('a page becomes Markdown with whole addresses', () => {
  const page = `<!doctype html><html><head><title> A &amp;
   B </title><style>p { color: red }</style><script>if (a<b && "</p>") document.write("<p>no</p>")</script></head>
  <body><!-- <p>hidden</p> --><nav><a href="/home">Home</a></nav>
  <h1>Flags   of <code>acme</code></h1>
  <p>Use <a href="../cli?v=2#run">the <b>CLI</b></a>,<br>or
  <a href="https://other.example">another</a>. 1 &lt; 2 &#x26; &copy;</p>
  <ul><li>One<li>Two <ol><li>a</li><li>b</li></ol></li></ul>
  <pre><code>acme   run &lt;dir&gt;
  --force</code></pre>
  <table><tr><th>Flag</th><th>Default</th></tr><tr><td>--max</td><td>10</td></tr></table>
  <img src="/x.png?d=1" alt="A diagram"><a href="javascript:alert(1)">Run</a><a href="mailto:a@b.c">Mail</a>
  </body></html>`
  const { title, text, links } = readHtml(page, address)
  assert.equal(title, 'A & B')
  assert.equal(
    text,
    `[Home](https://docs.example.com/home)

# Flags of \`acme\`

Use [the CLI](https://docs.example.com/cli?v=2#run),
or [another](https://other.example/). 1 < 2 & ©

- One
- Two
  1. a
  2. b

\`\`\`
acme   run <dir>
  --force
\`\`\`

| Flag | Default
| --max | 10

A diagramRunMail`,
  )
  assert.deepEqual(links, [
    'https://docs.example.com/home',
    'https://docs.example.com/cli?v=2#run',
    'https://other.example/',
  ])
})

test('only the main part of a page is its text, and all of its links count', () => {
  const long = 'word '.repeat(60)
  const page = `<nav><a href="/nav">Nav</a></nav><main><p>${long}</p></main><footer>Foot</footer>`
  assert.equal(textOf(page), long.trim())
  assert.deepEqual(readHtml(page, address).links, ['https://docs.example.com/nav'])
  assert.match(textOf('<nav>Nav</nav><main id="app"></main>'), /^Nav$/)
})

test('links are relative to the base that the page names', () => {
  assert.deepEqual(readHtml('<base href="/v2/"><a href=x>X</a>', address).links, ['https://docs.example.com/v2/x'])
})

test('scripts, comments and elements without an end hide nothing else', () => {
  const table: readonly (readonly [string, string])[] = [
    ['<script>x', ''],
    ['a<!-- b', 'a'],
    ['a<svg><text>b</text></svg>c', 'ac'],
    ['a<svg>b', 'ab'],
    ['a<script src="x"></script >b', 'ab'],
    ['a<SCRIPT>"<p>"</SCRIPT>b', 'ab'],
    ['a < b and c > d', 'a < b and c > d'],
    ['<p>a</p', 'a</p'],
    ['<a href="/x"></a>', '[https://docs.example.com/x](https://docs.example.com/x)'],
    ['<a href="/x">A<a href="/y">B</a>', '[A](https://docs.example.com/x)[B](https://docs.example.com/y)'],
    ['</ul></li></pre></code>x', '``x'],
  ]
  for (const [html, text] of table) assert.equal(textOf(html).replace(/^`+/, '``'), text, html)
})

test('any text is read without a failure, and no link leads to anything but the web', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '{',
    '}',
    '<a href=',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
    '<script>',
    '&#',
    ' ',
    'x',
    '<li>',
    '</ul>',
    '<main>',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const { links } = readHtml(pieces.join(''), address)
      assert.ok(links.every((link) => /^https?:/.test(link)))
    }),
  )
})

test('a hostile page is read in linear time', () => {
  const parts = [
    '<svg>',
    '<a href="',
    '<p',
    '<!--',
    '<li>',
    '<ul>',
    '&#x',
    '<script',
    '</script',
    '<pre> ',
    '<a href=x>',
    '{<a b={',
    ' \t',
    '<table><td>',
  ]
  for (const part of parts) assertLinear((size) => part.repeat(size), textOf, { size: 40_000, name: part })
  assertLinear((size) => `<pre>${' '.repeat(size)}x`, textOf, { size: 400_000, name: 'spaces in code' })
})
