import { type Generator, runBuild } from './generator.ts'

export const jekyll: Generator = {
  site: 'jekyll',
  files: {
    '_config.yml': 'title: Tricks\n',
    'index.md': '---\ntitle: A\n---\n# A\n',
  },
  pages: '',
  isLive: false,
  extensions: ['md', 'markdown'],
  // A file without frontmatter is copied as it is. The pages are opened by their names.
  toPage: (text) =>
    /^---[ \t]*\r?\n/.test(text) ? text.replace(/^permalink:.*\n/m, '') : `---\ntitle: A\n---\n${text}`,
  build: (folder) => runBuild('_site', folder, ['jekyll', 'build', '--quiet', '--disable-disk-cache']),
}
