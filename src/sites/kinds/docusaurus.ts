// Docusaurus: `docusaurus.config.*`. Each instance of its docs plugin serves the pages of a folder below an address; the
// configuration is code, of which only what is written as a string is known. Known, too, are blogs, versions
// (`versions.json`), pages in `src/pages`, and translations in `i18n`, which fall back to the pages of the main language.
// Not judged: lists of posts and tags, and what other plugins make.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { type FoundString, outermost, readStrings } from '../found-strings.ts'
import { findInstances, type Instance } from '../docusaurus/instances.ts'
import { findMounts } from '../docusaurus/mounts.ts'
import { docId, docName } from '../docusaurus/names.ts'
import { isBelow } from '../address.ts'
import { folderOf } from '../names.ts'
import {
  type Mount,
  type NavigationEntry,
  type Redirect,
  type Site,
  type SiteFiles,
  type SiteOpener,
  siteDefaults,
} from '../site.ts'

export const docusaurus: SiteOpener = {
  kind: 'docusaurus',
  config: /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/,
  usual: 'docusaurus.config.js',
  open: async (config, files) => {
    const root = folderOf(config)
    const strings = await readStrings([config], files)
    const instances = findInstances((await files.text(config)) ?? '', strings)
    const mainLocale = strings.find(({ keys }) => keys.at(-1) === 'defaultLocale')?.value ?? ''
    const mounts = await findMounts(instances, { root, files, mainLocale })
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
      nameOf: (name, fields) => docName(name, fields),
      syntaxOf: (path) => (/\.mdx$/i.test(path) ? 'mdx-comments' : 'markdown'),
      fallbacks: (route) => {
        const [, locale = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(route) ?? []
        return mounts.some(({ original, routes }) => original !== undefined && routes[0]?.startsWith(`/${locale}`))
          ? [rest]
          : []
      },
      looksBelowMount: true,
      importOf: (url) => (url.startsWith('@site/') ? at(url.slice(6)) : undefined),
      assets: [at('static')],
      base: `/${(outermost(strings, 'baseUrl') ?? '').replace(/^\/|\/$/g, '')}`.replace(/^\/$/, ''),
      madeAt: createMadeAt({ root, mounts, files, instances }),
      idsOf: (name, _address, fields) => [docId(name, fields)],
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

function findSidebars(root: string, strings: readonly FoundString[], files: SiteFiles): string[] {
  const named = strings.filter(({ keys }) => keys.at(-1) === 'sidebarPath').map(({ value }) => posix.join(root, value))
  const usual = ['sidebars.js', 'sidebars.ts', 'sidebars.json'].map((name) => posix.join(root, name))
  return [...new Set([...named, ...usual])].filter((path) => files.has(path))
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

type Made = {
  readonly root: string
  readonly mounts: readonly Mount[]
  readonly files: SiteFiles
  readonly instances: readonly Instance[]
}

/** Lists of posts and tags, categories, versions that are elsewhere, and pages that are components. */
function createMadeAt({ root, mounts, files, instances }: Made): Site['madeAt'] {
  const components = instances.flatMap(({ kind, path, route }) => {
    if (kind !== 'pages') return []
    return files.paths.flatMap((file) => {
      const name = inside(posix.join(root, path), file)
      return name === undefined ? [] : [`${route}/${name}`.replace(/(?:\/index)?\.\w+$/, '') || '/']
    })
  })
  const exact = new Set(components)
  const blogs = instances.filter(({ kind }) => kind === 'blog').map(({ route }) => route)
  const docs = instances.filter(({ kind }) => kind === 'docs').map(({ route }) => route)
  const served = mounts.flatMap(({ routes, isCopy }) => (isCopy ? routes : []))
  const hasVersions = served.length > 0
  const isGenerated = (rest: string, isRooted: boolean, route: string) =>
    /^\/(?:category|tags)(?:\/|$)/.test(rest) ||
    (isRooted && hasVersions && /^\/v?\d[\w.-]*(?:\/|$)/.test(rest) && !served.some((one) => isBelow(one, route)))
  return (route, isRooted) => {
    if (exact.has(route)) return 'page'
    const isMade =
      /^\/(?:search|tags)(?:\/|$)/.test(route) ||
      blogs.some((prefix) => isBelow(prefix, route)) ||
      docs.some((prefix) => isBelow(prefix, route) && isGenerated(route.slice(prefix.length), isRooted, route))
    return isMade ? 'generated' : undefined
  }
}
