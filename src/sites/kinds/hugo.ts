// Hugo: `hugo.toml` (also YAML, JSON), `config.toml` with keys of Hugo, or `config/_default`. Known are mounts, languages by
// folder, suffix and `contentDir`, bundles, `url`, `slug`, `aliases`, `permalinks`, menus, `ref` and `relref`, shortcodes of the
// repository, ids of Goldmark, and names that a render hook resolves. No template is run. Not judged: modules and themes that
// are not here, taxonomies, pages of content adapters, single words where a render hook resolves links, anchors that shortcodes
// may add, and addresses in shortcodes other than `ref` and `relref`.

import { posix } from 'node:path'
import { createGlobMatcher } from '../../docs-syntax/glob.ts'
import { inside } from '../../docs-syntax/links.ts'
import { isBelow } from '../address.ts'
import { folderOf } from '../names.ts'
import { readStrings } from '../found-strings.ts'
import { createAddressOf, createNameFor, refId, type Templates } from '../hugo/links.ts'
import { toEntry } from '../hugo/menus.ts'
import { addressOf, codeIn, isContent, prefixOf, toLogical } from '../hugo/names.ts'
import { type HugoMount, type HugoSettings, readHugoSettings } from '../hugo/settings.ts'
import { type ContentMounts, createMadeAt } from '../hugo/made.ts'
import { readTemplateRedirects } from '../hugo/redirects.ts'
import { type Mount, type PageFields, type Site, type SiteFiles, type SiteOpener, siteDefaults } from '../site.ts'
import { hasFile, hasPage } from '../site-files.ts'
import { hugoSlugs } from '../slugs.ts'

const configName = /(?:^|\/)(?:(?:hugo|config)\.(?:toml|ya?ml|json)|config\/_default\/[\w.-]+\.(?:toml|ya?ml|json))$/
const maxTemplates = 200

export const hugo: SiteOpener = {
  kind: 'hugo',
  config: configName,
  usual: 'hugo.toml',
  open: async (config, files, isNamed) => {
    const root = folderOf(config).replace(/(?:^|\/)config\/_default$/, '')
    const configs = configsOf(root, files)
    if (configs[0] !== config && files.has(config)) return undefined
    const settings = await readHugoSettings(root, configs, files)
    const content = contentMounts(settings)
    const hasPages = content.mounts.some(({ folder }) => hasPage(folder, files))
    if (!isNamed && !(hasPages && isHugo(root, config, settings, files))) return undefined
    const mounts = [...content.mounts, ...templateMounts(root)]
    const fallbacks = createFallbacks(settings, content.others)
    const madeAt = createMadeAt(settings, content, files)
    const templates = await readTemplates(settings, files)
    const linkHook = findHook('link', settings, files)
    const hasHook =
      linkHook !== undefined && /GetPage|\bre[fl]|Resources|\bpartial\b/.test((await files.text(linkHook)) ?? '')
    const headingHook = findHook('heading', settings, files)
    const heading = headingHook === undefined ? '' : ((await files.text(headingHook)) ?? '')
    const strings = await readStrings(configs, files)
    const problems = await Promise.all(
      configs.map(async (file) => ({ file, problem: (await files.config(file)).problem })),
    )
    const isIgnored = createIsIgnored(settings, content, files)
    return {
      ...siteDefaults,
      kind: 'hugo',
      root,
      config,
      configs: configs.length > 0 ? configs : [config],
      problems: problems.flatMap(({ file, problem }) => (problem ? [{ ...problem, file }] : [])),
      mounts,
      reads: (path) => /\.(?:md|markdown)$/i.test(path),
      syntaxOf: () => 'shortcodes',
      isIgnored,
      aliasesOf,
      aliasField: 'aliases',
      idsOf: (name) => idsOf(settings, name),
      isTranslation: (name) => settings.languages.slice(1).some((code) => name.toLowerCase().includes(`.${code}.`)),
      fallbacks,
      linksAre: 'addresses',
      addressOf: createAddressOf({ mounts, languages: settings.languages, templates, madeAt, hasHook }, files),
      nameFor: createNameFor(mounts, settings.languages),
      assets: assetsOf(settings),
      base: settings.base,
      madeAt,
      addsAnchors:
        settings.ids === undefined || (/\bid\s*=/.test(heading) && !/\.Anchor\b/.test(heading)) ? 'all' : undefined,
      redirects: await readTemplateRedirects(settings, files),
      slugs: hugoSlugs(settings.ids ?? 'github'),
      navigation: {
        entries: strings.flatMap((one) => toEntry(one, { mounts, settings, madeAt }, files)),
        folders: [],
        computed: [],
        lists: 'some',
      },
    }
  },
}

/** All files of the configuration; the main one first. */
function configsOf(root: string, files: SiteFiles): string[] {
  const single = ['hugo', 'config'].flatMap((name) =>
    ['toml', 'yaml', 'yml', 'json'].map((ending) => posix.join(root, `${name}.${ending}`)),
  )
  const folder = posix.join(root, 'config/_default')
  const inFolder = files.paths.filter((path) => /^[\w.-]+\.(?:toml|ya?ml|json)$/.test(inside(folder, path) ?? ''))
  const isMain = (path: string) => /^(?:hugo|config)\./.test(posix.basename(path))
  const found = single.filter((path) => files.has(path)).slice(0, 1)
  return [...found, ...inFolder.toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)) || (a < b ? -1 : 1))]
}

/** Many programs have a `config.yaml`. */
function isHugo(root: string, config: string, { isSure }: HugoSettings, files: SiteFiles): boolean {
  if (/(?:^|\/)hugo\.\w+$/.test(config)) return true
  const hasFolder = ['archetypes', 'themes', 'layouts'].some((name) => hasFile(posix.join(root, name), files))
  const hasIndex = files.paths.some((path) =>
    /(?:^|\/)_index(?:\.[\w-]+)?\.(?:md|html)$/.test(inside(root, path) ?? ''),
  )
  return isSure && (hasFolder || hasIndex)
}

function contentMounts(settings: HugoSettings): ContentMounts {
  const all = settings.mounts.filter(({ target }) => target === 'content' || target.startsWith('content/'))
  const byFolder = new Map<string, HugoMount>()
  const others: HugoMount[] = []
  for (const one of all.toSorted((a, b) => a.source.length - b.source.length)) {
    const isAgain = [...byFolder.keys()].some(
      (folder) =>
        folder === one.source ||
        (folder !== '' && inside(folder, one.source) !== undefined && isSamePlace(byFolder.get(folder), one)),
    )
    if (isAgain) others.push(one)
    else byFolder.set(one.source, one)
  }
  const mounts = [...byFolder.values()].map((one): Mount => {
    const language = one.languages[0] ?? settings.languages[0] ?? ''
    const below = one.target.replace(/^content\/?/, '')
    return {
      folder: one.source,
      routes: [prefixOf(settings, language) + (below === '' ? '' : `/${below}`)],
      nameOf: (name, fields) => addressOf(settings, toLogical(settings, one, name), fields),
      ...(language === settings.languages[0] ? {} : { isCopy: true as const }),
    }
  })
  return { mounts, byFolder, others }
}

/** Folders of texts that are templates: they are no pages. */
function templateMounts(root: string): Mount[] {
  return ['archetypes', 'layouts'].map((name) => ({ folder: posix.join(root, name), routes: [], isPart: true }))
}

/** Whether the inner folder is mounted where the outer one has it already, for another language. */
function isSamePlace(outer: HugoMount | undefined, one: HugoMount): boolean {
  return outer !== undefined && posix.join(outer.target, inside(outer.source, one.source) ?? '') === one.target
}

/** `/de/docs/a` is `/docs/a` where the folder of the main language is mounted for German, too. */
function createFallbacks(settings: HugoSettings, others: readonly HugoMount[]): Site['fallbacks'] {
  const main = prefixOf(settings, settings.languages[0] ?? '')
  const rules = others.flatMap(({ target, languages }) =>
    languages.map((language) => {
      const below = posix.join('/', target.replace(/^content\/?/, '')).replace(/\/$/, '')
      return { from: prefixOf(settings, language), below }
    }),
  )
  return (route) => {
    const found = rules.find(({ from, below }) => from !== main && isBelow(from + below, route))
    return found ? [main + route.slice(found.from.length) || '/'] : []
  }
}

/** One without a slash at its start is beside the page; that of a redirect, which a template makes, is below it. */
function aliasesOf(fields: PageFields, route: string): string[] {
  const { lists, strings } = fields ?? { lists: {}, strings: {} }
  const single = strings['aliases']
  const from = (folder: string) => (name: string) => (name.startsWith('/') ? name : posix.join('/', folder, name))
  const aliases = [...(lists['aliases'] ?? []), ...(single === undefined ? [] : [single])]
  const redirects = (lists['redirects.from'] ?? []).filter((name) => !name.includes('*'))
  return [...aliases.map(from(posix.dirname(route || '/'))), ...redirects.map(from(route))]
}

/** Resources of bundles, and what the configuration leaves out. */
function createIsIgnored(settings: HugoSettings, { byFolder }: ContentMounts, files: SiteFiles): Site['isIgnored'] {
  const languageOf = (path: string) => codeIn(path, settings) ?? settings.languages[0] ?? ''
  const bundles = new Set(
    files.paths.flatMap((path) =>
      isContent(path) && isIndex(path, settings) ? [`${languageOf(path)} ${folderOf(path)}`] : [],
    ),
  )
  const excluded = new Map([...byFolder].map(([folder, mount]) => [folder, createGlobMatcher(mount.excluded)]))
  return (name, mount) => {
    if (mount?.isPart) return true
    const folder = mount?.folder ?? [...byFolder.keys()].find((one) => files.has(posix.join(one, name))) ?? ''
    const path = posix.join(folder, name)
    if (/(?:^|\/)(?:[.#][^/]*|[^/]*~)$/.test(name) || /(?:^|\/)(?:node_modules|\.[^/]+)\//.test(name)) return true
    if (settings.ignored.some((pattern) => pattern.test(path)) || excluded.get(folder)?.(name)) return true
    for (let at = folderOf(path); at !== folder && at !== ''; at = folderOf(at))
      if (bundles.has(`${languageOf(path)} ${at}`) && (at !== folderOf(path) || !isIndex(path, settings))) return true
    return false
  }
}

/** Whether the page is a leaf bundle: `index.md` or `index.de.md`. */
function isIndex(path: string, settings: HugoSettings): boolean {
  const name = posix.basename(path)
  return /^index\.\w+$/.test(name) || (name.startsWith('index.') && codeIn(path, settings) !== undefined)
}

function idsOf(settings: HugoSettings, name: string): string[] {
  const { path, kind } = toLogical(settings, { source: '', target: 'content', languages: [], excluded: [] }, name)
  const base = posix.basename(path)
  if (base === '' || base === '.') return []
  const file = posix.basename(name)
  return [refId(base), ...(kind === 'page' ? [refId(file), refId(`${base}.md`)] : [])]
}

function assetsOf({ mounts, parts }: HugoSettings): string[] {
  const own = mounts.filter(({ target }) => target === 'static' || target === 'assets').map(({ source }) => source)
  const themes = parts.slice(1).flatMap((folder) => [posix.join(folder, 'static'), posix.join(folder, 'assets')])
  return [...own, ...themes]
}

function findHook(name: string, { parts }: HugoSettings, files: SiteFiles): string | undefined {
  return parts
    .flatMap((part) =>
      ['layouts/_default/_markup', 'layouts/_markup'].map((folder) => posix.join(part, folder, `render-${name}.html`)),
    )
    .find((path) => files.has(path))
}

/** Templates that write headings or ids, or insert other pages. */
const adds =
  /\bid\s*=|<h[1-6\s{]|readFile|RenderShortcodes|\.Content\b|\.RawContent|GetRemote|readDir|\bGetPage\b|\bpartial\b|resources\.Get\b|(?:^|\n)#{1,6} /

async function readTemplates({ parts, hasOutside }: HugoSettings, files: SiteFiles): Promise<Templates> {
  const folders = parts.flatMap((part) =>
    ['layouts/shortcodes', 'layouts/_shortcodes'].map((name) => posix.join(part, name)),
  )
  const found = files.paths.flatMap((path) => {
    const name = folders.flatMap((folder) => inside(folder, path) ?? [])[0]
    return name === undefined ? [] : [{ path, name: name.replace(/\.[\w.]+$/, '') }]
  })
  const [closed, open] = [new Map<string, string>(), new Set<string>()]
  for (const [at, { path, name }] of found.entries()) {
    const text = at < maxTemplates ? await files.text(path) : undefined
    if (text === undefined || adds.test(text)) open.add(name)
    else closed.set(name, path)
  }
  for (const name of open) closed.delete(name)
  return { closed, open, isPartial: hasOutside }
}
