// Nextra 2 to 4: `next.config.*` that names `nextra`. Known are the folders `content`, `pages` and `app`, also below `src`,
// `contentDirBasePath`, `basePath`, languages by folder and by suffix, the keys of `_meta` in each folder, and pages that are
// components. Not judged: addresses below dynamic segments, `_meta.global`, and a `_meta` that is no plain object.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { folderOf, withoutExtension } from '../names.ts'
import { hasPage } from '../site-files.ts'
import { createNextMadeAt, leavesLanguageOpen, type NextConfig, readNextConfig } from '../nextra/routes.ts'
import { type Mount, type NavigationEntry, type SiteFiles, type SiteOpener, siteDefaults } from '../site.ts'
import { bracketSlugs } from '../slugs.ts'
import { readMeta } from '../nextra/meta.ts'

const maxMetas = 100

export const nextra: SiteOpener = {
  kind: 'nextra',
  config: /(?:^|\/)next\.config\.[cm]?[jt]s$/,
  usual: 'next.config.mjs',
  open: async (config, files, isNamed) => {
    const text = (await files.text(config)) ?? ''
    if (!isNamed && !/['"]nextra['"]/.test(text)) return undefined
    const root = folderOf(config)
    const next = await readNextConfig(root, files)
    const locales = localesOf(next)
    const base = /\bcontentDirBasePath:\s*['"]\/?([^'"]*?)\/?['"]/.exec(text)?.[1] ?? ''
    const mounts = findMounts(root, { base: base === '' ? '' : `/${base}`, locales }, files).map((mount): Mount => {
      return { ...mount, nameOf: (path) => nameOf(path, mount, locales) }
    })
    const metas = files.paths.filter((path) => {
      return /(?:^|\/)_meta\.[jt]sx?$/.test(path) && mounts.some(({ folder }) => inside(folder, path) !== undefined)
    })
    const read = await Promise.all(metas.slice(0, maxMetas).map((file) => readEntries(file, mounts, files)))
    return {
      ...siteDefaults,
      kind: 'nextra',
      root,
      config,
      configs: [config, ...metas],
      mounts,
      isIgnored: (path, mount) => mount !== undefined && isApp(mount) && !/(?:^|\/)page\.mdx?$/.test(path),
      nameOf: (path) => nameOf(path, undefined, locales),
      fallbacks: (route) => (locales[0] === undefined ? [] : fallbacks(route, locales)),
      isTranslation: (name) => locales.slice(1).some((locale) => withoutExtension(name).endsWith(`.${locale}`)),
      // The middleware adds the language of the reader, so which page has the heading is not known.
      addressOf: ({ url }, path) => {
        const isTranslation =
          mounts.some(({ folder, isCopy }) => isCopy && inside(folder, path) !== undefined) ||
          locales.slice(1).some((locale) => withoutExtension(path).endsWith(`.${locale}`))
        return isTranslation && leavesLanguageOpen(url, locales) ? { kind: 'unread', reason: 'context' } : undefined
      },
      assets: [posix.join(root, 'public')],
      base: next.base,
      slugs: bracketSlugs,
      madeAt: createNextMadeAt(
        root,
        files.paths,
        mounts.flatMap(({ routes }) => routes),
      ),
      navigation: {
        entries: read.flatMap((one) => one ?? []),
        folders: [''],
        computed: metas.flatMap((file, at) => (at < maxMetas && read[at] === undefined ? [{ file, line: 1 }] : [])),
        lists: 'some',
      },
      redirects: next.redirects,
    }
  },
}

/** The main language first. */
function localesOf({ text }: NextConfig): string[] {
  const list = /\blocales:\s*\[([^\]]*)\]/.exec(text)?.[1] ?? ''
  const names = Array.from(list.matchAll(/['"]([\w-]+)['"]/g), ([, name = '']) => name)
  const main = /\bdefaultLocale:\s*['"]([\w-]+)['"]/.exec(text)?.[1] ?? names[0]
  return main === undefined ? [] : [...new Set([main, ...names])]
}

type Served = { readonly base: string; readonly locales: readonly string[] }

function findMounts(root: string, { base, locales }: Served, files: SiteFiles): Mount[] {
  const at = (name: string) => posix.join(root, name)
  const content = [at('content'), at('src/content')].flatMap((folder): Mount[] => {
    const translated = locales.filter((locale) => hasPage(posix.join(folder, locale), files))
    if (translated.length === 0) return [{ folder, routes: [base] }]
    return translated.map((locale, index) => ({
      folder: posix.join(folder, locale),
      routes: [`/${locale}${base}`],
      ...(index === 0 ? {} : { isCopy: true as const }),
    }))
  })
  const others = [at('pages'), at('src/pages'), at('app'), at('src/app')].map((folder) => ({ folder, routes: [''] }))
  return [...content, ...others].filter(({ folder }) => hasPage(folder, files))
}

function isApp({ folder }: Mount): boolean {
  return posix.basename(folder) === 'app'
}

function nameOf(path: string, mount: Mount | undefined, locales: readonly string[]): string {
  const name = withoutExtension(path)
  if (mount && isApp(mount))
    return name
      .replace(/(?:^|\/)page$/, '')
      .replace(/(?:^|\/)\([^/]*\)/g, '')
      .replace(/^\//, '')
  const locale = locales.find((one) => name.endsWith(`.${one}`))
  const plain = (locale === undefined ? name : name.slice(0, -locale.length - 1)).replace(/(?:^|\/)index$/, '')
  return locale === undefined || locale === locales[0] ? plain : `/${locale}/${plain}`.replace(/\/$/, '')
}

/** The middleware adds the language that an address leaves out, and serves the main one without it. */
function fallbacks(route: string, locales: readonly string[]): string[] {
  const [, first = ''] = route.split('/', 2)
  const rest = route.slice(first.length + 1)
  return locales.includes(first)
    ? first === locales[0]
      ? [rest === '' ? '/' : rest]
      : []
    : [`/${locales[0]}${route === '/' ? '' : route}`]
}

async function readEntries(
  file: string,
  mounts: readonly Mount[],
  files: SiteFiles,
): Promise<NavigationEntry[] | undefined> {
  const keys = readMeta(file, (await files.text(file)) ?? '')
  const mount = mounts.find(({ folder }) => inside(folder, file) !== undefined)
  if (!keys || !mount) return keys ? [] : undefined
  const dir = folderOf(file)
  const folder = folderOf(inside(mount.folder, file) ?? '').replace(/(?:^|\/)\([^/]*\)/g, '')
  const below = (path: string, name: string) => inside(posix.join(dir, name), path) !== undefined
  return keys.flatMap(({ name, href, line, start, end }): NavigationEntry[] => {
    const entry = { file, line, start, end, name }
    if (href !== undefined) return href.startsWith('/') ? [{ ...entry, name: href, target: { address: href } }] : []
    // A folder of pages or components, and a page that is no file below `content`.
    if (files.paths.some((path) => below(path, name) && /\.(?:mdx?|[jt]sx?)$/.test(path))) return []
    const pages = [`${posix.join(dir, name)}.mdx`, `${posix.join(dir, name)}.md`]
    if (pages.some((page) => files.has(page))) return [{ ...entry, target: { paths: pages } }]
    const address = posix.join('/', mount.routes[0] ?? '', folder, name === 'index' ? '' : name)
    return [{ ...entry, target: { address } }]
  })
}
