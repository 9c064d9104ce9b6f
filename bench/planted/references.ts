// Finds which pages name which, by plain text search: only a name that literally is the path of a page counts. This is a
// resolver of its own, so that the one under test does not decide what it has to find.

import { posix } from 'node:path'
import type { PlantedSite } from './site.ts'
import { syntaxOf, visibleLines } from './text.ts'

/** `url` as written, with its anchor; `rooted`: it begins with a slash. */
export type Reference = {
  readonly path: string
  readonly line: number
  readonly url: string
  readonly target: string
  readonly rooted: boolean
  /** `{% link … %}` and `{{< ref … >}}`. */
  readonly isTag: boolean
}

const patterns = {
  markdown: [
    /(?<!!)\[(?:[^[\]]|!?\[[^[\]]*\](?:\([^()]*\))?)*\]\(<?([^\s()<>{}]+)>?(?:\s+["'][^"']*["'])?\)/g,
    // The link begins on the line that is expected.
    /\[[^[\]]*\]\((?=\{)\{% link ([^\s{}]+) %\}/g,
    /\{\{[<%] (?:rel)?ref "([^"{}]+)" [>%]\}\}/g,
  ],
  rst: [/:doc:`(?:[^`<]*<)?([^`<>]+)>?`/g],
  adoc: [/xref:([^\s[\]{}]+)\[/g],
} as const
const ownAddress = /^(?:slug|permalink|url|id|aliases|redirect_from)\s*[:=]/m

export function findReferences(site: PlantedSite): Reference[] {
  const known = new Set(site.pages)
  return site.pages.flatMap((path) => {
    const lines = visibleLines(path, site.texts.get(path) ?? '')
    return lines.flatMap((line, at) =>
      patterns[syntaxOf(path)].flatMap((pattern) =>
        Array.from(line.matchAll(pattern), ([whole, url = '']): Reference | undefined => {
          const target = targetOf(site, path, url, whole.includes('{% link')).find((one) => known.has(one))
          if (target === undefined || target === path || hasOwnAddress(site, target)) return undefined
          return {
            path,
            line: at + 1,
            url,
            target,
            rooted: url.startsWith('/') && !whole.includes('{'),
            isTag: whole.includes('{'),
          }
        }).filter((found) => found !== undefined),
      ),
    )
  })
}

/** A page that says its address in its frontmatter is not at the address of its path. */
function hasOwnAddress({ texts }: PlantedSite, path: string): boolean {
  return ownAddress.test((texts.get(path) ?? '').split(/^(?:---|\+\+\+)\s*$/m, 2)[1] ?? '')
}

/** The paths that the address may stand for. */
function targetOf(site: PlantedSite, from: string, url: string, isLink: boolean): string[] {
  if (/^[a-z][\w+.-]*:\/\/|^mailto:|^\/\/|^#/i.test(url)) return []
  const name = url.replace(/[?#].*$/, '')
  if (name === '') return []
  if (isLink) return [posix.join(site.root, name)]
  if (syntaxOf(from) === 'adoc') {
    const pages = /^.*?\/pages\//.exec(from)?.[0]
    return pages === undefined || /[@$:]/.test(name) ? [] : [posix.join(pages, name)]
  }
  const isRooted = name.startsWith('/')
  // The address without a version leads to the last version, and these are the pages of the next one.
  if (isRooted && site.kind === 'docusaurus' && site.paths.has(posix.join(site.root, 'versions.json'))) return []
  const base = isRooted ? posix.join(site.folder, name) : posix.join(posix.dirname(from), name)
  if (!isRooted && /\.\w+$/.test(name) && !name.endsWith('.html')) return [base]
  const stem = base.replace(/\.html$/, '').replace(/\/$/, '')
  if (!isRooted && !/rst|md/.test(posix.extname(from).slice(1))) return []
  // Hugo and MkDocs serve a page as a folder, so that what is relative there is not relative to its file.
  if (!isRooted && ['hugo', 'mkdocs', 'jekyll', 'nextra', 'fumadocs'].includes(site.kind)) return []
  const names =
    ['docusaurus', 'fumadocs'].includes(site.kind) && isRooted
      ? [stem, stem.replace(`${posix.join(site.folder, 'docs')}/`, `${site.folder}/`)]
      : [stem]
  return names.flatMap((one) => [
    one,
    ...['.md', '.mdx', '.rst', '/index.md', '/index.mdx', '/page.mdx', '/_index.md'].map((end) => one + end),
  ])
}
