import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTree } from '../../../../test/support/memory-tree.ts'
import { findDocsLinks } from './docs-links.ts'

const signal = new AbortController().signal
const prefix = 'https://docs.example.com/ref/'

test('links of pages below the prefixes are found, and no other text of the repository', async () => {
  const tree = memoryTree({
    'docs/a.md': `[A](${prefix}a?x=1&amp;y=2#z) and ${prefix}bare, [B][b], [Other](https://docs.example.com/other)\n\n[b]: <${prefix}b>\n`,
    'docs/b.mdx': `<Card href="${prefix}card" />\n`,
    'docs/c.rst': `See \`C <${prefix}c>\`_.\n`,
    'docs/d.adoc': `${prefix}d[D]\n`,
    'docs/e.html': `<a href="HTTPS://DOCS.example.com/ref/e">E</a>`,
    'docs/code.md': `\`\`\`\n${prefix}code\n\`\`\`\n\n\`${prefix}span\` <!-- ${prefix}comment -->\n`,
    'src/config.ts': `export const api = '${prefix}config'\n`,
    'data.json': `{"link":"${prefix}data"}`,
    'docs/climb.md': `[A](${prefix}../admin) [B](${prefix}..%2fadmin) [C](https://user@docs.example.com/ref/c)\n`,
  })
  assert.deepEqual([...(await findDocsLinks(tree, [prefix], signal))].toSorted(), [
    `${prefix}a?x=1&y=2#z`,
    `${prefix}b`,
    `${prefix}bare`,
    `${prefix}c`,
    `${prefix}card`,
    `${prefix}d`,
    `${prefix}e`,
  ])
  assert.equal((await findDocsLinks(tree, ['https://nowhere.example/'], signal)).size, 0)
})
