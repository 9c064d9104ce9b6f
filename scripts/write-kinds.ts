// Writes docs/guides/kinds.md, which says what Docent knows of each kind of site: the first lines of each file in
// src/sites/kinds. Run it after a change to them: node scripts/write-kinds.ts.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { siteKinds, siteTitles } from '../src/sites/kinds.ts'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/guides/kinds.md')

const start = `# What Docent knows of your site

Docent reads the configuration of a site as data or text and never runs it. A link, an anchor or an entry of the navigation
that it cannot look up is counted as not judged, with a reason ([What was judged](check.md#what-was-judged)). How a kind is
recognised, and where it has its navigation and redirects, is in [Kinds of sites](check.md#kinds-of-sites).

This page is made of the first lines of each file in \`src/sites/kinds\` (\`node scripts/write-kinds.ts\`).
`

export function toPage(): string {
  const files = new Map(
    globSync('src/sites/kinds/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).map((path) => [
      basename(path, '.ts'),
      readHead(path),
    ]),
  )
  const sections = [...siteKinds].map((kind) => {
    const own = files.get(kind) ?? ''
    if (own === '') throw new Error(`No file in src/sites/kinds begins with what Docent knows of ${kind}.`)
    const more = kind === 'sphinx' ? `\n${files.get('myst-project')}` : ''
    return { title: siteTitles[kind] ?? 'Without a generator', text: own + more }
  })
  const sorted = sections.toSorted((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1))
  return [start, ...sorted.map(({ title, text }) => `## ${title}\n\n${text}`)].join('\n')
}

/** The comment at the start of a file. */
function readHead(path: string): string {
  const [head = ''] = /^(?:\/\/ .*\n)*/.exec(readFileSync(join(root, path), 'utf8')) ?? []
  return head.replaceAll(/^\/\/ /gm, '')
}

if (import.meta.main) writeFileSync(page, toPage())
