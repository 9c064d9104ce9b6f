import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../../test/support/check-files.ts'
import { memoryTree } from '../../../test/support/docs-sites.ts'
import { coverageOf } from '../../checks/coverage.ts'

const site = {
  'next.config.mjs': "import nextra from 'nextra'\nexport default nextra({ contentDirBasePath: '/docs' })()\n",
  'app/docs/[[...mdxPath]]/page.jsx': '',
  'app/(home)/about/page.mdx': '# About\n',
  'app/api/[name]/page.tsx': '',
  'content/index.mdx': '# Home\n',
  'content/guides/a.mdx': '# A\n\n## Own one [#own]\n',
}

async function check(change: Readonly<Record<string, string>>) {
  const result = await checkFiles(memoryTree(site, change))
  const { notJudged } = coverageOf(result)
  return [
    result.findings.map(({ path, target }) => `${path} ${target}`),
    notJudged.map(({ reason, example }) => `${reason} ${example}`),
  ]
}

test('Nextra: the catch-all that serves the content hides no missing page', async () => {
  const links = [
    '/docs',
    '/docs/guides/a#own',
    '/about',
    '/docs/missing',
    './gone.mdx',
    '/api/x',
    '/docs/guides/a#own-one',
  ]
  const text = links.map((link) => `[a](${link})\n`).join('\n')
  assert.deepEqual(await check({ 'content/index.mdx': text }), [
    ['content/index.mdx /docs/missing', 'content/index.mdx ./gone.mdx', 'content/index.mdx /docs/guides/a#own-one'],
    ['code content/index.mdx:11 /api/x'],
  ])
})

test('Nextra: the keys of _meta name pages and folders', async () => {
  const meta = `const meta = {
  '*': { theme: {} },
  index: 'Home',
  guides: { title: 'Guides', display: 'hidden' },
  _: { type: 'separator', title: 'x' },
  out: { title: 'x', href: 'https://example.com' },
  old: { title: 'x', href: '/docs/old' },
  gone: '',
}
export default meta
`
  assert.deepEqual(
    (
      await check({
        'content/_meta.ts': meta,
        'app/_meta.js': "export default { docs: '', api: '', about: '', no: '' }",
      })
    )[0],
    ['app/_meta.js no', 'content/_meta.ts /docs/old', 'content/_meta.ts gone'],
  )
})

test('Nextra: which page a translation leads to without its language is not judged', async () => {
  const config =
    "import nextra from 'nextra'\nexport default nextra({})({ i18n: { locales: ['en', 'de'], defaultLocale: 'en' } })\n"
  const result = await checkFiles(
    memoryTree({
      'next.config.mjs': config,
      'app/[lang]/[[...mdxPath]]/page.jsx': '',
      'content/en/index.mdx': '[a](/a#eins)\n',
      'content/en/a.mdx': '# A\n\n## One\n',
      'content/de/index.mdx': '[a](/a#eins) [b](/de/a#zwei)\n',
      'content/de/a.mdx': '# A\n\n## Eins\n',
    }),
  )
  assert.deepEqual(
    result.findings.map(({ path, target }) => `${path} ${target}`),
    ['content/de/index.mdx /de/a#zwei', 'content/en/index.mdx /a#eins'],
  )
  assert.deepEqual(coverageOf(result).notJudged, [
    { reason: 'context', count: 1, example: 'content/de/index.mdx:1 /a#eins' },
  ])
})
