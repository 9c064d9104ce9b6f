import { type Generator, runBuild } from './generator.ts'

export const mkdocs: Generator = {
  site: 'mkdocs',
  files: {
    'mkdocs.yml': `site_name: Tricks
use_directory_urls: false
markdown_extensions: [abbr, admonition, attr_list, def_list, footnotes, md_in_html, sane_lists, smarty]
`,
    'docs/index.md': '# A\n',
  },
  pages: 'docs/',
  extensions: ['md', 'markdown'],
  build: (folder) => runBuild('site', folder, ['mkdocs', 'build', '--quiet']),
}
