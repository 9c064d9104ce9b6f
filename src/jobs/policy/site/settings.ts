// Compares two versions of a site's configuration as data, and finds the keys that are not for readers: what runs or loads
// something, and what no table knows. Titles, navigation, colours and links pass. Pure.

import { readSettings, type Setting } from './read-settings.ts'

export type AddedSetting = {
  /** The keys from the root with dots, without the items of lists: `plugins.macros`. */
  readonly key: string
  readonly line: number | null
  /** The object of the verb "sets". */
  readonly what: string
  /** The host that a redirect leads to. */
  readonly host?: string
}

export type SettingsChange = {
  readonly path: string
  /** The keys above those of the file. */
  readonly prefix: readonly string[]
  /** Undefined for a new file. */
  readonly before: string | undefined
  readonly after: string
}

/** Folders of keys that say whose keys these are, and no more. */
const wrappers = new Set(['project', 'site', 'website', 'book', 'config'])

/** Lists of pages. The titles in them are keys, too, so no key below is judged. */
const navigation =
  /^(?:nav|navigation|menus?|sidebars?|toc|tabs|anchors|pages|chapters|parts|navbar|topbarlinks?|nav_items|sections|entries|groups)$/

/** Texts, colours and addresses for readers. */
const texts =
  /^(?:(?:site[-_]?)?(?:name|title|sub_?title|tagline|description|authors?|keywords?|url)|copyright|copyrightnotice|footer|tags?|categories|topics?|lang|language|languages|languagecode|defaultcontentlanguage|locale|multilingual|exclude_docs|not_in_nav|draft_docs|base_?url|root_?url|repo_?(?:url|name)|edit_?uri(?:_template)?|git-repository-(?:url|icon)|edit-url-template|site-url|logo|favicon|colors?|palette|icons?|social|socials|footersocials|contact|email|versions?|display_version|date|redirects?|redirect|since|year|background|feedback|seo|params|extra|start_page|start_at_root)$/

/** The options of a theme that readers see. */
const themes = /^(?:palette|features|logo|icon|favicon|language|locale|direction|font|colors?|title|name_of_site)$/

/** Below a key for readers. */
const running =
  /^(?:hooks?|plugins?|extensions?|preprocessors?|renderers?|commands?|exec|run|head|html|header_?html|footer_?html|inherit|integrations?|analytics|modules?|imports?|filters?|engine|security|unsafe|content|raw|code|announcement)$|scripts?$|javascript|(?:^|[-_a-z])js$|^js|custom(?:_?(?:dir|css|js|head|html))|gtag|tracking|inject|snippet/i

/** Returns the settings that only the new version has. */
export function findAddedSettings({ path, prefix, before, after }: SettingsChange): readonly AddedSetting[] {
  if (before === after) return []
  const settings = readSettings(path, after)
  if (!settings) return [{ key: '', line: null, what: 'something that cannot be read as data' }]
  const left = new Map<string, number>()
  for (const one of (before === undefined ? undefined : readSettings(path, before)) ?? []) {
    left.set(identify(one), (left.get(identify(one)) ?? 0) + 1)
  }
  const found = new Map<string, AddedSetting>()
  for (const one of settings) {
    const rest = left.get(identify(one)) ?? 0
    left.set(identify(one), rest - 1)
    const added = rest > 0 ? undefined : judge(one, prefix)
    if (added && !found.has(`${added.key} ${added.host ?? ''}`)) found.set(`${added.key} ${added.host ?? ''}`, added)
  }
  return [...found.values()]
}

function identify({ path, value, tag }: Setting): string {
  return JSON.stringify([path, value, tag])
}

function judge({ path, value, line, tag }: Setting, prefix: readonly string[]): AddedSetting | undefined {
  const keys = [...prefix, ...path].filter((name) => name !== '[]')
  const key = [...keys, ...(path.at(-1) === '[]' && keys.length === 1 ? [value] : [])].slice(0, 6).join('.')
  const host = keys.some((name) => /redirect/i.test(name)) ? hostOf(value) : undefined
  if (host !== undefined) return { key, line, what: `a redirect to \`${host}\``, host }
  if (tag !== undefined) return { key, line, what: `a value that runs code (\`${inline(tag)}\`)` }
  const why = whyShown(keys)
  return why === undefined ? undefined : { key, line, what: why }
}

/** Returns undefined for a key that readers see. */
function whyShown(given: readonly string[]): string | undefined {
  const keys = withoutWrappers(given)
  const [first = '', second = ''] = keys.map((name) => name.toLowerCase())
  if (keys.length === 0 || navigation.test(first)) return undefined
  if (keys.some((name) => /^redirect_maps$/i.test(name))) return undefined
  if (first === 'theme' && keys.length > 1 && themes.test(second)) return undefined
  const running = runsAt(keys)
  if (running !== undefined) return `\`${inline(running)}\`, which can run or load something`
  if (texts.test(first)) return undefined
  return `\`${inline(keys.slice(0, 3).join('.'))}\`, which is neither text nor navigation`
}

function runsAt(keys: readonly string[]): string | undefined {
  const at = keys.findIndex((name) => running.test(name))
  return at < 0 ? undefined : keys.slice(0, at + 1).join('.')
}

function withoutWrappers(keys: readonly string[]): readonly string[] {
  const [first = '', second = ''] = keys.map((name) => name.toLowerCase())
  if (first === 'languages' && keys.length > 2) return keys.slice(2)
  if (first === 'output' && second === 'html' && keys.length > 2) return keys.slice(2)
  return wrappers.has(first) && keys.length > 1 ? keys.slice(1) : keys
}

/** Names come from the repository or the model. */
function inline(name: string): string {
  return name.replaceAll(/[^\w.:/!-]/g, '_').slice(0, 80)
}

export function hostOf(address: string): string | undefined {
  if (!/^\s*(?:https?:)?[/\\]{2}/i.test(address)) return undefined
  return URL.canParse(address, 'https://docs.invalid') ? new URL(address, 'https://docs.invalid').host : undefined
}
