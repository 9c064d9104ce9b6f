// Docusaurus: `docusaurus.config.*`. Each instance of its docs plugin serves the pages of a folder below an address; the
// configuration is code, of which only what is written as a string is known. Translations fall back to the pages of the
// main language, so they are not checked.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { type FoundString, outermost, readStrings } from '../found-strings.ts'
import { folderOf, withoutExtension } from '../names.ts'
import {
  type Mount,
  type NavigationEntry,
  type PageFields,
  type Redirect,
  type Site,
  type SiteFiles,
  type SiteOpener,
  siteDefaults,
} from '../site.ts'

const numbered = /^\d+\s*[-_.)]+\s*(?=\S)/

export const docusaurus: SiteOpener = {
  kind: 'docusaurus',
  config: /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/,
  usual: 'docusaurus.config.js',
  open: async (config, files) => {
    const root = folderOf(config)
    const strings = await readStrings([config], files)
    const mounts = findMounts(root, strings, files)
    const lists = findSidebars(root, strings, files)
    const sidebars = await readStrings(lists, files)
    const at = (path: string) => posix.join(root, path)
    return {
      ...siteDefaults,
      kind: 'docusaurus',
      root,
      config,
      configs: [config, ...lists],
      mounts,
      isIgnored: (path) => path.split('/').some((part) => part.startsWith('_') || part === 'node_modules'),
      nameOf: toName,
      syntaxOf: (path) => (/\.mdx$/i.test(path) ? 'docusaurus' : 'markdown'),
      assets: [at('static')],
      base: `/${(outermost(strings, 'baseUrl') ?? '').replace(/^\/|\/$/g, '')}`.replace(/^\/$/, ''),
      madeAt: createMadeAt(root, mounts, files),
      idsOf: (name, _address, fields) => [toId(name, fields)],
      navigation: {
        entries: [...strings.flatMap(toNavbarEntry), ...sidebars.flatMap(toEntry)],
        folders: lists.length === 0 ? [''] : sidebars.filter(isFolder).map(({ value }) => value.replace(/^\.$/, '')),
        computed: [],
        lists: 'usual',
      },
      redirects: strings.flatMap(toRedirect),
    }
  },
}

/** The folder of each docs plugin, and `docs` without one. Pages of their own lie in `src/pages`. */
function findMounts(root: string, strings: readonly FoundString[], files: SiteFiles): Mount[] {
  const options = strings
    .filter(({ keys }) => ['docs', '[]'].includes(keys.at(-2) ?? ''))
    .map(({ siblings }) => siblings)
  const named = options.filter((one) => one['path'] !== undefined || one['routeBasePath'] !== undefined)
  const docs = named.map(({ path = 'docs', routeBasePath = 'docs' }) => ({ path, route: routeBasePath }))
  const known = [...docs, ...(docs.some(({ path }) => path === 'docs') ? [] : [{ path: 'docs', route: 'docs' }])]
  const mounts = known.map(({ path, route }) => {
    const prefix = `/${route.replace(/^\/|\/$/g, '')}`.replace(/^\/$/, '')
    return { folder: posix.join(root, path).replace(/\/$/, ''), routes: [prefix, `${prefix}/next`] }
  })
  const unique = [...new Map(mounts.map((mount) => [mount.folder, mount])).values()]
  const filled = unique.filter(({ folder }) => files.paths.some((path) => inside(folder, path) !== undefined))
  const versions = findVersions(root, filled.length === 0 ? unique : filled, files)
  return [...filled, ...versions, { folder: posix.join(root, 'src/pages'), routes: [''] }]
}

/** `versioned_docs/version-2.0` is served below the address of its docs plugin, at `/docs/2.0`. */
function findVersions(root: string, docs: readonly Mount[], files: SiteFiles): Mount[] {
  const parent = posix.join(root, 'versioned_docs')
  const names = new Set(files.paths.map((path) => /^version-([^/]+)\//.exec(inside(parent, path) ?? '')?.[1]))
  const [prefix = ''] = docs[0]?.routes ?? []
  return [...names].flatMap((name): Mount[] =>
    name === undefined
      ? []
      : [{ folder: posix.join(parent, `version-${name}`), routes: [`${prefix}/${name}`], isCopy: true }],
  )
}

function findSidebars(root: string, strings: readonly FoundString[], files: SiteFiles): string[] {
  const named = strings.filter(({ keys }) => keys.at(-1) === 'sidebarPath').map(({ value }) => posix.join(root, value))
  const usual = ['sidebars.js', 'sidebars.ts', 'sidebars.json'].map((name) => posix.join(root, name))
  return [...new Set([...named, ...usual])].filter((path) => files.has(path))
}

/** `1-intro.md` is served at `intro`; `slug` and `id` in the frontmatter replace the name, or the whole address. */
function toName(path: string, fields: PageFields): string {
  const parts = withoutNumbers(path)
  const folders = parts.slice(0, -1)
  const { slug, id } = fields?.strings ?? {}
  if (slug !== undefined) return (slug.startsWith('/') ? slug : posix.join(...folders, slug)).replace(/^\/|\/$/g, '')
  const name = parts.at(-1) ?? ''
  const isFirst = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === folders.at(-1)?.toLowerCase()
  return [...folders, ...(isFirst ? [] : [id ?? name])].join('/')
}

function withoutNumbers(path: string): string[] {
  return withoutExtension(path)
    .split('/')
    .map((part) => part.replace(numbered, ''))
}

function toId(path: string, fields: PageFields): string {
  const parts = withoutNumbers(path)
  return [...parts.slice(0, -1), fields?.strings['id'] ?? parts.at(-1) ?? ''].join('/')
}

/** A sidebar names a page by its id: its path without numbers, or with the `id` of its frontmatter. */
function toEntry({ keys, value, file, line, start, end, siblings }: FoundString): NavigationEntry[] {
  const key = keys.at(-1)
  const list = keys.findLast((name) => name !== '[]')
  const isId = key === 'id' && (siblings['type'] === 'doc' || siblings['type'] === 'ref')
  const isItem = key === '[]' && !['className', 'tags', 'keywords'].includes(list ?? '')
  return isId || isItem ? [{ file, line, start, end, name: value, target: { id: value } }] : []
}

function isFolder({ keys }: FoundString): boolean {
  return keys.at(-1) === 'dirName'
}

/** `{ type: 'doc', docId: 'intro' }` of the bar at the top. */
function toNavbarEntry({ keys, value, file, line, start, end }: FoundString): NavigationEntry[] {
  return keys.at(-1) === 'docId' ? [{ file, line, start, end, name: value, target: { id: value } }] : []
}

function toRedirect({ keys, value, file, line }: FoundString): Redirect[] {
  return keys.at(-1) === 'from' && keys.includes('redirects') ? [{ file, line, source: value }] : []
}

/** Blogs, tags, categories, versions, and pages that are components. */
function createMadeAt(root: string, mounts: readonly Mount[], files: SiteFiles): Site['madeAt'] {
  const pages = posix.join(root, 'src/pages')
  const exact = new Set(
    files.paths.flatMap((path) => {
      const name = inside(pages, path)
      return name === undefined ? [] : [`/${name.replace(/(?:(?:^|\/)index)?\.\w+$/, '')}`]
    }),
  )
  const docs = mounts.flatMap(({ routes }) => routes.slice(0, 1))
  const hasVersions = files.paths.some((path) => inside(root, path)?.includes('versioned_docs/') === true)
  const generated = /^\/(?:category|tags)(?:\/|$)/
  return (route, isRooted) => {
    if (exact.has(route)) return 'page'
    const isMade =
      /^\/(?:blog|search|tags)(?:\/|$)/.test(route) ||
      docs.some((prefix) => {
        const rest = route.startsWith(`${prefix}/`) ? route.slice(prefix.length) : ''
        return generated.test(rest) || (isRooted && hasVersions && /^\/v?\d[\w.-]*(?:\/|$)/.test(rest))
      })
    return isMade ? 'generated' : undefined
  }
}
