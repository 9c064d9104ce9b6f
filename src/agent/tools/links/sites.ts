// Finds the sites of a repository by their configurations, and says by which id and address each names a page. A
// configuration written as code is not run: of it, only literal strings are known.

import { posix } from 'node:path'
import { inside } from '../../../docs-syntax/links.ts'
import { toSlug } from '../../../docs-syntax/page.ts'
import { type ScriptString, readScriptStrings, siblingsOf } from '../../../docs-syntax/script-strings.ts'
import { readYaml } from '../../../docs-syntax/yaml.ts'
import { readTextFile } from '../text-file.ts'
import type { Workspace } from '../../workspace.ts'

export type SiteKind = 'mintlify' | 'docusaurus' | 'vitepress' | 'starlight' | 'mkdocs' | 'mdbook' | 'nextra'

export type DocsSite = {
  readonly kind: SiteKind
  /** The folder of the configuration; '' for the root of the repository. */
  readonly root: string
  readonly config: string
  /** Pages below `folder` are served below `route`, which is '' or starts with a slash. */
  readonly mounts: readonly { readonly folder: string; readonly route: string }[]
  /** The path under which the whole site is served, such as `/docs`; otherwise ''. */
  readonly base: string
  /** The folder of the default language; '' if its pages lie in no folder of their own. */
  readonly language: string
}

/** The fields of a page's frontmatter that replace its name. */
export type OwnNames = { readonly slug?: string; readonly id?: string }

/** `ids`: as lists of the navigation name the page. `address`: without the base; `/` for the first page. */
export type PageNames = { readonly ids: readonly string[]; readonly address: string }

const configs: readonly (readonly [SiteKind, RegExp])[] = [
  ['mintlify', /(?:^|\/)(?:docs|mint)\.json$/],
  ['docusaurus', /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/],
  ['vitepress', /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/],
  ['starlight', /(?:^|\/)astro\.config\.[cm]?[jt]s$/],
  ['mkdocs', /(?:^|\/)mkdocs\.ya?ml$/],
  ['mdbook', /(?:^|\/)book\.toml$/],
  ['nextra', /(?:^|\/)next\.config\.[cm]?[jt]s$/],
  // A sidebar whose configuration is not known.
  ['docusaurus', /(?:^|\/)sidebars\.[cm]?[jt]s$/],
]
const elsewhere = /(?:^|\/)node_modules\//
const maxSites = 50
const numbered = /^\d+\s*[-_.)]+\s*(?=\S)/

export async function findSites(workspace: Workspace, paths: readonly string[]): Promise<readonly DocsSite[]> {
  const sites = new Map<string, DocsSite>()
  for (const [kind, pattern] of configs) {
    for (const config of paths.filter((path) => pattern.test(path) && !elsewhere.test(path)).slice(0, maxSites)) {
      const site = await openSite(kind, config, { workspace, paths })
      const key = `${kind} ${site?.root}`
      if (site && !sites.has(key)) sites.set(key, site)
    }
  }
  return [...sites.values()].toSorted((a, b) => b.root.length - a.root.length)
}

/** Returns the site that serves the page. */
export function siteOf(sites: readonly DocsSite[], path: string): DocsSite | undefined {
  const mounts = sites.flatMap((site) => site.mounts.map(({ folder }) => ({ site, folder })))
  const nearest = mounts.toSorted((a, b) => b.folder.length - a.folder.length)
  return nearest.find(({ folder }) => inside(folder, path) !== undefined)?.site
}

/** Returns undefined for a page that the site does not serve. */
export function namesOf(site: DocsSite, path: string, own: OwnNames): PageNames | undefined {
  const served = site.mounts.flatMap(({ folder, route }) => {
    const name = inside(folder, path)
    return name === undefined ? [] : [{ name: name.replace(/\.(?:mdx?|markdown)$/i, ''), route }]
  })
  const [first] = served
  if (!first) return undefined
  const { name, route } = first
  if (site.kind === 'docusaurus') return docusaurusNames(name, route, own)
  const plain = name.replace(/(?:^|\/)(?:index|readme)$/i, '')
  if (site.kind !== 'starlight') return { ids: [name], address: `/${plain}` }
  const slug = own.slug?.replace(/^\/|\/$/g, '') ?? plain.split('/').map(toSlug).join('/')
  const short = inside(site.language, slug)
  const ids = [...(short === undefined ? [] : [short]), slug]
  return { ids: [...new Set(slug === '' ? ['index'] : ids)], address: `/${slug}` }
}

function docusaurusNames(path: string, route: string, { slug, id }: OwnNames): PageNames {
  const parts = path.split('/').map((part) => part.replace(numbered, ''))
  const folders = parts.slice(0, -1)
  const name = parts.at(-1) ?? ''
  const isFirst = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === folders.at(-1)?.toLowerCase()
  const usual = [...folders, ...(isFirst && id === undefined ? [] : [id ?? name])].join('/')
  const written = slug?.startsWith('/') ? slug : posix.join(...folders, slug ?? '')
  const plain = (slug === undefined ? usual : written).replace(/^\.?\/|\/$/g, '')
  const address = plain === '' || plain === '.' ? route : `${route}/${plain}`
  return { ids: [[...folders, id ?? name].join('/')], address: address === '' ? '/' : address }
}

type Repository = { readonly workspace: Workspace; readonly paths: readonly string[] }

async function openSite(kind: SiteKind, config: string, repository: Repository): Promise<DocsSite | undefined> {
  const file = await readTextFile(repository.workspace, config)
  const text = 'problem' in file ? '' : file.text
  const folder = config.replace(/(?:^|\/)(?:\.vitepress\/config(?:\/index)?\.\w+|[^/]+)$/, '')
  const root = kind === 'vitepress' ? config.slice(0, Math.max(0, config.indexOf('.vitepress/') - 1)) : folder
  const strings = /\.[cm]?[jt]s$/.test(config) ? (readScriptStrings(config, text) ?? []) : []
  const site = { kind, root, config, mounts: [{ folder: root, route: '' }], base: '', language: '' }
  const below = (name: string): string => posix.join(root, name).replace(/^\.$|\/$/g, '')
  const outermost = (name: string) => strings.find(({ keys }) => keys.length === 1 && keys[0] === name)?.value
  const mountAt = (name: string) => [{ folder: below(name), route: '' }]
  switch (kind) {
    case 'mintlify':
      return site
    case 'docusaurus':
      return { ...site, base: toRoute(outermost('baseUrl')), mounts: docusaurusMounts(strings, below) }
    case 'vitepress':
      return { ...site, base: toRoute(outermost('base')), mounts: mountAt(outermost('srcDir') ?? '.') }
    case 'starlight': {
      const content = below('src/content/docs')
      const isUsed = text.includes('starlight') || repository.paths.some((path) => path.startsWith(`${content}/`))
      const language = strings.find(({ keys }) => keys.at(-1) === 'defaultLocale')?.value ?? 'en'
      const base = toRoute(outermost('base'))
      return isUsed ? { ...site, base, mounts: mountAt('src/content/docs'), language } : undefined
    }
    case 'mkdocs': {
      const docs = readYaml(text).strings.find(({ path }) => path.length === 1 && path[0] === 'docs_dir')
      return { ...site, mounts: mountAt(docs?.value ?? 'docs') }
    }
    case 'mdbook':
      return { ...site, mounts: mountAt(/^\s*src\s*=\s*"([^"]*)"/m.exec(text)?.[1] ?? 'src') }
    case 'nextra':
    default:
      return {
        ...site,
        mounts: ['content', 'src/content', 'pages', 'src/pages'].flatMap(mountAt),
      }
  }
}

function docusaurusMounts(strings: readonly ScriptString[], below: (name: string) => string): DocsSite['mounts'] {
  const options = strings
    .filter(({ keys }) => ['docs', '[]'].includes(keys.at(-2) ?? ''))
    .map((one) => siblingsOf(one))
    .filter((one) => one['path'] !== undefined || one['routeBasePath'] !== undefined)
  const known = options.map(({ path = 'docs', routeBasePath = 'docs' }) => ({ path, route: routeBasePath }))
  const usual = known.some(({ path }) => below(path) === below('docs')) ? [] : [{ path: 'docs', route: 'docs' }]
  return [...known, ...usual].map(({ path, route }) => ({ folder: below(path), route: toRoute(route) }))
}

function toRoute(written = ''): string {
  return `/${written.replace(/^\/+|\/+$/g, '')}`.replace(/^\/$/, '')
}
