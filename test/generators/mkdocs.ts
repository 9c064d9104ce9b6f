import { type Generator, runBuild } from './generator.ts'

export const mkdocs: Generator = {
  site: 'mkdocs',
  // The first heading of a page in the navigation runs on every page.
  files: {
    'mkdocs.yml': `site_name: Tricks
use_directory_urls: false
nav: [index.md]
markdown_extensions: [abbr, admonition, attr_list, def_list, footnotes, md_in_html, sane_lists, smarty]
`,
    'docs/index.md': '# A\n',
  },
  pages: 'docs/',
  isLive: false,
  extensions: ['md', 'markdown'],
  build: (folder) => runBuild('site', folder, ['mkdocs', 'build', '--quiet']),
}
