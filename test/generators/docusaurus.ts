import { join } from 'node:path'
import { type Generator, installed, runBuild } from './generator.ts'

const config = {
  title: 'Tricks',
  url: 'https://site.test',
  baseUrl: '/',
  trailingSlash: false,
  onBrokenLinks: 'ignore',
  onBrokenAnchors: 'ignore',
  markdown: { hooks: { onBrokenMarkdownLinks: 'ignore', onBrokenMarkdownImages: 'ignore' } },
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: '/', sidebarPath: false }]],
  themes: ['@docusaurus/theme-classic'],
}

export const docusaurus: Generator = {
  site: 'docusaurus',
  files: {
    'package.json': '{ "name": "tricks", "private": true }\n',
    'docusaurus.config.mjs': `export default ${JSON.stringify(config, undefined, 2)}\n`,
    'docs/index.md': '# A\n',
  },
  pages: 'docs/',
  isLive: true,
  extensions: ['md', 'mdx'],
  build: (folder) => {
    const command = join(installed, '@docusaurus/core/bin/docusaurus.mjs')
    return runBuild('build', folder, [process.execPath, command, 'build', '--no-minify'])
  },
}
