// Site configurations as the starter templates of site generators contain them: input for tests that compare two versions
// of a file.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAddedCode } from '../../src/jobs/policy/code/added-code.ts'
import { findSiteConfig } from '../../src/jobs/policy/site-code.ts'

/** Returns the findings of a change, each with its line. */
export function added(path: string, before: string | undefined, after: string): readonly string[] {
  const config = findSiteConfig(path)
  assert.ok(config, path)
  return findAddedCode(config, before, after).map(({ line, what }) => `${line ?? 'file'}: ${what}`)
}

/** Replaces `from` in the text by `to`. */
export type Edit = readonly [
  name: string,
  path: string,
  before: string,
  from: string,
  to: string,
  finds: readonly string[],
]

export function testEdits(edits: readonly Edit[]): void {
  for (const [name, path, before, from, to, finds] of edits) {
    test(`configuration as code: ${name}`, () => {
      assert.ok(before.includes(from), 'the text to replace is there')
      assert.deepEqual(
        added(
          path,
          before,
          before.replace(from, () => to),
        ),
        finds,
      )
    })
  }
}

export const docusaurus = `// @ts-check
import {themes as prismThemes} from 'prism-react-renderer';

/** @type {import('@docusaurus/types').Config} */
const config = {
  title: 'My Site',
  url: process.env.URL ?? 'https://example.com',
  onBrokenLinks: 'throw',
  presets: [
    ['classic', ({
      docs: { sidebarPath: './sidebars.js', editUrl: 'https://github.com/a/b/edit/main/' },
      theme: { customCss: require.resolve('./src/css/custom.css') },
    })],
  ],
  plugins: ['@docusaurus/plugin-ideal-image'],
  themeConfig: ({
    navbar: {
      title: 'My Site',
      items: [
        { type: 'docSidebar', sidebarId: 'tutorialSidebar', position: 'left', label: 'Tutorial' },
        { href: 'https://github.com/a/b', label: 'GitHub', position: 'right' },
      ],
    },
    footer: { style: 'dark', copyright: \`Copyright © \${new Date().getFullYear()} My Project.\` },
    prism: { theme: prismThemes.github },
  }),
};

export default config;
`

export const vitepress = `import { defineConfig, type DefaultTheme } from 'vitepress'

const base: string = '/docs/'

export default defineConfig({
  base,
  title: 'Docs',
  themeConfig: {
    nav: [{ text: 'Guide', link: '/guide/' }],
    sidebar: { '/guide/': sidebarGuide() },
  },
  markdown: { config: (md) => { md.use(anchor) } },
})

function sidebarGuide(): DefaultTheme.SidebarItem[] {
  return [{ text: 'Start', items: [{ text: 'Install', link: '/guide/install' }] }]
}
`

export const astro = `import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'
export default defineConfig({
  integrations: [
    starlight({ title: 'Docs', sidebar: [{ label: 'Guides', items: [{ label: 'Example', slug: 'guides/example' }] }] }),
  ],
})
`

export const nextra = `const withNextra = require('nextra')({ theme: 'nextra-theme-docs', themeConfig: './theme.config.tsx' })
module.exports = withNextra({ images: { unoptimized: true }, redirects: () => [{ source: '/a', destination: '/b', permanent: true }] })
`

export const sidebars = `module.exports = { docs: ['intro', { type: 'category', label: 'Guides', items: ['a'] }], plugins: ['plugins/a'] }\n`
