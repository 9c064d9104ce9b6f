// VuePress 1 and 2: a folder `.vuepress` with a `config` file or folder. The navigation is code: its entries are the strings
// of `nav`, `navbar` and `sidebar` that are literal, and names that a function completes are counted as not judged. Neither are
// pages that plugins add, patterns of addresses (`permalinkPattern`), and anchors by a slug function of the configuration.

import { posix } from 'node:path'
import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import { inside } from '../../docs-syntax/links.ts'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { routeOf } from '../address.ts'
import { type FoundString, outermost, readStrings } from '../found-strings.ts'
import { folderOf, indexName } from '../names.ts'
import {
  type NavigationEntry,
  type PageFields,
  type Site,
  type SiteFiles,
  type SiteOpener,
  siteDefaults,
} from '../site.ts'
import { vitepressSlugs, vuepressOneSlugs, vuepressSlugs } from '../slugs.ts'
import { findScripts } from './vitepress.ts'

/** In the configuration of VuePress 2 only, and in `package.json`. */
const isSecond = /\bdefineUserConfig\b|@vuepress\/(?:bundler|cli|client|core)|\b(?:defaultTheme|hopeTheme|plumeTheme)\(/
const secondPackage = /"(?:vuepress(?:-vite|-webpack)?|@vuepress\/\w+)"\s*:\s*"[\^~]?(?:2\.|next)/

export const vuepress: SiteOpener = {
  kind: 'vuepress',
  config: /(?:^|\/)\.vuepress\/config(?:\.(?:[cm]?[jt]s|ya?ml|toml)|\/index\.[cm]?[jt]s)$/,
  usual: '.vuepress/config.ts',
  open: async (config, files) => {
    const root = config.slice(0, Math.max(0, config.indexOf('.vuepress/') - 1))
    const isPart = files.paths.some(
      (path) =>
        path !== config && /\/config\.\w+$/.test(`/${path}`) && folderOf(path) === posix.join(root, '.vuepress'),
    )
    if (isPart && config.includes('/config/')) return undefined
    const scripts = findScripts(posix.join(root, '.vuepress'), files)
    const configs = [...new Set([config, ...scripts.filter((path) => !/\.vuepress\/components\//.test(path))])]
    const strings = await readStrings(configs, files)
    const texts = new Map(
      await Promise.all(configs.map(async (path) => [path, (await files.text(path)) ?? ''] as const)),
    )
    const all = [...texts.values()].join('\n')
    const packages = [root, folderOf(root), ''].map((folder) => files.text(posix.join(folder, 'package.json')))
    const isNew = isSecond.test(all) || (await Promise.all(packages)).some((text) => secondPackage.test(text ?? ''))
    const locales = strings.flatMap(({ keys }) => (keys[0] === 'locales' ? (keys[1] ?? []) : []))
    const prefixes = [...new Set(locales)].flatMap((key) => key.replace(/^\/|\/$/g, '') || [])
    const computed = configs.flatMap((file) => findComputed(file, texts.get(file) ?? ''))
    const prefixed = new Set(configs.filter((file) => /\bprefix\b/.test(texts.get(file) ?? '')))
    const entries = strings.flatMap((one) => toEntry(one, texts.get(one.file) ?? '', prefixed.has(one.file)))
    const problem = (await files.config(config)).problem
    return {
      ...siteDefaults,
      kind: 'vuepress',
      keepsFileNames: true,
      root,
      config,
      configs,
      problems: problem ? [{ ...problem, file: config }] : [],
      mounts: [{ folder: root, routes: [''] }],
      isIgnored: createIgnored(strings),
      isTranslation: (name) => prefixes.some((prefix) => inside(prefix, name) !== undefined),
      nameOf: (name, fields) => {
        const permalink = permalinkOf(fields)
        const prefix = prefixes.find((one) => inside(one, name) !== undefined) ?? ''
        if (permalink !== undefined) return routeOf(posix.join('/', isNew ? '' : prefix, permalink))
        // VuePress 2 takes the `_` off the name of each folder and file.
        return indexName(isNew ? name.replace(/(^|\/)_+/g, '$1') : name)
      },
      assets: [posix.join(root, '.vuepress/public')],
      base: (outermost(strings, 'base') ?? '').replace(/\/$/, ''),
      addsAnchors: /\bslugify\b/.test(all) ? 'all' : undefined,
      slugs: isNew ? (/\battrs\b|theme-hope|theme-plume/.test(all) ? vitepressSlugs : vuepressSlugs) : vuepressOneSlugs,
      madeAt: createMadeAt(root, all, files),
      navigation: {
        entries,
        folders: [],
        computed,
        lists: computed.length > 0 || entries.some(({ target }) => 'reason' in target) ? 'some' : 'usual',
      },
      includes: { style: 'arrows', folders: [...new Set([root, folderOf(root), ''])], prefix: '@/' },
    }
  },
}

function createIgnored(strings: readonly FoundString[]): Site['isIgnored'] {
  const patterns = strings.flatMap(({ keys: [first], value }) =>
    /^(?:pageP|p)atterns$/.test(first ?? '') ? [value] : [],
  )
  const isExcluded = createGlobMatcher(patterns.flatMap((one) => (one.startsWith('!') ? [one.slice(1)] : [])))
  const included = patterns.filter((one) => !one.startsWith('!'))
  const isIncluded = createGlobMatcher(included)
  return (name) =>
    /(?:^|\/)(?:\.|node_modules\/)/.test(name) || isExcluded(name) || (included.length > 0 && !isIncluded(name))
}

/** One with `:slug` or a date in it depends on more than the page. */
function permalinkOf(fields: PageFields): string | undefined {
  const permalink = fields?.strings['permalink']
  return permalink === undefined || permalink.includes(':') ? undefined : permalink
}

/** A link, or a name in a sidebar: `/a`, `['/a', 'Title']`, and `a` in the list of `/folder/`. */
function toEntry(found: FoundString, text: string, hasPrefix: boolean): NavigationEntry[] {
  const { keys, value, file, line, start, end, siblings } = found
  const at = keys.findLastIndex((key) => /^(?:nav|navbar|sidebar)$/.test(key))
  const isOwnFile = /(?:nav|sidebar)[^/]*(?:\/[^/]+)?\.\w+$/i.test(file.replace(/^.*\.vuepress\//, ''))
  const key = keys.at(-1) ?? ''
  if ((at === -1 && !isOwnFile) || /^(?:[a-z][\w+.-]*:|\/\/)/i.test(value) || siblings['target'] !== undefined)
    return []
  const entry = { file, line, start, end, name: value }
  if (key === 'link' || key === 'path') return value.startsWith('/') ? [{ ...entry, target: { address: value } }] : []
  const isTitle = keys.at(-2) === '[]' && !text.slice(0, start).trimEnd().endsWith('[')
  if (key !== '[]' || isTitle) return []
  if (value.startsWith('/')) return [{ ...entry, target: { address: value } }]
  const folder = keys.slice(at + 1).findLast((one) => one.startsWith('/'))
  const isPrefixed = folder === undefined || siblings['prefix'] !== undefined || hasPrefix
  return [{ ...entry, target: isPrefixed ? { reason: 'code' } : { address: posix.join(folder, value) } }]
}

/** `sidebar: createSidebar()`, and `'/guide/': list('guide')` */
function findComputed(file: string, text: string): { file: string; line: number }[] {
  const found = text.matchAll(
    /(?:\b(?:nav|navbar|sidebar|children)|['"]\/[^'"\n]{0,100}['"])['"]?\s*:\s*(?:\.\.\.)?[\w$.]+\(/g,
  )
  const starts = lineStarts(text)
  return Array.from(found, ({ index }) => ({ file, line: lineAt(starts, index) }))
}

/** A component of Vue is a page, too, and plugins make pages and addresses. */
function createMadeAt(root: string, text: string, files: SiteFiles): Site['madeAt'] {
  const isOpen = /\b(?:permalinkPattern|permalink|additionalPages)\b/.test(text)
  const isBlog = /plugin-blog|theme-blog|theme-hope|theme-plume|theme-reco|blogPlugin/.test(text)
  return (route) => {
    const names = [`${route}.vue`, `${route}/README.vue`, `${route}/index.vue`]
    if (names.some((name) => files.has(posix.join(root, name)))) return 'page'
    return isOpen ? 'code' : isBlog ? 'generated' : undefined
  }
}
