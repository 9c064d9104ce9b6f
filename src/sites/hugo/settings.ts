// Reads what the addresses of a Hugo site depend on, from its configuration as data: one file, or the files of
// `config/_default`, each of which holds the keys of its name.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { readToml } from '../../docs-syntax/toml.ts'
import { readYamlData } from '../../docs-syntax/yaml.ts'
import { toFolder } from '../names.ts'
import type { SiteFiles } from '../site.ts'
import { hasFile } from '../site-files.ts'

type Table = Readonly<Record<string, unknown>>

/** A folder or file that is served below `target`, such as `content/docs` or `static`. */
export type HugoMount = {
  readonly source: string
  readonly target: string
  readonly languages: readonly string[]
  readonly excluded: readonly string[]
}

export type HugoSettings = {
  readonly base: string
  /** In lower case, the main one first; one for a site in one language. */
  readonly languages: readonly string[]
  readonly isMainBelow: boolean
  /** Each language has a host of its own. */
  readonly hasHosts: boolean
  readonly mounts: readonly HugoMount[]
  /** Whether modules or themes that are not in the repository add to the site. */
  readonly hasOutside: boolean
  /** Folders of the repository that add templates, files and pages: the site itself, and its themes. */
  readonly parts: readonly string[]
  /** Patterns of the addresses of pages, by the section. */
  readonly permalinks: ReadonlyMap<string, string>
  /** Folders below the first ones that have an `_index`, relative to the content. */
  readonly sections: ReadonlySet<string>
  /** The first parts of the addresses of taxonomies. */
  readonly taxonomies: readonly string[]
  readonly ignored: readonly RegExp[]
  readonly keepsCase: boolean
  readonly removesAccents: boolean
  readonly hasOutputs: boolean
  /** Whether a template makes the redirects of the host. */
  readonly writesRedirects: boolean
  /** How ids of headings are made; undefined if they are not. */
  readonly ids: string | undefined
  /** Whether it has a key that only a site of Hugo has. */
  readonly isSure: boolean
}

const sureKeys =
  /^(?:baseurl|contentdir|languagecode|defaultcontentlanguage|theme|permalinks|taxonomies|enablegitinfo|disablekinds|markup|pygmentscodefences|relativeurls|publishdir|googleanalytics|outputformats)$/
const usualTaxonomies = ['tags', 'categories']
const maxPattern = 100

/** `configs`: all files of the configuration, those of the folder `config/_default` last. */
export async function readHugoSettings(
  root: string,
  configs: readonly string[],
  files: SiteFiles,
): Promise<HugoSettings> {
  const read = configs.map(async (config) => keyed(config, toData(config, (await files.text(config)) ?? '')))
  const data: Table = Object.assign({}, ...(await Promise.all(read))) as Table
  const languages = tableOf(data['languages'])
  const codes = Object.keys(languages).filter((code) => tableOf(languages[code])['disabled'] !== true)
  const main = (textOf(data['defaultcontentlanguage']) ?? codes[0] ?? 'en').toLowerCase()
  const themes = listOf(data['theme']).map((name) => posix.join(root, textOf(data['themesdir']) ?? 'themes', name))
  const imports = tablesOf(tableOf(data['module'])['imports'])
  const own = themes.filter((folder) => hasFile(folder, files))
  const taxonomies = Object.values(tableOf(data['taxonomies'])).flatMap((one) => textOf(one) ?? [])
  const disabled = listOf(data['disablekinds']).map((kind) => kind.toLowerCase())
  const parser = tableOf(tableOf(tableOf(data['markup'])['goldmark'])['parser'])
  const idType = textOf(parser['autoidtype']) ?? textOf(parser['autoheadingidtype']) ?? 'github'
  const all = [main, ...codes.filter((code) => code !== main)]
  const mounts = readMounts({ root, data, languages, all }, files)
  const isMainBelow = data['defaultcontentlanguageinsubdir'] === true
  return {
    base: basePath(textOf(data['baseurl']) ?? ''),
    languages: all,
    isMainBelow,
    hasHosts: codes.some((code) => textOf(tableOf(languages[code])['baseurl']) !== undefined),
    mounts,
    sections: sectionsOf(mounts, files),
    hasOutside: imports.length > 0 || own.length < themes.length,
    parts: [root, ...own],
    permalinks: readPermalinks(tableOf(data['permalinks'])),
    taxonomies: disabled.includes('taxonomy')
      ? []
      : data['taxonomies'] === undefined
        ? usualTaxonomies
        : taxonomies.map((name) => name.toLowerCase()),
    ignored: listOf(data['ignorefiles']).flatMap(toPattern),
    keepsCase: data['disablepathtolower'] === true,
    removesAccents: data['removepathaccents'] === true,
    hasOutputs: data['outputformats'] !== undefined || data['outputs'] !== undefined,
    writesRedirects: Object.values(tableOf(data['outputformats'])).some(
      (one) => textOf(tableOf(one)['basename']) === '_redirects',
    ),
    ids: parser['autoheadingid'] === false ? undefined : idType,
    isSure: Object.keys(data).some((key) => sureKeys.test(key)),
  }
}

/** `[]` and what is no text are left out. */
export function listOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? [])
}

function toData(path: string, text: string): Table {
  const data = /\.toml$/i.test(path) ? readToml(text).values : readYamlData(text)
  return lowerKeys(data, 0) as Table
}

/** Keys are in any case. */
function lowerKeys(value: unknown, depth: number): unknown {
  if (depth > 8) return undefined
  if (Array.isArray(value)) return value.map((one) => lowerKeys(one, depth + 1))
  if (!isTable(value)) return depth === 0 ? {} : value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toLowerCase(), lowerKeys(one, depth + 1)]))
}

/** `languages.toml` of a folder holds the value of `languages`. A template of `module.yaml` counts as that file. */
function keyed(path: string, data: Table): Table {
  if (!/(?:^|\/)config\/_default\//.test(path)) return data
  const name = posix.parse(path).name.toLowerCase()
  if (name === 'hugo' || name === 'config') return data
  return { [/^module\b/.test(name) ? 'module' : name]: data }
}

type Place = {
  readonly root: string
  readonly data: Table
  readonly languages: Table
  readonly all: readonly string[]
}

function readMounts({ root, data, languages, all }: Place, files: SiteFiles): HugoMount[] {
  const at = (folder: string) => posix.join(root, toFolder(folder)).replace(/^\.$/, '')
  const plain = { excluded: [] }
  const written = tablesOf(tableOf(data['module'])['mounts']).flatMap((one): HugoMount[] => {
    const [source, target] = [textOf(one['source']), textOf(one['target'])]
    if (source === undefined || target === undefined) return []
    const matrix = tableOf(tableOf(one['sites'])['matrix'])['languages']
    const named = [...listOf(one['lang']), ...listOf(matrix)].map((code) => code.toLowerCase())
    const negated = listOf(one['files']).flatMap((glob) => (glob.startsWith('!') ? [glob.slice(1).trim()] : []))
    const excluded = [...listOf(one['excludefiles']), ...negated]
    return [{ source: at(source), target: toFolder(target), languages: named, excluded }]
  })
  const isMounted = (name: string) => written.some(({ target }) => target === name || target.startsWith(`${name}/`))
  const usual = ['static', 'assets'].flatMap((name): HugoMount[] => {
    const folders = name === 'static' ? Object.keys(data).filter((key) => /^staticdir\d*$/.test(key)) : []
    const named = folders.flatMap((key) => listOf(data[key]))
    const own = named.length > 0 ? named : [textOf(data[`${name}dir`]) ?? name]
    return isMounted(name) ? [] : own.map((source) => ({ ...plain, source: at(source), target: name, languages: [] }))
  })
  if (isMounted('content')) return [...written, ...usual]
  const shared = at(textOf(data['contentdir']) ?? 'content')
  const apart = all.flatMap((code): HugoMount[] => {
    const folder = textOf(tableOf(languages[code])['contentdir'])
    return folder === undefined ? [] : [{ ...plain, source: at(folder), target: 'content', languages: [code] }]
  })
  const guessed = apart.length === 0 ? byLanguage(shared, all, files) : []
  const isShared = apart.length < all.length && guessed.length === 0
  const rest: HugoMount[] = isShared ? [{ ...plain, source: shared, target: 'content', languages: [] }] : []
  return [...written, ...usual, ...apart, ...guessed, ...rest]
}

/** A program writes the mounts of `content/en`, `content/de`, … if the folder has only these. */
function byLanguage(shared: string, all: readonly string[], { paths }: SiteFiles): HugoMount[] {
  const names = new Set(paths.flatMap((path) => inside(shared, path)?.split('/', 2)[0] ?? []))
  const isAll = all.length > 1 && names.size > 1 && [...names].every((name) => all.includes(name.toLowerCase()))
  if (!isAll) return []
  return [...names].map((name) => {
    return { source: posix.join(shared, name), target: 'content', languages: [name.toLowerCase()], excluded: [] }
  })
}

function sectionsOf(mounts: readonly HugoMount[], { paths }: SiteFiles): Set<string> {
  const indexes = paths
    .filter((path) => /(?:^|\/)_index(?:\.[\w-]+)?\.\w+$/.test(path))
    .map((path) => posix.dirname(path))
  const found = mounts
    .filter(({ target }) => target === 'content' || target.startsWith('content/'))
    .flatMap(({ source, target }) =>
      indexes.flatMap((folder) => {
        const below = inside(source, folder)
        return below === undefined ? [] : [posix.join(target, below).replace(/^content\//, '')]
      }),
    )
  return new Set(found)
}

/** `blog = '/:year/:slug/'`, also below `page`. */
function readPermalinks(table: Table): Map<string, string> {
  const entries = [...Object.entries(table), ...Object.entries(tableOf(table['page']))]
  return new Map(entries.flatMap(([section, pattern]) => (typeof pattern === 'string' ? [[section, pattern]] : [])))
}

/** Only patterns without repetitions are tried, so each takes little time. */
function toPattern(written: string): RegExp[] {
  if (written.length > maxPattern || !/^[\w\s/.\\^$-]*$/.test(written)) return []
  try {
    return [new RegExp(written)]
  } catch {
    return []
  }
}

function basePath(written: string): string {
  const path = /^(?:[a-z]+:)?\/\/[^/]+(\/[^?#]*)/i.exec(written)?.[1] ?? (written.startsWith('/') ? written : '')
  const folder = toFolder(path)
  return folder === '' ? '' : `/${folder}`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function tableOf(value: unknown): Table {
  return isTable(value) ? value : {}
}

function tablesOf(value: unknown): Table[] {
  return Array.isArray(value) ? value.filter(isTable) : []
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
