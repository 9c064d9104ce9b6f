// Pages that document HTML and scripts as code, and text put before attacks.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changeContent } from '../../../../test/support/content-change.ts'
import { findRefusedContent, findShownContent } from './judge-content.ts'
import { readContent } from './read/read-content.ts'

const examples = [
  '<script src="https://cdn.example/x.js"></script>',
  '<script>window.x = 1</script>',
  '<img src="x" onerror="alert(1)">',
  '<button onclick="run()">Run</button>',
  '<a href="javascript:void(0)">x</a>',
  '<iframe src="https://video.example/1"></iframe>',
  '<form action="https://forms.example/"><input></form>',
  '<base href="https://acme.example/">',
  '<meta http-equiv="refresh" content="0; url=https://acme.example/">',
  '<link rel="stylesheet" href="https://cdn.example/x.css">',
  '<div v-html="text"></div>',
  '<style>@import "https://cdn.example/x.css";</style>',
]
const forms: readonly ((example: string) => string)[] = [
  (example) => `# A\n\nWrite this:\n\n\`\`\`html\n${example}\n\`\`\`\n\nAnd go on.\n`,
  (example) => `# A\n\nWrite \`${example}\` in the head.\n`,
  (example) => `# A\n\n1. Write:\n\n    \`\`\`html title="index.html"\n    ${example}\n    \`\`\`\n\n2. Go on.\n`,
  (example) => `# A\n\n| tag | use |\n| --- | --- |\n| \`${example}\` | it |\n`,
  (example) => `# A\n\nWrite this:\n\n    ${example}\n\nAnd go on.\n`,
]

test('sixty pages that document HTML in code pass, on sites of five kinds', async () => {
  const sites = ['mkdocs.yml', '.vitepress/config.ts', 'docusaurus.config.js', '_config.yml', 'hugo.toml']
  const pages = examples.flatMap((example) => forms.map((form) => form(example)))
  assert.equal(pages.length, 60)
  for (const site of sites) {
    // MDX has no indented code.
    const read = pages.filter((_, at) => site !== 'docusaurus.config.js' || at % forms.length !== 4)
    const after = Object.fromEntries(read.map((text, at) => [`docs/page-${at}.md`, text]))
    const change = changeContent({ [site]: '' }, after)
    const found = [...(await findRefusedContent(change)), ...(await findShownContent(change)).shown]
    assert.deepEqual(
      found.map(({ path, message }) => `${site} ${after[path]}: ${message}`),
      [],
    )
  }
})

const attacks = [
  '<img src=x onerror=x()>',
  '<script>x()</script>',
  '<a href="javascript:x()">x</a>',
  '[x](javascript:x)',
  '<iframe src="data:text/html,x"></iframe>',
]
const before = fc.array(
  fc.oneof(
    fc.constantFrom('<!--', '-->', '<textarea>', '<title>', '<a title="', "<a title='", '<script>', '<style>', '<x y='),
    fc.constantFrom('`', '``', '```\n', '```html\n', '~~~\n', '\n', '\n\n', ' ', '    ', '\t', '- ', '> ', '1. '),
    fc.constantFrom('<div>', '</div>', '<pre>', '<![CDATA[', '<?', '{', '}', '{{', '"', "'", '=', '\\', '[x]: ', '|'),
  ),
  { maxLength: 10 },
)

test('no text before an attack hides it, unless the parser shows it as code', () => {
  fc.assert(
    fc.property(before, fc.constantFrom(...attacks), (parts, attack) => {
      const text = `${parts.join('')}${attack}`
      const at = text.length - attack.length
      const { code, signs } = readContent({ path: 'a.md', text, kind: 'markdown', templates: [], dialects: [] })
      const isCode = code.some(({ start, end }) => start < text.length && end > at)
      // The text of a script is a part of it.
      const from = parts.includes('<script>') ? 0 : at
      const isFound = signs.some(({ kind, start }) => kind === 'refused' && start >= from)
      assert.ok(isCode || isFound, JSON.stringify(text))
    }),
    { numRuns: 3_000 },
  )
})
