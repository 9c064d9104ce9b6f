// Cases from real sites that are no fault, each of which was reported once. The shape is real, the files are not.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from '../../test/support/check-files.ts'
import { docsSite, memoryTree } from '../../test/support/docs-sites.ts'
import type { SiteTree } from '../sites/tree.ts'

type Files = Readonly<Record<string, string>>

const mintlify = docsSite('mintlify').files
const mkdocs = docsSite('mkdocs').files
const docusaurus = docsSite('docusaurus').files
const mdx = '---\ntitle: A\n---\n'
const many = (folder: string, head: (at: number) => string) =>
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${folder}/p${at}.md`, `---\n${head(at)}\n---\n\n# A\n`]))

/** Each has the findings on the right. */
const cases: Readonly<Record<string, { readonly files: Files; readonly findings?: readonly string[] }>> = {
  'mkdocs: definitions that nothing refers to, and a second one of a name': {
    files: {
      ...mkdocs,
      'docs/extra.md': [
        '# Extra',
        'A [c d], [e][F], [text][install], [unused](install.md). [Late]: see.',
        '!!! note',
        '    A [noted].',
        '[unused]: gone-1.md\n[text]: gone-2.md\n[c\tD]: gone-3.md\n[f]: gone-4.md\n[install]: install.md',
        '[install]: gone-5.md\n[late]: gone-6.md\n[noted]: gone-7.md\n',
      ].join('\n\n'),
    },
    findings: [3, 4, 6, 7].map((at) => `docs/extra.md link gone-${at}.md`),
  },
  'fumadocs: the headings of a page that another inserts': {
    files: {
      ...docsSite('fumadocs').files,
      'content/docs/extra.mdx': `${mdx}<include>./part.mdx</include>\n\n[a](#part) [b](#gone) \`<include>x.mdx</include>\`\n`,
      'content/docs/part.mdx': `${mdx}## Part\n`,
      'content/docs/other.mdx': `${mdx}<include>gone.mdx</include>\n`,
    },
    findings: ['content/docs/extra.mdx anchor #gone', 'content/docs/other.mdx include gone.mdx'],
  },
  'mintlify: a site that its host serves below /docs': {
    files: { ...mintlify, 'extra.mdx': `${mdx}<Hero href="/docs/install" /> [a](/docs/gone) [b](/extra)\n` },
    findings: ['extra.mdx link /docs/gone'],
  },
  'mintlify: the headings of footnotes': {
    files: {
      ...mintlify,
      'extra.mdx': `${mdx}A[^1] [a](#footnote-label) [c](#footnote) [b](/extra)\n\n[^1]: B.\n`,
    },
    findings: ['extra.mdx anchor #footnote'],
  },
  'mintlify: the address of a folder': {
    files: { ...mintlify, 'extra.mdx': `${mdx}[a](/guides/) [b](/extra)\n` },
  },
  'mintlify: a page about a readme beside the first page of its folder': {
    files: {
      ...mintlify,
      'extra/index.mdx': `${mdx}[a](/extra/readme)\n`,
      'extra/readme.mdx': `${mdx}[a](/extra)\n`,
    },
  },
  'mintlify: a changelog that the navigation names': {
    files: {
      ...mintlify,
      'docs.json': mintlify['docs.json']?.replace('"install"', '"install", "changelog"') ?? '',
      'changelog.md': `${mdx}[b](/changelog) [c](/readme)\n`,
      'README.md': '# Docs\n',
    },
    findings: ['changelog.md link /readme'],
  },
  'mintlify: marks in the anchor of a heading': {
    files: {
      ...mintlify,
      'extra.mdx': `${mdx}[b](/extra)\n\n## OAuth 2.0 and \`$ref\`\n\n[a](#oauth-2-0-and-%24ref) [b](#oauth-3-0)\n`,
    },
    findings: ['extra.mdx anchor #oauth-3-0'],
  },
  'mkdocs: a script that adds anchors': {
    files: {
      ...mkdocs,
      'mkdocs.yml': `${mkdocs['mkdocs.yml']}\nhooks:\n  - hooks/ids.py\n`,
      'hooks/ids.py': 'def on_page_markdown(markdown, page, config, files):\n    pass\n',
      'docs/install.md': `${mkdocs['docs/install.md']}\n[a](#made) [b](gone.md)\n`,
    },
    findings: ['docs/install.md link gone.md'],
  },
  'mkdocs: a page that git ignores in the navigation': {
    files: {
      ...mkdocs,
      'mkdocs.yml': (mkdocs['mkdocs.yml'] ?? '').replace('nav:', 'nav:\n  - Changes: changelog.md'),
      '.gitignore': '/docs/changelog.md\n',
    },
  },
  'mkdocs: a page that only a translation has': {
    files: {
      'docs/en/mkdocs.yml': 'nav:\n  - a.md\n',
      'docs/en/docs/a.md': '# A\n\n[b](b.md)\n',
      'docs/de/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\n',
      'docs/de/docs/b.md': '# B\n\n[a](a.md)\n',
    },
    findings: ['docs/en/docs/a.md link b.md'],
  },
  'mkdocs: a translation that lacks a page': {
    files: {
      'docs/en/mkdocs.yml': 'site_name: A\n',
      'docs/en/docs/a.md': '# A\n',
      'docs/en/docs/b.md': '# B\n',
      'docs/en/docs/img/a.png': '',
      'docs/de/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\n',
      'docs/de/docs/a.md': '# A\n\n[b](b.md) ![a](/img/a.png) [c](c.md)\n',
      'docs/fr/docs/a.md': '# A\n\n[b](b.md)\n',
    },
    findings: ['docs/de/docs/a.md link c.md'],
  },
  'mkdocs: the anchors of tabs, with and without the heading above': {
    files: {
      'mkdocs.yml':
        'site_name: A\nmarkdown_extensions:\n  - pymdownx.tabbed:\n      combine_header_slug: true\n      slugify: !!python/name:pymdownx.slugs.slugify\n  - toc\n',
      'docs/a.md':
        '# Set up\n\n=== "On Linux ..."\n\n    a\n\n[a](#set-up-on-linux-) [b](#on-linux-) [c](#on-linux) [d](#set-up)\n',
    },
    findings: ['docs/a.md anchor #on-linux'],
  },
  'mkdocs: an id with marks': {
    files: { ...mkdocs, 'docs/install.md': `${mkdocs['docs/install.md']}\n[a]{ #+a:b.c }\n\n[b](#+a:b.c)\n` },
  },
  'docusaurus: an earlier version and a translation': {
    files: {
      ...docusaurus,
      'versioned_docs/version-1.0/old/Intro.md': '---\nid: intro\n---\n[a](tools) [b](Tools.md) [c](gone.md)\n',
      'versioned_docs/version-1.0/old/Tools.md': '---\nid: tools\n---\n\n# A\n',
      'versioned_docs/version-1.0/old/deep.md': '[a](old/Tools.md)\n',
      'i18n/de/docusaurus-plugin-content-docs/current/a.md':
        '[a](gone.md) [b](./guides/deploy.md) [c](/docs/next/install)\n',
      'i18n/de/docusaurus-plugin-content-docs/current/guides/teams.md':
        '[a](../a.md) [b](deploy.md#begin) [c](/de/docs/next/a)\n',
    },
    findings: [
      'i18n/de/docusaurus-plugin-content-docs/current/a.md link gone.md',
      'versioned_docs/version-1.0/old/Intro.md link gone.md',
    ],
  },
  'vitepress: an include without a space before its end': {
    files: {
      ...docsSite('vitepress').files,
      'docs/install.md':
        '---\ntitle: A\n---\n<!--@include: ./guides/teams.md-->\n\n<!--@include: ./gone.md-->\n\n## Begin\n',
    },
    findings: ['docs/install.md include ./gone.md'],
  },
  'mkdocs: a navigation of Zensical': {
    files: {
      'zensical.toml':
        '[project]\nsite_name = "A"\nnav = [\n  { "Home" = "index.md" },\n  { "Guides" = ["g/a.md", { "B" = \'g/b.md\' }, { "C" = "g/gone.md" }] },\n]\n\n[project.theme]\nlogo = "logo.svg"\n',
      'docs/index.md': '# A\n\n[a](g/a.md#two) [b](g/b.md#no)\n',
      'docs/g/a.md': '# A\n\n## Two\n',
      'docs/g/b.md': '# B\n',
    },
    findings: ['docs/index.md anchor g/b.md#no', 'zensical.toml navigation g/gone.md'],
  },
  'docusaurus: a page with the name of its folder, and an id': {
    files: {
      ...docusaurus,
      'docs/more/more.md': '---\nid: more\n---\n[a](./more/other) [b](./more/gone)\n',
      'docs/more/other.md': '[a](/docs/more)\n',
    },
    findings: ['docs/more/more.md link ./more/gone'],
  },
  'docusaurus: the path of a file from the folder of the site': {
    files: {
      'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { routeBasePath: '/' } }]] }\n",
      'docs/a.md': '# A\n',
      'docs/more.md': '[a](/docs/a.md) [b](/docs/gone.md)\n',
    },
    findings: ['docs/more.md link /docs/gone.md'],
  },
  'docusaurus: docs outside the folder that is checked': {
    files: {
      'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { path: '../docs' } }]] }\n",
      'versions.json': '["1.0"]\n',
      'versioned_docs/version-1.0/a.md': '[a](/docs/next/b) [b](/docs/gone) [c](/gone)\n',
    },
    findings: ['versioned_docs/version-1.0/a.md link /docs/gone', 'versioned_docs/version-1.0/a.md link /gone'],
  },
  'docusaurus: the id of a heading in a comment': {
    files: {
      ...docusaurus,
      'docs/install.md': `${docusaurus['docs/install.md']}\n## A { /*#stage-0:-a*/ }\n\n[a](#stage-0:-a)\n`,
    },
  },
  'docusaurus: a page that imports a part': {
    files: {
      ...docusaurus,
      'docs/_part.md': '## Made\n',
      'docs/install.md': `${docusaurus['docs/install.md']}\nimport A from './\\_a.md'; import\nPart from './\\_part.md';\n\n[a](#made)\n`,
    },
  },
  'docusaurus: a component that links to the repository': {
    files: {
      ...docusaurus,
      'docs/install.md': `${docusaurus['docs/install.md']}\n<RepoLink href="/a.ts">a</RepoLink>\n\n<CodeSource src="/b.ts" />\n`,
    },
  },
  'vitepress: a component that is shown elsewhere, and a redirect to the same page': {
    files: {
      'docs/.vitepress/config.ts': 'export default {}\n',
      'docs/public/_redirects': '/a/ /a\n/b/ /a\n/c.html /a\n',
      'docs/c/index.md': '# C\n',
      'docs/a.md': '<Teleport to="body">a</Teleport>\n',
      'docs/b.md': '# B\n',
    },
    findings: ['docs/public/_redirects redirect /b/'],
  },
  'vitepress: a page whose component has the anchors': {
    files: {
      'docs/.vitepress/config.ts': 'export default {}\n',
      'docs/a.md': '<script setup>\nimport List from "./List.vue"\n</script>\n\n<List />\n',
      'docs/b.md': '# B\n\n[a](a.md#made) [b](#made)\n',
    },
    findings: ['docs/b.md anchor #made'],
  },
  'starlight: a page in Markdoc': {
    files: {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ sidebar: [{ slug: 'guides/a' }, { slug: 'guides/b' }] })] }\n",
      'src/content/docs/guides/a.mdoc': '',
      'src/content/docs/guides/c.md': '---\ntitle: C\n---\n',
    },
    findings: ['astro.config.mjs navigation guides/b'],
  },
  'nextra: a page about pages': {
    files: {
      'next.config.mjs': "import nextra from 'nextra'\nexport default nextra({})({})\n",
      'content/index.mdx': '[a](/page)\n',
      'content/page.mdx': '# Page\n\n[a](/other)\n',
      'app/other/page.mdx': '# Other\n',
    },
  },
  'mdbook: a redirect from the earlier first page of a folder': {
    files: {
      'book.toml': '[book]\ntitle = "A"\n[output.html.redirect]\n"/a/index.html" = "/a.html"\n"/b.html" = "a.html"\n',
      'src/SUMMARY.md': '- [A](a.md)\n- [B](b.md)\n',
      'src/a.md': '# A\n',
      'src/b.md': '# B\n',
    },
    findings: ['book.toml redirect /b.html'],
  },
  'plain: a link to HTML that a program makes': {
    files: { 'man/a.md': '[a](../reference/b.html) [b](b.md)\n' },
    findings: ['man/a.md link b.md'],
  },
  'plain: an anchor of the page that shows the file': {
    files: { 'data/a.md': 'See [a](#b).\n', 'c.md': '# C\n\n[a](#b)\n' },
    findings: ['c.md anchor #b'],
  },
  'plain: a word in the place of an address': {
    files: { 'a.md': '[a](PAGE_URL) [b](url) [c](URLS)\n' },
    findings: ['a.md link URLS'],
  },
  'a redirect with one part that varies covers no longer address': {
    files: {
      ...mintlify,
      'extra.mdx': `${mdx}[a](/v/2/old) [b](/v/2/gone) [c](/extra)\n`,
      _redirects: '/v/:version/old /install\n',
    },
    findings: ['extra.mdx link /v/2/gone'],
  },
  'jekyll: text in quotes without indentation, unknown placeholders, /c.html and /c/': {
    files: {
      '_config.yml': 'title: A\ncollections:\n  sips:\n    output: true\n    permalink: /sips/:number\n',
      '_data/a.yml': '- a: "b\n  c."\n  d: e\n',
      '_data/b.yml': '- a: "b\n  c: "d"\n',
      'c.md': '---\ntitle: C\n---\n',
      'c/index.md': '---\ntitle: C\n---\n',
      '_sips/a.md': '---\ntitle: A\nnumber: 1\n---\n',
      '_sips/b.md': '---\ntitle: B\nnumber: 2\n---\n',
    },
    findings: ['_data/b.yml config Missing closing "quote'],
  },
  'a page without a field that only tunes the site': {
    files: {
      'mkdocs.yml': 'site_name: A\n',
      ...many('docs', (at) => (at === 3 ? 'description: a' : 'title: a\ndescription: a\nboost: 2')),
    },
  },
  'a page that the navigation lacks, and another page links to or a template of its own makes': {
    files: {
      ...mkdocs,
      'docs/guides/a.md': '# A\n',
      'docs/guides/old.md': '---\ntemplate: redirect.html\n---\n',
      'docs/install.md': `${mkdocs['docs/install.md']}\n[a](guides/a.md)\n`,
    },
  },
}

for (const [name, { files, findings = [] }] of Object.entries(cases)) {
  test(name, async () => {
    assert.deepEqual(await check(memoryTree(files)), findings)
  })
}

async function check(tree: SiteTree): Promise<string[]> {
  const { findings } = await checkFiles(tree)
  return findings.map(({ path, kind, target }) => `${path} ${kind} ${target}`)
}
