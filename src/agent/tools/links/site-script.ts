// Finds the strings of a site's scripts that name a page: its id or slug in a list of the navigation, and its address.
// Each kind of site has its own rule for which strings do.

import { posix } from 'node:path'
import { inside } from '../../../docs-syntax/links.ts'
import { type ScriptString, readScriptStrings, siblingsOf } from '../../../docs-syntax/script-strings.ts'
import type { Range } from '../../../docs-syntax/text.ts'
import type { Reference } from './reference.ts'
import { type DocsSite, type OwnNames, type PageNames, namesOf } from './sites.ts'
import type { TextFile } from '../text-file.ts'

export type NamedPage = { readonly path: string; readonly own: OwnNames }

const script = /\.[cm]?[jt]s$/
const sidebar = /sidebars?[^/]*\.[cm]?[jt]s$/i
/** Keys of lists and strings that never name a page. */
const textKeys = /^(?:label|text|title|description|className|class|tags|keywords|type|icon|variant|lang|from)$/

/** Returns the site whose navigation the script may hold. */
export function siteOfScript(sites: readonly DocsSite[], path: string): DocsSite | undefined {
  if (!script.test(path)) return undefined
  return sites.find((site) => {
    const name = inside(site.root, path)
    if (name === undefined || site.mounts.some(({ folder }) => site.root !== folder && inside(folder, path))) {
      return path === site.config || (site.kind === 'vitepress' && isOfVitepress(name ?? ''))
    }
    if (path === site.config) return true
    if (site.kind === 'vitepress') return isOfVitepress(name) || sidebar.test(name)
    return (site.kind === 'starlight' || site.kind === 'docusaurus') && sidebar.test(name)
  })
}

type Found = {
  readonly references: readonly Reference[]
  /** Strings that are read by people, such as labels: they name no page. */
  readonly texts: readonly Range[]
}

/** Finds nothing in a script that does not parse. */
export function siteReferences(site: DocsSite, file: TextFile, page: NamedPage): Found {
  const names = namesOf(site, page.path, page.own)
  const isNear = names && [...names.ids, names.address].some((name) => file.text.includes(posix.basename(name)))
  if (!isNear) return { references: [], texts: [] }
  const strings = readScriptStrings(file.path, file.text) ?? []
  const isText = ({ keys }: ScriptString): boolean => textKeys.test(keys.at(-1) ?? '')
  const references = strings
    .filter((one) => !isText(one))
    .flatMap((one) => toReference(site, file, { one, names, page }))
  return { references, texts: strings.filter(isText) }
}

type Named = { readonly one: ScriptString; readonly names: PageNames }
type Place = Named & { readonly page: NamedPage }

function toReference(site: DocsSite, file: TextFile, { one, names, page }: Place): Reference[] {
  const { start, end, value } = one
  // A string with escapes is left as it is.
  if (file.text.slice(start + 1, end - 1) !== value) return []
  const written = toWritten(site, file.path, { one, names })
  if (!written) return []
  const at = (written.isAddress ? [names.address] : names.ids).indexOf(written.name)
  if (at === -1) return []
  const rewrite = (path: string): string => {
    const next = namesOf(site, path, page.own)
    const name = written.isAddress ? next?.address : (next?.ids[at] ?? next?.ids[0])
    return (name === undefined ? undefined : written.withName(name)) ?? value
  }
  const target = { path: page.path, form: 'page', base: '', isRooted: true, suffix: '' } as const
  // A redirect to a page that is deleted needs another destination.
  const item = one.keys.includes('redirects') ? 'none' : (one.item ?? 'none')
  return [{ start: start + 1, end: end - 1, target, address: value, rewrite, item }]
}

function isOfVitepress(name: string): boolean {
  return name.startsWith('.vitepress/') && !/^\.vitepress\/(?:cache|dist)\//.test(name)
}

type Written = {
  readonly isAddress: boolean
  readonly name: string
  /** Returns the string for another name; undefined if the string cannot name it. */
  withName(name: string): string | undefined
}

function toWritten(site: DocsSite, file: string, { one, names }: Named): Written | undefined {
  const { value } = one
  if (/[\n\r]/.test(value)) return undefined
  const [, before = '', name = '', after = ''] = /^(\/?)(.*?)(\/?)$/.exec(value) ?? []
  const withId = (id: string): string => `${before}${id}${after}`
  if (isId(site, file, one)) return { isAddress: false, name: name === '' ? 'index' : name, withName: withId }
  const isLink = /^(?:link|href|to)$/.test(one.keys.at(-1) ?? '')
  if (!value.startsWith('/') && !(site.kind === 'vitepress' && isLink)) return undefined
  const prefix = site.kind === 'vitepress' && isLink ? itemBase(one) : ''
  return toAddress(site, value, { prefix, address: names.address })
}

type Wanted = { readonly prefix: string; readonly address: string }

/** `/guides/a`, also with a slash or extension at its end, a fragment, and the base of the site. */
function toAddress(site: DocsSite, value: string, { prefix, address }: Wanted): Written | undefined {
  const [, path = '', end = '', suffix = ''] = /^([^?#]*?)((?:\.html|\.md|\/)?)((?:[?#].*)?)$/.exec(value) ?? []
  if (path === '' && end === '') return undefined
  const full = prefix === '' ? path : posix.join(prefix, path)
  const rooted = full.startsWith('/') ? full : `/${full}`
  const isBased = site.base !== '' && rooted !== address && (rooted === site.base || rooted.startsWith(`${site.base}/`))
  const name = (isBased ? rooted.slice(site.base.length) : rooted).replace(/\/index$/, '')
  const withName = (next: string): string | undefined => {
    const whole = (isBased ? site.base : '') + next
    const folder = prefix.replace(/\/$/, '')
    if (folder !== '' && !whole.startsWith(`${folder}/`)) return undefined
    const rest = whole.slice(folder.length)
    const text = value.startsWith('/') ? rest : rest.slice(1)
    return text + (end === '/' && text.endsWith('/') ? '' : end) + suffix
  }
  return { isAddress: true, name: name === '' ? '/' : name, withName }
}

/** The address that the links of an item begin with: `base` of the item, or of an item around it. */
function itemBase({ objects }: ScriptString): string {
  return (
    objects.findLast(({ keys, strings }) => keys.length > 0 && strings['base'] !== undefined)?.strings['base'] ?? ''
  )
}

/** Whether the string is a place for an id: an item of a list, or the value of `id`, `docId` or `slug`. */
function isId(site: DocsSite, file: string, one: ScriptString): boolean {
  const key = one.keys.at(-1)
  const list = one.keys.findLast((name) => name !== '[]') ?? ''
  const isItem = key === '[]' && !textKeys.test(list)
  if (site.kind === 'docusaurus') {
    if (key === 'docId') return true
    const isDoc = /^(?:doc|ref)$/.test(siblingsOf(one)['type'] ?? '')
    return (key === 'id' && isDoc) || (isItem && !/docusaurus\.config/.test(file))
  }
  if (site.kind !== 'starlight') return false
  const isSidebar = one.keys.includes('sidebar') || sidebar.test(posix.basename(file))
  return isSidebar && (key === 'slug' || (isItem && /^(?:items|sidebar|)$/.test(list)))
}
