import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeContent } from '../../../../test/support/content-change.ts'
import { findRefusedContent } from './judge-content.ts'

const sites = {
  mkdocs: { 'mkdocs.yml': 'site_name: x\n# - pymdownx.superfences\n' },
  superfences: { 'mkdocs.yml': 'site_name: x\nmarkdown_extensions:\n  - pymdownx.superfences\n' },
  jekyll: { '_config.yml': 'title: x\n' },
  vitepress: { '.vitepress/config.ts': '' },
} as const
type Site = keyof typeof sites

/** Each text runs its script on these kinds of sites, and shows it as code on the others. */
const forms: readonly (readonly [name: string, text: string, runs: readonly Site[]])[] = [
  ['a fence', '```html\n@\n```\n', []],
  ['a fence that ends with more marks', '```\n@\n````\n', ['mkdocs', 'superfences', 'jekyll', 'vitepress']],
  ['a fence that ends in another column', '```\n@\n ```\n', ['mkdocs', 'superfences', 'jekyll', 'vitepress']],
  ['a fence with a title', '```html title="a"\n@\n```\n', ['mkdocs']],
  ['a fence with lines to highlight', '```html hl_lines="1"\n@\n```\n', []],
  ['a fence of tildes with a title', '~~~html title="a"\n@\n~~~\n', ['mkdocs', 'jekyll']],
  ['a fence in an item', '1. a\n\n    ```\n    @\n    ```\n', []],
  ['a fence with three spaces before it', '1. a\n\n   ```\n   @\n   ```\n', ['mkdocs']],
  ['a fence of tildes in an item', '- a\n\n    ~~~\n    @\n    ~~~\n', ['mkdocs']],
  ['a fence with an empty line in an item', '- a\n\n    ```\n    a\n\n    @\n    ```\n', ['mkdocs']],
  ['a fence that begins an item', '- ```\n  @\n  ```\n', ['mkdocs']],
  ['a fence in an element', '<div>\n\n```\n@\n```\n\n</div>\n', ['jekyll']],
  ['a fence after an element', '<div>\n\na\n\n</div>\n\n```\n@\n```\n', []],
  ['a span', 'a `@` b\n', []],
  ['a span in the first heading', '# The `@` tag\n', ['mkdocs', 'superfences']],
  ['a span in a second heading', '## The `@` tag\n', []],
  ['a span of two lines', 'a `x\n: @`\n', ['mkdocs', 'superfences', 'jekyll', 'vitepress']],
  ['a span that begins with a space', 'a ` @ `\n', ['mkdocs', 'superfences', 'jekyll', 'vitepress']],
  ['an indented block', 'a\n\n    @\n', []],
  ['an indented block in the line of an item', '-     @\n', ['mkdocs', 'superfences', 'jekyll', 'vitepress']],
  ['a block after spaces and a tab', 'a\n\n  \t@\n', ['mkdocs', 'superfences', 'jekyll', 'vitepress']],
]

for (const [name, text, runs] of forms) {
  test(`an attack in ${name} is refused where it may run`, async () => {
    const refused: Site[] = []
    for (const site of ['mkdocs', 'superfences', 'jekyll', 'vitepress'] as const) {
      const change = changeContent(sites[site], { 'docs/a.md': text.replace('@', '<script>x()</script>') })
      if ((await findRefusedContent(change)).length > 0) refused.push(site)
    }
    assert.deepEqual(refused, runs)
  })
}
