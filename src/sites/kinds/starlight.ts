// Starlight: an Astro configuration with the integration `@astrojs/starlight`. Pages lie below `src/content/docs`, in the
// folders of their languages, which fall back to the main one; the sidebar names them by slug or link, and may be a file of
// its own.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { isBelow } from '../address.ts'
import { entryId } from '../astro/collections.ts'
import { baseOf, createMadeAt, findRoutes, toRedirect } from '../astro/routes.ts'
import { type FoundString, readStrings } from '../found-strings.ts'
import { folderOf } from '../names.ts'
import { type NavigationEntry, type Site, type SiteFiles, type SiteOpener, siteDefaults } from '../site.ts'
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
      nameOf: entryId,
      assets: [posix.join(root, 'public')],
      base: baseOf(strings),
      madeAt: findMade(root, files),
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
      redirects: strings.flatMap((one) => toRedirect(one)),
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

/** Pages that are no content: `src/pages/blog/[...slug].astro`, `src/pages/about.astro`. */
function findMade(root: string, { paths }: SiteFiles): Site['madeAt'] {
  const content = posix.join(root, 'src/content/docs')
  const others = paths.flatMap((path) => {
    const name = /\.(?:mdoc|adoc|markdoc)$/i.test(path) ? inside(content, path) : undefined
    return name === undefined ? [] : [`/${entryId(name.replace(/\.\w+$/, ''), null)}`]
  })
  // Starlight has the route for everything else.
  const routes = findRoutes(posix.join(root, 'src/pages'), paths).filter(({ address }) => !address.startsWith('/['))
  return createMadeAt(routes, others)
}
