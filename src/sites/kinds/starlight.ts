// Starlight: an Astro configuration with the integration `@astrojs/starlight`. Pages lie below `src/content/docs`, in the
// folders of their languages; the sidebar names them by slug or link, and may be a file of its own.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { toSlug } from '../../docs-syntax/page.ts'
import { isBelow } from '../address.ts'
import { type FoundString, outermost, readStrings } from '../found-strings.ts'
import { folderOf, withoutExtension } from '../names.ts'
import {
  type NavigationEntry,
  type Redirect,
  type Site,
  type SiteFiles,
  type SiteOpener,
  siteDefaults,
} from '../site.ts'
import { astroSlugs } from '../slugs.ts'

export const starlight: SiteOpener = {
  kind: 'starlight',
  config: /(?:^|\/)astro\.config\.[cm]?[jt]s$/,
  usual: 'astro.config.mjs',
  open: async (config, files, isNamed) => {
    const text = (await files.text(config)) ?? ''
    const root = folderOf(config)
    const content = posix.join(root, 'src/content/docs')
    if (!isNamed && !text.includes('@astrojs/starlight')) return undefined
    const configs = findScripts(config, text, files)
    const strings = await readStrings(configs, files)
    const entries = strings.flatMap(toEntry)
    const folders = strings.filter(({ keys }) => keys.at(-2) === 'autogenerate').map(({ value }) => value)
    const main = strings.find(({ keys }) => keys.at(-1) === 'defaultLocale')?.value ?? ''
    const base = outermost(strings, 'base') ?? ''
    return {
      ...siteDefaults,
      kind: 'starlight',
      root,
      config,
      configs,
      mounts: [{ folder: content, routes: [''] }],
      fallbacks: (route) => (isLocale(route.split('/')[1] ?? '') ? fallbacks(route, main) : []),
      isTranslation: (name) => name.includes('/') && isTranslation(name.slice(0, name.indexOf('/')), main),
      // A folder with such a name is no part of other pages.
      isIgnored: (path) => posix.basename(path).startsWith('_'),
      nameOf: (path, fields) => fields?.strings['slug']?.replace(/^\/|\/$/g, '') ?? slugOf(path),
      assets: [posix.join(root, 'public')],
      base: base === '' || base === '/' ? '' : `/${base.replace(/^\/|\/$/g, '')}`,
      madeAt: createMadeAt(root, files),
      requiredFields: ['title'],
      slugs: astroSlugs,
      idsOf: (_name, address) => idsOf(address, main === '' ? 'en' : main),
      navigation: {
        entries,
        // A site without a sidebar lists all its pages.
        folders: entries.length + folders.length === 0 ? [''] : folders,
        computed: [],
        lists: 'usual',
      },
      redirects: strings.flatMap(toRedirect),
    }
  },
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Asking for a name takes 10 µs; there are at most as many as pairs and fours of letters. */
const locales = new Map<string, boolean>()

/** Whether a folder has the name of a language, such as `de` or `pt-br`. */
function isLocale(name: string): boolean {
  if (!/^[a-z]{2}(?:-[a-z]{2,4})?$/i.test(name)) return false
  const known = locales.get(name) ?? languages.of(name) !== undefined
  locales.set(name, known)
  return known
}

function isTranslation(folder: string, main: string): boolean {
  return isLocale(folder) && folder !== main
}

/** A page that is not translated is served in the default language. */
function fallbacks(route: string, main: string): string[] {
  const rest = route.replace(/^\/[^/]+/, '')
  return [`/${main}${rest}`, rest]
}

/** The sidebar names a page by its slug, without the folder of the main language; the first page is `index`. */
function idsOf(address: string, main: string): string[] {
  const short = isBelow(main, address) ? [address.slice(main.length + 1)] : []
  return [...short, address].map((id) => (id === '' ? 'index' : id))
}

/** Astro makes the slug of a page from each part of its path. A README has an address of its own. */
function slugOf(path: string): string {
  const slug = withoutExtension(path).split('/').map(toSlug).join('/')
  return slug.replace(/(?:^|\/)index$/, '')
}

/** The configuration, and the scripts that hold its sidebar. */
function findScripts(config: string, text: string, files: SiteFiles): string[] {
  const root = folderOf(config)
  const sidebars = files.paths.filter((path) => {
    const name = inside(root, path)
    return name !== undefined && !name.startsWith('src/content/') && /sidebar[^/]*\.[cm]?[jt]s$/i.test(name)
  })
  const used = sidebars.filter((path) => text.includes(posix.basename(path).replace(/\.[cm]?[jt]s$/, '')))
  return [config, ...used]
}

/** `'guides/a'` in a list of items, `{ slug: 'guides/a' }`, and `{ link: '/guides/a/' }`. */
function toEntry({ keys, value, file, line, start, end }: FoundString): NavigationEntry[] {
  const entry = { file, line, start, end, name: value }
  const isItem = keys.at(-1) === '[]' && ['items', 'sidebar', undefined].includes(keys.findLast((key) => key !== '[]'))
  const isSidebar = keys.includes('sidebar') || /sidebar/i.test(posix.basename(file))
  if (!isSidebar) return []
  if (keys.at(-1) === 'slug' || isItem) return [{ ...entry, target: { id: value.replace(/^\/|\/$/g, '') || 'index' } }]
  return keys.at(-1) === 'link' && value.startsWith('/') ? [{ ...entry, target: { address: value } }] : []
}

function toRedirect({ keys, file, line }: FoundString): Redirect[] {
  const at = keys.indexOf('redirects')
  const source = at === -1 ? undefined : keys[at + 1]
  return source?.startsWith('/') ? [{ file, line, source }] : []
}

/** Pages that are no content: `src/pages/blog/[...slug].astro`, `src/pages/about.astro`. */
function createMadeAt(root: string, files: SiteFiles): Site['madeAt'] {
  const pages = posix.join(root, 'src/pages')
  const routes = files.paths.flatMap((path) => {
    const name = inside(pages, path)
    return name === undefined ? [] : [`/${name.replace(/(?:(?:^|\/)index)?\.\w+(?:\.[jt]s)?$/, '')}`]
  })
  const content = posix.join(root, 'src/content/docs')
  const others = files.paths.flatMap((path) => {
    const name = /\.(?:mdoc|adoc|markdoc)$/i.test(path) ? inside(content, path) : undefined
    return name === undefined ? [] : [`/${name.replace(/(?:(?:^|\/)index)?\.\w+$/, '')}`]
  })
  const exact = new Set([...routes, ...others])
  const open = routes.filter((route) => route.includes('[')).map((route) => route.slice(0, route.indexOf('[')))
  return (route) => {
    if (exact.has(route)) return 'page'
    return open.some((start) => start !== '/' && route.startsWith(start)) ? 'code' : undefined
  }
}
