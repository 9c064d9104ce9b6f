// Jekyll, also as GitHub Pages runs it: `_config.yml`, a `Gemfile` with jekyll or github-pages, or `_layouts/default.html`.
// Known are permalinks (frontmatter, `defaults`, collections, styles), posts, `exclude` and `include`, `redirect_from`, the
// navigation in `_data`, and addresses written with `link`, `post_url`, `relative_url` and values of `_config.yml`. Not judged:
// other Liquid, what plugins in `_plugins` make, pages of plugins such as archives, and headings in elements with
// `markdown="1"`.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { startOf } from '../../lib/plain-text.ts'
import { readStrings, type FoundString } from '../found-strings.ts'
import { folderOf } from '../names.ts'
import { hasPage } from '../site-files.ts'
import { type NavigationEntry, type Site, type SiteFiles, type SiteOpener, siteDefaults } from '../site.ts'
import { kramdownSlugs } from '../slugs.ts'
import { createJekyllNames } from '../jekyll/names.ts'
import { type JekyllConfig, readJekyllConfig } from '../jekyll/config.ts'
import { createAddressOf, createNameFor } from '../jekyll/links.ts'

const signs = ['_config.yml', '_config.yaml', 'Gemfile', '_layouts/default.html']

export const jekyll: SiteOpener = {
  kind: 'jekyll',
  config: /(?:^|\/)(?:_config\.ya?ml|Gemfile|_layouts\/default\.html)$/,
  usual: '_config.yml',
  open: async (config, files, isNamed) => {
    const root = folderOf(config).replace(/(?:^|\/)_layouts$/, '')
    const at = (name: string) => posix.join(root, name)
    // One sign opens the site; the others of the same folder do not open it again.
    if (!isNamed && signs.find((name) => files.has(at(name))) !== inside(root, config)) return undefined
    if (!isNamed && !(await isJekyll(config, root, files))) return undefined
    const configFile = /\.ya?ml$/.test(config) ? config : at('_config.yml')
    const settings = await readJekyllConfig(configFile, files)
    const { problem } = await files.config(configFile)
    const source = posix.join(root, settings.source).replace(/^\.$|\/$/g, '')
    const data = files.paths.filter((path) => /^_data\/.*\.(?:ya?ml|json)$/.test(inside(source, path) ?? ''))
    const navigation = data.slice(0, maxDataFiles)
    const entries = (await readStrings(navigation, files)).flatMap((one) => toEntry(one))
    const names = createJekyllNames(settings, (name) => files.has(posix.join(source, name)))
    return {
      ...siteDefaults,
      kind: 'jekyll',
      root,
      config,
      configs: [...new Set([config, ...entries.map(({ file }) => file)])],
      problems: problem ? [{ ...problem, file: configFile }] : [],
      mounts: [{ folder: source, routes: [''] }],
      // Pages that the site excludes are shown by the host of the repository.
      reads: (path) => siteDefaults.reads(path) && !names.isExcluded(inside(source, path) ?? path),
      isIgnored: names.isIgnored,
      nameOf: names.nameOf,
      aliasesOf: (fields) =>
        [...(fields?.lists['redirect_from'] ?? []), fields?.strings['redirect_from'] ?? ''].filter(Boolean),
      addressOf: createAddressOf({ source, settings }, files),
      nameFor: createNameFor({ source, settings }),
      aliasField: settings.hasRedirects ? 'redirect_from' : undefined,
      aliasOf: names.aliasOf,
      syntaxOf: () => 'kramdown',
      linksAre: 'addresses',
      keepsFileNames: true,
      assets: [source],
      base: settings.base,
      addsAnchors: settings.isOtherMarkdown ? 'all' : undefined,
      slugs: kramdownSlugs,
      madeAt: await createMadeAt(source, settings, files),
      navigation: { entries, folders: [], computed: [], lists: 'usual' },
    }
  },
}

const maxDataFiles = 50
const maxHtmlPages = 100

/** Hexo and Jupyter Book have a `_config.yml` too, and Ruby programs have a `Gemfile`. */
async function isJekyll(config: string, root: string, files: SiteFiles): Promise<boolean> {
  const text = (await files.text(config)) ?? ''
  if (posix.basename(config) === 'Gemfile') return /^\s*gem\s+["'](?:jekyll|github-pages)["']/m.test(text)
  if (config.endsWith('.html')) return hasPage(root, files)
  const isOther = files.has(posix.join(root, '_toc.yml')) || /^(?:source_dir|public_dir|skip_render):/m.test(text)
  return !isOther
}

/** `url`, `link` and `href` of lists in `_data` that begin at the root of the site. */
function toEntry({ keys, value, file, line, start, end }: FoundString): NavigationEntry[] {
  const isLink = /^(?:url|link|href|permalink)$/.test(keys.at(-1) ?? '') && keys.includes('[]')
  if (!isLink || !value.startsWith('/') || value.startsWith('//') || /[{}]/.test(value)) return []
  return [{ file, line, start, end, name: value, target: { address: value } }]
}

/** Pages in HTML, and what plugins and themes add. */
async function createMadeAt(source: string, settings: JekyllConfig, files: SiteFiles): Promise<Site['madeAt']> {
  const names = files.paths.flatMap((path) => inside(source, path) ?? [])
  const pages = names.filter((name) => /\.html?$/i.test(name) && !/(?:^|\/)[._]/.test(name))
  const hasCode = names.some((name) => name.startsWith('_plugins/'))
  const texts = await Promise.all(pages.slice(0, maxHtmlPages).map((name) => files.text(posix.join(source, name))))
  const exact = new Set(
    [
      ...pages.map((name) => `/${name.replace(/(?:(?:^|\/)index)?\.html?$/i, '')}`),
      ...texts.flatMap((text) => /^permalink:[ \t]*["']?(\/[^\s"']*)/m.exec(startOf(text ?? '', 2000))?.[1] ?? []),
    ].map((route) => route.replace(/\.html$|\/$/, '') || '/'),
  )
  return (route) => {
    if (exact.has(route || '/') || route === '/feed') return 'page'
    if (hasCode) return 'code'
    if (settings.makesPages || pages.length > maxHtmlPages) return 'generated'
    if (settings.hasTheme && /^\/(?:assets\/|favicon)/.test(route)) return 'generated'
    // A file that a converter makes, and a page in a syntax that is not read.
    if (/\.(?:css|js)$/.test(route)) return 'generated'
    return undefined
  }
}
