// The site that faults are planted in, found by the name of its configuration alone: what a fault is must not depend on the
// code under test. Of several sites in a repository, the one with the most pages is taken.

import { posix } from 'node:path'
import type { SiteTree } from '../../src/sites/tree.ts'

export type Kind =
  | 'antora'
  | 'docusaurus'
  | 'fumadocs'
  | 'hugo'
  | 'jekyll'
  | 'mdbook'
  | 'mintlify'
  | 'mkdocs'
  | 'myst'
  | 'nextra'
  | 'plain'
  | 'sphinx'
  | 'starlight'
  | 'vitepress'

export type PlantedSite = {
  readonly kind: Kind
  /** The folder of the configuration, and that of the pages. */
  readonly root: string
  readonly folder: string
  /** Paths of pages, without drafts of other versions, translations and parts. */
  readonly pages: readonly string[]
  readonly paths: ReadonlySet<string>
  /** The texts of the pages and of the files that configure the site. */
  readonly texts: ReadonlyMap<string, string>
}

type Layout = {
  readonly kind: Kind
  readonly config: RegExp
  /** Must occur in the configuration. */
  readonly proof?: RegExp
  /** Folders that may have the pages, relative to that of the configuration. The one with the most pages is taken. */
  readonly folders: (text: string) => readonly string[]
  readonly page: RegExp
  /** Patterns, relative to the folder of the pages, of files that are no pages. */
  readonly without?: (text: string) => readonly string[]
}

const markdown = /\.(?:md|mdx|markdown)$/i
const layouts: readonly Layout[] = [
  {
    kind: 'mkdocs',
    config: /(?:^|\/)mkdocs\.ya?ml$/,
    folders: (text) => [/^docs_dir:\s*["']?([\w./-]+)/m.exec(text)?.[1] ?? 'docs'],
    page: markdown,
  },
  {
    kind: 'docusaurus',
    config: /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/,
    folders: (text) => [
      'docs',
      ...Array.from(text.matchAll(/\bpath:\s*["']([\w./-]+)["']/g), (found) => found[1] ?? ''),
    ],
    page: markdown,
  },
  {
    kind: 'vitepress',
    config: /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/,
    folders: (text) => [posix.join('..', /\bsrcDir:\s*["']([\w./-]+)/.exec(text)?.[1] ?? '.')],
    page: /\.md$/i,
    without: (text) =>
      Array.from((/\bsrcExclude:\s*\[([^\]]*)/.exec(text)?.[1] ?? '').matchAll(/["']([^"']+)/g), ([, one = '']) => one),
  },
  {
    kind: 'mdbook',
    config: /(?:^|\/)book\.toml$/,
    folders: (text) => [/^src\s*=\s*["']([\w./-]+)/m.exec(text)?.[1] ?? 'src'],
    page: /\.md$/i,
  },
  {
    kind: 'mintlify',
    config: /(?:^|\/)(?:docs|mint)\.json$/,
    proof: /"navigation"/,
    folders: () => ['.'],
    page: markdown,
  },
  {
    kind: 'starlight',
    config: /(?:^|\/)astro\.config\.[cm]?[jt]s$/,
    proof: /starlight/,
    folders: () => ['src/content/docs', 'src/content/docs/en'],
    page: markdown,
    // A translation that is missing is served in the main language.
    without: () => ['[a-df-z][a-z]/**', 'e[a-mo-z]/**', '[a-z][a-z]-[a-z]*/**'],
  },
  {
    kind: 'nextra',
    config: /(?:^|\/)next\.config\.[cm]?[jt]s$/,
    proof: /["']nextra["']/,
    folders: () => ['content/en', 'content', 'src/content', 'pages', 'app', 'src/app'],
    page: /(?:^|\/)(?:src\/)?app\/(?:.*\/)?page\.mdx?$|^(?!(?:.*\/)?app\/).*\.mdx?$/i,
  },
  {
    kind: 'fumadocs',
    config: /(?:^|\/)source\.config\.[cm]?[jt]sx?$/,
    proof: /["']fumadocs-mdx\b/,
    folders: (text) => [/\bdir:\s*["']([\w./-]+)/.exec(text)?.[1] ?? 'content/docs'],
    page: markdown,
    without: () => ['**/*.[a-z][a-z].mdx', '**/*.[a-z][a-z].md'],
  },
  { kind: 'myst', config: /(?:^|\/)myst\.yml$/, proof: /^project:/m, folders: () => ['.'], page: /\.md$/i },
  { kind: 'antora', config: /(?:^|\/)antora\.yml$/, folders: () => ['modules'], page: /\/pages\/.*\.adoc$/i },
  {
    kind: 'hugo',
    config: /(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml)$|(?:^|\/)config\/_default\/(?:hugo|config)\.(?:toml|ya?ml)$/,
    proof: /baseURL|languageCode|\[markup|^markup:|^module/im,
    folders: () => ['content/en', 'content', '../../content/en', '../../content'],
    page: /\.md$/i,
  },
  { kind: 'sphinx', config: /(?:^|\/)conf\.py$/, proof: /extensions/, folders: () => ['.'], page: /\.(?:rst|md)$/i },
  {
    kind: 'jekyll',
    config: /(?:^|\/)_config\.ya?ml$/,
    folders: () => ['.'],
    page: markdown,
    without: () => ['_articles/*/**'],
  },
]
/** Parts, other versions, translations, tests, and what a repository keeps beside its pages. */
const noPage =
  /(?:^|\/)(?:[._](?!docs\/|posts\/|articles\/|tutorials\/|pages\/)[^/]*|node_modules|vendor|i18n|locale|versioned_docs|includes?|snippets?|partials?|fixtures?|tests?|examples?|templates?)\/|(?:^|\/)(?:[._][^/]*|(?:readme|summary|contributing|changelog|code_of_conduct|license|security)\.\w+|404\.\w+)$/i
const foreign = /(?:^|\/)(?:node_modules|fixtures?|tests?|examples?|templates?)\//
const configText = /\.(?:ya?ml|json|toml|[cm]?[jt]s)$|(?:^|\/)(?:_redirects|SUMMARY\.md|nav\.adoc|conf\.py)$/
const maxBytes = 1_000_000

export async function findSite(tree: SiteTree): Promise<PlantedSite> {
  const files = tree.entries().filter(({ kind, size }) => kind === 'file' && size <= maxBytes)
  const paths = files.map(({ path }) => path)
  const found = [{ kind: 'plain' as Kind, root: '', folder: '', pages: pagesIn('', paths, markdown), rank: 0 }]
  for (const layout of layouts)
    for (const config of paths.filter((path) => layout.config.test(path) && !foreign.test(path))) {
      const text = await textOf(tree, config)
      if (layout.proof && !layout.proof.test(text)) continue
      const root = posix.dirname(config).replace(/^\.$/, '')
      const choices = layout.folders(text).map((name) => {
        const folder = posix.join(root, name).replace(/^\.$|\/$/g, '')
        const without = layout.without?.(text) ?? []
        const pages = pagesIn(folder, paths, layout.page).filter((path) => {
          return !without.some((pattern) => posix.matchesGlob(posix.relative(folder, path), pattern))
        })
        return { kind: layout.kind, root, folder, pages, rank: 0 }
      })
      // The folder that is named first wins if it has half of the pages: others may contain it.
      for (const one of choices) found.push({ ...one, rank: one.pages.length + (/^nav:/m.test(text) ? 0.5 : 0) })
    }
  const best = found.toSorted((a, b) => b.rank - a.rank)[0] ?? found[0]
  const chosen = best && best.pages.length > 0 ? best : found[0]
  if (!chosen) throw new Error('There is no page.')
  const { kind, root, folder, pages } = chosen
  const own = paths.filter((path) => pages.includes(path) || isConfig(root, path))
  const texts = new Map(await Promise.all(own.map(async (path) => [path, await textOf(tree, path)] as const)))
  const known = new Set(pages.filter((path) => texts.get(path)?.trim() !== ''))
  return { kind, root, folder, pages: [...known], paths: new Set(paths), texts }
}

/** Files that configure a site are beside its configuration or at the root, or have a name of their own. */
function isConfig(root: string, path: string): boolean {
  if (!configText.test(path) || foreign.test(path)) return false
  const dir = posix.dirname(path).replace(/^\.$/, '')
  return (
    dir === '' ||
    dir === root ||
    /(?:^|\/)\.vitepress\/(?!theme|cache)|(?:^|\/)(?:_redirects|SUMMARY\.md|nav\.adoc|meta\.json|_meta\.[jt]sx?)$/.test(
      path,
    )
  )
}

function pagesIn(folder: string, paths: readonly string[], page: RegExp): string[] {
  const start = folder === '' ? '' : `${folder}/`
  return paths.filter((path) => path.startsWith(start) && page.test(path) && !noPage.test(path.slice(start.length)))
}

async function textOf(tree: SiteTree, path: string): Promise<string> {
  return Buffer.from((await tree.read(path)) ?? []).toString('utf8')
}
