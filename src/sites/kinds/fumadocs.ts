// Fumadocs: a script `source.config` that names `fumadocs-mdx`. Known are the folders of `defineDocs`, the `baseUrl` of
// the loader that serves each, folder groups, languages by suffix and by folder, `meta.json`, and the pages of Next.js. Not
// judged: addresses that `slugs` or `url` of the loader make, translations where code lists the languages, folders without a
// known loader, and routes of other frameworks.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { isPagePath } from '../../docs-syntax/markdown.ts'
import { type FoundString, readStrings } from '../found-strings.ts'
import { isBelow } from '../address.ts'
import { folderOf, toFolder, withoutExtension } from '../names.ts'
import { createNextMadeAt, leavesLanguageOpen, readNextConfig } from '../nextra/routes.ts'
import { type Mount, type NavigationEntry, type Site, type SiteFiles, type SiteOpener, siteDefaults } from '../site.ts'
import { bracketSlugs } from '../slugs.ts'
import { readFumadocsSource, type FumadocsSource } from '../fumadocs/source.ts'

export const fumadocs: SiteOpener = {
  kind: 'fumadocs',
  config: /(?:^|\/)source\.config\.[cm]?[jt]sx?$/,
  usual: 'source.config.ts',
  open: async (config, files, isNamed) => {
    const text = (await files.text(config)) ?? ''
    if (!isNamed && !/['"]fumadocs-mdx\b/.test(text)) return undefined
    const root = folderOf(config)
    const source = await readFumadocsSource(config, files)
    const mounts = source.collections.map(({ dir, baseUrl }): Mount => {
      const folder = toFolder(posix.join(root, dir))
      const mount =
        baseUrl === undefined
          ? ({ folder, routes: [''], isPart: true } as const)
          : { folder, routes: [baseUrl.replace(/\/$/, '')] }
      return { ...mount, nameOf: createNameOf(source, files, mount) }
    })
    const metas = files.paths.filter((path) => {
      return (
        /(?:^|\/)meta(?:\.[\w-]+)?\.json$/.test(path) && mounts.some(({ folder }) => inside(folder, path) !== undefined)
      )
    })
    const next = await readNextConfig(root, files)
    const strings = await readStrings(metas, files)
    const entries = strings.flatMap((one) => toEntry(one, source, files))
    const open = openFolders(strings, files)
    // A collection that lists all its pages, and the folders that do so in others.
    const listing = mounts.filter(({ folder }) => !open.has(folder))
    const folders = listing.flatMap(({ folder }) => [...open].flatMap((one) => inside(folder, one) ?? []))
    return {
      ...siteDefaults,
      kind: 'fumadocs',
      root,
      config,
      configs: [config, ...metas],
      mounts: mounts.map((mount) => (listing.includes(mount) ? mount : { ...mount, isApart: true })),
      nameOf: createNameOf(source, files, undefined),
      fallbacks: (route) => fallbacks(route, source),
      isTranslation: (name) => ![undefined, source.main].includes(split(name, source).language),
      addressOf: createAddressOf(mounts, source),
      assets: [posix.join(root, 'public')],
      base: next.base,
      slugs: bracketSlugs,
      includes: { style: 'elements', folders: [] },
      requiredFields: source.hasOwnSchema ? [] : ['title'],
      madeAt: createMadeAt(root, { mounts, source }, files),
      navigation: { entries, folders, computed: [], lists: 'usual' },
      redirects: next.redirects,
    }
  },
}

type Named = { readonly name: string; readonly language: string | undefined }

/** The name of a page without its language: `a` for `a.cn.mdx`, or for `cn/a.mdx` in a site with a folder per language. */
function split(path: string, { languages, isByFolder }: FumadocsSource): Named {
  const name = withoutExtension(path)
  const at = isByFolder ? name.indexOf('/') : name.lastIndexOf('.')
  const language = isByFolder ? name.slice(0, at) : name.slice(at + 1)
  if (at === -1 || !languages.includes(language)) return { name, language: undefined }
  return { name: isByFolder ? name.slice(at + 1) : name.slice(0, at), language }
}

function createNameOf(source: FumadocsSource, files: SiteFiles, mount: Mount | undefined): Site['nameOf'] {
  return (path, fields) => {
    const { name, language = source.main } = split(path, source)
    if (source.hasOwnLanguages && language !== source.main) return undefined
    const slug = source.slugField === undefined ? undefined : fields?.strings[source.slugField]
    const parts = (slug ?? name).split('/').filter((part) => part !== '' && !/^\(.+\)$/.test(part))
    // `a/index.mdx` beside `a.mdx` keeps its name.
    const isTaken = () =>
      ['.mdx', '.md'].some((ending) => files.has(posix.join(mount?.folder ?? '', posix.dirname(path) + ending)))
    if (slug === undefined && parts.at(-1) === 'index' && !isTaken()) parts.pop()
    const isPlain = language === undefined || (language === source.main && source.hidesMain)
    return isPlain ? parts.join('/') : `/${language}${mount?.routes[0] ?? ''}/${parts.join('/')}`.replace(/\/$/, '')
  }
}

/** A component may add the language to the links of a translation, so which page has the heading is not known. */
function createAddressOf(mounts: readonly Mount[], source: FumadocsSource): Site['addressOf'] {
  return ({ url }, path) => {
    if (source.main === undefined || !leavesLanguageOpen(url, source.languages)) return undefined
    const name = mounts.flatMap(({ folder }) => inside(folder, path) ?? [])[0] ?? ''
    const { language = source.main } = split(name, source)
    return language === source.main ? undefined : { kind: 'unread', reason: 'context' }
  }
}

/** A page that is not translated is served in the main language, whose code an address may leave out. */
function fallbacks(route: string, { languages, main }: FumadocsSource): string[] {
  if (main === undefined) return []
  const [, first = ''] = route.split('/', 2)
  const rest = languages.includes(first) ? route.slice(first.length + 1) : route
  return [rest === '' ? '/' : rest, `/${main}${rest === '/' ? '' : rest}`]
}

/** An entry of `pages`; not one that sorts, separates, excludes or leads elsewhere. */
function toEntry(one: FoundString, source: FumadocsSource, files: SiteFiles): NavigationEntry[] {
  const { keys, value, file, line, start, end } = one
  const isPage = keys[0] === 'pages' && keys.length === 2
  if (!isPage || /^(?:\.\.\.$|z\.\.\.a$|!|---)/.test(value)) return []
  const entry = { file, line, start, end, name: value }
  const link = /^(?:external:)?(?:\[[^\]]+\])?\[[^\]]+\]\(([^)]+)\)$/.exec(value)?.[1]
  if (link !== undefined) return link.startsWith('/') ? [{ ...entry, target: { address: link } }] : []
  const path = posix.join(posix.dirname(file), value.replace(/^\.\.\./, ''))
  const inFolder = files.paths.filter((page) => isPagePath(page) && inside(path, page) !== undefined)
  const pages = ['', ...source.languages.map((name) => `.${name}`)].flatMap((suffix) => [
    `${path}${suffix}.mdx`,
    `${path}${suffix}.md`,
  ])
  // A program may make the folder whose pages are listed here.
  if (value.startsWith('...') && inFolder.length === 0) return [{ ...entry, target: { reason: 'generated' } }]
  return [
    { ...entry, target: { paths: inFolder.length > 0 && !pages.some((page) => files.has(page)) ? inFolder : pages } },
  ]
}

/** A page is missing from the navigation only where its folder says which pages it lists, without `...`. */
function openFolders(strings: readonly FoundString[], files: SiteFiles): ReadonlySet<string> {
  const lists = strings.filter(({ keys }) => keys[0] === 'pages')
  const rest = new Set(
    lists.filter(({ value }) => /^(?:\.\.\.|z\.\.\.a)$/.test(value)).map(({ file }) => folderOf(file)),
  )
  const named = lists
    .filter(({ value }) => value.includes('/'))
    .map(({ file, value }) => posix.join(folderOf(file), folderOf(value)))
  const closed = new Set([...lists.map(({ file }) => folderOf(file)), ...named])
  const folders = files.paths.filter(isPagePath).map(folderOf)
  return new Set(folders.filter((folder) => rest.has(folder) || !closed.has(folder)))
}

type Served = { readonly mounts: readonly Mount[]; readonly source: FumadocsSource }

function createMadeAt(root: string, { mounts, source }: Served, files: SiteFiles): Site['madeAt'] {
  const served = mounts.flatMap(({ routes, isPart }) => (isPart ? [] : routes))
  const inNext = createNextMadeAt(root, files.paths, served)
  const isNext =
    files.paths.some((path) => /^(?:src\/)?(?:app|pages)\/.*\.[jt]sx$/.test(inside(root, path) ?? '')) &&
    files.paths.some((path) => (inside(root, path) ?? '').startsWith('next.config.'))
  const isServed = (route: string) => served.some((start) => isBelow(start, route))
  const hasPart = mounts.some(({ isPart }) => isPart)
  return (route) => {
    const [, first = ''] = route.split('/', 2)
    const plain = source.languages.includes(first) ? route.slice(first.length + 1) || '/' : route
    if ((source.hasOwnNames || (source.hasOwnLanguages && plain !== route)) && isServed(plain)) return 'code'
    const made = inNext(plain, true)
    if (made) return made
    // The other frameworks have their routes elsewhere.
    return (!isNext || hasPart) && !isServed(plain) ? 'code' : undefined
  }
}
