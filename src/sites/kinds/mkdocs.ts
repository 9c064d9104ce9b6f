// MkDocs: `mkdocs.yml`, and its successor Zensical: `zensical.toml`. Pages are the Markdown files below `docs_dir`; `nav` names
// them by their path there. Languages fall back to the main one. Not judged: missing pages where a plugin, or a hook with
// `on_files`, may add some, and the anchors of pages that macros or hooks change.

import { posix } from 'node:path'
import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import { inside } from '../../docs-syntax/links.ts'
import { readYaml } from '../../docs-syntax/yaml.ts'
import { isBelow } from '../address.ts'
import type { ConfigString } from '../config-strings.ts'
import { outermost } from '../found-strings.ts'
import { toIgnoredGlobs } from '../ignored.ts'
import { folderOf, withoutExtension } from '../names.ts'
import {
  type Mount,
  type NavigationEntry,
  type Redirect,
  type SiteFiles,
  type SiteOpener,
  siteDefaults,
} from '../site.ts'
import { plainPythonSlugs, pymdownxSlugs, pythonSlugs, type SlugRule, toPymdownxSlug } from '../slugs.ts'

/** Plugins that add pages, or take the navigation from elsewhere. */
const pageMakers =
  /^(?:gen-files|i18n|literate-nav|awesome-pages|awesome-nav|mkdoxy|api-autonav|autoapi|multirepo|monorepo)/

const locale = /^[a-z]{2}(?:-[a-z]{2,4})?$/i

export const mkdocs: SiteOpener = {
  kind: 'mkdocs',
  config: /(?:^|\/)(?:mkdocs\.ya?ml|zensical\.toml)$/,
  usual: 'mkdocs.yml',
  open: async (config, files, isNamed) => {
    const text = (await files.text(config)) ?? ''
    if (!isNamed && isTranslation(config, text)) return undefined
    const isZensical = config.endsWith('.toml')
    // Zensical reads `mkdocs.yml` only without a configuration of its own.
    if (!isZensical && files.has(posix.join(folderOf(config), 'zensical.toml'))) return undefined
    const { problem, strings: found } = await files.config(config)
    const strings = isZensical ? found.flatMap(withoutProject) : found
    const folder = posix.join(folderOf(config), outermost(strings, 'docs_dir') ?? 'docs')
    const makesPages = strings.some(({ keys, value }) => keys[0] === 'plugins' && pageMakers.test(value))
    const plugins = (isZensical ? [] : readYaml(text).paths(3)).filter(([first]) => first === 'plugins')
    const hooks = await readHooks(config, strings, files)
    const translations = findTranslations(folder, files)
    const isLeftOut = createGlobMatcher(findExcluded(outermost(strings, 'exclude_docs') ?? ''))
    const hasIndex = (name: string) => files.has(posix.join(folder, posix.dirname(name), 'index.md'))
    const isOpen = makesPages || plugins.some((path) => path.some((name) => pageMakers.test(name)))
    return {
      ...siteDefaults,
      kind: 'mkdocs',
      root: folderOf(config),
      config,
      configs: [config],
      problems: problem ? [{ ...problem, file: config }] : [],
      mounts: [{ folder, routes: [''] }, ...translations],
      // A page that is not translated is served in the main language.
      fallbacks: (route) => {
        const { routes } = translations.find(({ routes: [start = ''] }) => isBelow(start, route)) ?? {}
        return routes ? [route.slice(routes[0]?.length).replace(/^$/, '/')] : []
      },
      assets: [folder],
      isIgnored: (name) => isLeftOut(name) || (/(?:^|\/)README\.md$/.test(name) && hasIndex(name)),
      nameOf: (name) => withoutExtension(name).replace(/(?:^|\/)(?:index|README)$/, ''),
      addsAnchors: /\bdef on_(?:page|post|env)/.test(hooks) ? 'some' : undefined,
      slugs: withTabs(isZensical ? pythonSlugs : slugsOf(text), text),
      // The icon is part of the themes.
      madeAt: (route) => {
        if (route === '/img/favicon.ico') return 'page'
        return isOpen ? 'generated' : /\bdef on_files\b/.test(hooks) ? 'code' : undefined
      },
      navigation: {
        entries: strings.flatMap((one) => toEntry(config, folder, one)),
        folders: strings.some(({ keys }) => keys[0] === 'nav') ? [] : [''],
        computed: [],
        lists: isOpen ? 'some' : 'usual',
      },
      redirects: toRedirects(config, strings, text),
      redirectsAre: 'paths',
      includes: {
        style: 'snippets',
        folders: [folderOf(config), folder, ...snippetFolders(config, strings)],
        prefix: '',
      },
    }
  },
}

/** All settings of Zensical are in the table `project`. */
function withoutProject(one: ConfigString): ConfigString[] {
  return one.keys[0] === 'project' ? [{ ...one, keys: one.keys.slice(1) }] : []
}

/** A configuration that inherits another one may have extensions that are not known. */
function slugsOf(text: string): SlugRule {
  if (/^[ \t]*(?:-[ \t]+)?toc:[ \t]*\n(?:[ \t]+[a-z_]+:.*\n){0,10}?[ \t]+slugify:.*pymdownx/m.test(text))
    return pymdownxSlugs
  return /\battr_list\b|\bextra\b|^INHERIT:/m.test(text) ? pythonSlugs : plainPythonSlugs
}

/** With a setting of `pymdownx.tabbed`, the title of a tab makes its anchor. */
function withTabs(slugs: SlugRule, text: string): SlugRule {
  const setting = /\bpymdownx\.tabbed(?:\.slugify|[:\]]\n(?:(?![ \t]*[-[]).*\n){0,20}?[ \t]*slugify)\b/
  return setting.test(text) ? { ...slugs, tab: (title) => toPymdownxSlug(title).toLowerCase() } : slugs
}

/** Hidden files, templates, and what `exclude_docs` lists as `.gitignore` does; a line with `!` takes others back. */
function findExcluded(written: string): string[] {
  return ['.*', '/templates/', ...written.split('\n')].flatMap((line) => toIgnoredGlobs('', line))
}

/** The scripts that MkDocs runs at each build. They may write pages, and parts of them. */
async function readHooks(config: string, strings: readonly ConfigString[], files: SiteFiles): Promise<string> {
  const paths = strings
    .filter(({ keys }) => keys[0] === 'hooks')
    .map(({ value }) => posix.join(folderOf(config), value))
  return (await Promise.all(paths.map((path) => files.text(path)))).join('\n')
}

/** `docs/de/mkdocs.yml` that inherits from `../en/mkdocs.yml`: a part of that site. */
function isTranslation(config: string, text: string): boolean {
  const parent = /^INHERIT:[ \t]*["']?\.\.\/([\w-]+)\/mkdocs\.ya?ml/m.exec(text)?.[1] ?? ''
  return locale.test(parent) && locale.test(posix.basename(folderOf(config)))
}

/** `docs/de/docs` beside `docs/en/docs`. */
function findTranslations(folder: string, files: SiteFiles): Mount[] {
  const parts = folder.split('/')
  const at = parts.indexOf('en')
  if (at === -1) return []
  const [before, after] = [parts.slice(0, at).join('/'), parts.slice(at + 1).join('/')]
  const names = new Set(files.paths.map((path) => (inside(before, path) ?? '').split('/', 1)[0] ?? ''))
  return [...names]
    .filter((name) => name !== 'en' && locale.test(name))
    .map((name): Mount => ({ folder: posix.join(before, name, after), routes: [`/${name}`], isCopy: true }))
}

function toEntry(file: string, folder: string, { keys, value, line, start, end }: ConfigString): NavigationEntry[] {
  if (keys[0] !== 'nav' || /^[a-z][\w+.-]*:|^\/|\*|\/$/i.test(value) || !/\.\w+$/.test(value)) return []
  return [{ file, line, start, end, name: value, target: { paths: [posix.join(folder, value)] } }]
}

/** The plugin `redirects` maps the path of a page that no longer exists to another page. */
function toRedirects(file: string, strings: readonly ConfigString[], text: string): Redirect[] {
  if (!text.includes('redirect_maps')) return []
  return strings.flatMap(({ keys, line }) => {
    const at = keys.indexOf('redirect_maps')
    const source = at === -1 ? undefined : keys[at + 1]
    return source === undefined ? [] : [{ file, line, source: `/${source.replace(/(?:(?:^|\/)index)?\.md$/, '')}` }]
  })
}

function snippetFolders(config: string, strings: readonly ConfigString[]): string[] {
  return strings
    .filter(({ keys }) => keys.includes('base_path'))
    .map(({ value }) => posix.join(folderOf(config), value.replace('!relative', '').trim()))
}
