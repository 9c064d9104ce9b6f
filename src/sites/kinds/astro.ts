// Astro without Starlight: `astro.config.*` beside pages in Markdown. Known are the files of `src/pages`, collections in
// `content.config` or in folders of `src/content`, the dynamic routes that give the ids of one of them as they are
// (`params: { slug: entry.id }`), `base`, `srcDir`, `redirects`, and languages that fall back to another. Not judged: addresses
// below other dynamic routes, ids that code makes, and everything missing where code makes redirects or routes. The
// navigation is a list of links, or code.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { isPagePath } from '../../docs-syntax/markdown.ts'
import { type Collection, entryId, legacyCollection, readCollections, withoutComments } from '../astro/collections.ts'
import { readNavigation } from '../astro/navigation.ts'
import { baseOf, collectionOf, createMadeAt, findRoutes, type Route, toRedirect } from '../astro/routes.ts'
import { type FoundString, outermost, readStrings } from '../found-strings.ts'
import { folderOf, toFolder, withoutExtension } from '../names.ts'
import { hasPage } from '../site-files.ts'
import { type Mount, type Site, type SiteFiles, type SiteOpener, siteDefaults } from '../site.ts'
import { astroSlugs } from '../slugs.ts'

export const astro: SiteOpener = {
  kind: 'astro',
  config: /(?:^|\/)astro\.config\.[cm]?[jt]s$/,
  usual: 'astro.config.mjs',
  open: async (config, files, isNamed) => {
    const text = withoutComments((await files.text(config)) ?? '')
    const root = folderOf(config)
    const lists = findRedirectLists(text, root, files)
    const strings = await readStrings([config, ...lists], files)
    const source = toFolder(posix.join(root, outermost(strings, 'srcDir') ?? 'src'))
    const definitions = withoutComments(await readDefinitions(source, files))
    if (!isNamed && /['"]@astrojs\/starlight/.test(text + definitions)) return undefined
    const pages = posix.join(source, 'pages')
    const content = posix.join(source, 'content')
    const routes = findRoutes(pages, files.paths)
    const known = definitions === '' ? undefined : readCollections(definitions, { root, content })
    const { collections, open } = await serve(routes, { known, content }, files)
    const mounts = [
      ...collections.keys(),
      { folder: content, routes: [''], isPart: true } as const,
      { folder: pages, routes: [''] },
    ]
    if (!isNamed && !mounts.some(({ folder }) => hasPage(folder, files))) return undefined
    const baseUrl = await readBaseUrl(root, files)
    const isOpen = /\binjectRoute\b/.test(text) || (lists.length === 0 && hasComputedRedirects(text))
    const madeAt = createMadeAt(open, othersOf(collections, files))
    const base = baseOf(strings)
    const navigation = await readNavigation(source, { mounts, routes, base }, files)
    return {
      ...siteDefaults,
      kind: 'astro',
      root,
      config,
      configs: [config, ...lists, ...new Set(navigation.entries.map(({ file }) => file))],
      mounts,
      isIgnored: (path, mount) =>
        mount?.folder === pages
          ? /(?:^|\/)[_.]/.test(path)
          : mount !== undefined && collections.get(mount)?.holds(path) === false,
      nameOf: (path) => withoutExtension(path).replace(/(?:^|\/)index$/, ''),
      fallbacks: createFallbacks(strings),
      linksAre: 'addresses',
      addressOf: ({ kind, url }, path) => {
        const isBare = kind === 'image' && baseUrl !== undefined && /^\w[^:?#]*$/.test(url)
        const named = isBare ? posix.join(baseUrl, url) : ''
        const isOwn = files.has(named) && !files.has(posix.join(posix.dirname(path), url))
        return isOwn ? { kind: 'named', paths: [named], ids: [], fragment: '' } : undefined
      },
      nameFor: (_link, _page, to) => inside(baseUrl ?? root, to),
      assets: [posix.join(root, outermost(strings, 'publicDir') ?? 'public')],
      base,
      addsAnchors: /['"](?:remark|rehype)-[\w-]*(?:attr|custom|-ids?\b)/.test(text) ? 'all' : undefined,
      slugs: astroSlugs,
      madeAt: (route, isRooted) => madeAt(route, isRooted) ?? (isOpen ? 'code' : undefined),
      navigation,
      redirects: strings.flatMap((one) => toRedirect(one, one.file !== config)),
    }
  },
}

type Known = { readonly known: readonly Collection[] | undefined; readonly content: string }
type Served = { readonly collections: ReadonlyMap<Mount, Collection>; readonly open: readonly Route[] }

/** The collections with the addresses of their entries, and the routes that serve something else. */
async function serve(routes: readonly Route[], { known, content }: Known, files: SiteFiles): Promise<Served> {
  const read = await Promise.all(
    routes.map(async (route) => {
      const text = /\[.*\.astro$/.test(route.path) ? await files.text(route.path) : undefined
      return { route, serves: text === undefined ? undefined : collectionOf(route, text) }
    }),
  )
  const legacy = new Set(read.flatMap(({ serves }) => serves?.name ?? []))
  const all = known ?? Array.from(legacy, (name) => legacyCollection(name, content))
  const collections = new Map(
    all.map((collection): [Mount, Collection] => {
      const { name, folder, prefix, hasOwnIds } = collection
      const isShared = hasOwnIds || all.some((one) => one !== collection && one.folder === folder)
      const own = read.flatMap(({ serves }) => (serves?.name === name && !isShared ? [serves] : []))
      if (own.length === 0) return [{ folder, routes: [''], isPart: true }, collection]
      const nameOf: Mount['nameOf'] = (path, fields) => {
        const id = entryId(prefix + path, fields)
        return id === own[0]?.first ? '' : id
      }
      return [{ folder, routes: own.map(({ below }) => below), nameOf }, collection]
    }),
  )
  const names = new Set(Array.from(collections).flatMap(([{ isPart }, { name }]) => (isPart ? [] : [name])))
  const open = read.filter(({ serves }) => serves === undefined || !names.has(serves.name))
  return { collections, open: open.map(({ route }) => route) }
}

async function readDefinitions(source: string, files: SiteFiles): Promise<string> {
  const paths = ['content.config', 'content/config'].flatMap((name) =>
    ['ts', 'mts', 'js', 'mjs'].map((ending) => posix.join(source, `${name}.${ending}`)),
  )
  return (await files.text(paths.find((path) => files.has(path)) ?? '')) ?? ''
}

/** The folder from which the scripts and images of the project may be named. */
async function readBaseUrl(root: string, files: SiteFiles): Promise<string | undefined> {
  const text = (await files.text(posix.join(root, 'tsconfig.json'))) ?? ''
  const written = /"baseUrl"\s*:\s*"([^"]*)"/.exec(text)?.[1]
  return written === undefined ? undefined : toFolder(posix.join(root, written))
}

/** The scripts with redirects that the configuration imports. */
function findRedirectLists(text: string, root: string, files: SiteFiles): string[] {
  return Array.from(
    text.matchAll(/\bfrom\s*['"](\.[^'"\n]{0,200}redirect[^'"\n]{0,200})['"]/gi),
    ([, name = '']) => name,
  ).flatMap((name) =>
    ['', '.ts', '.mjs', '.js'].map((ending) => posix.join(root, name + ending)).filter((path) => files.has(path)),
  )
}

function hasComputedRedirects(text: string): boolean {
  const plain = text.replace(/^\s*import\b.*$/gm, '')
  return /\bredirects(?:\s*[,}]|\s*:\s*[^\s{]|\s*:\s*\{[^{}]*\.\.\.)/.test(plain)
}

/** Entries in a syntax that is not read. */
function othersOf(collections: Served['collections'], { paths }: SiteFiles): string[] {
  return Array.from(collections).flatMap(([{ folder, routes, isPart }, { prefix, ...collection }]) => {
    const names = isPart ? [] : paths.flatMap((path) => (isPagePath(path) ? [] : (inside(folder, path) ?? [])))
    const ids = names
      .filter((name) => collection.holds(name))
      .map((name) => entryId(prefix + name.replace(/\.\w+$/, ''), null))
    return ids.flatMap((id) => routes.map((route) => `${route}/${id}`.replace(/(?<=.)\/$/, '')))
  })
}

/** `fallback: { fr: 'en' }` serves the page in English where there is no French one. */
function createFallbacks(strings: readonly FoundString[]): Site['fallbacks'] {
  const known = strings.flatMap(({ keys, value }) =>
    keys.at(-2) === 'fallback' ? [[keys.at(-1) ?? '', value] as const] : [],
  )
  return (route) => {
    const [, to] = known.find(([from]) => route.split('/', 2)[1] === from) ?? []
    const rest = route.replace(/^\/[^/]*/, '')
    return to === undefined ? [] : [rest, `/${to}${rest}`]
  }
}
