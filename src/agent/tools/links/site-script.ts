// Finds the strings of a site's scripts that name a page: its id or slug in a list of the navigation, and its address.
// Each kind of site has its own rule for which strings do.

import { posix } from 'node:path'
import { type ScriptString, readScriptStrings } from '../../../docs-syntax/script/script-strings.ts'
import type { Range } from '../../../docs-syntax/text.ts'
import type { Reference } from './reference.ts'
import type { Site } from '../../../sites/site.ts'
import { namesIn, type NamedPage, type OpenedSites, type PageNames } from './open-sites.ts'
import type { TextFile } from '../text-file.ts'

const script = /\.[cm]?[jt]s$/
/** Keys of lists and strings that never name a page. */
const textKeys = /^(?:label|text|title|description|className|class|tags|keywords|type|icon|variant|lang|from)$/

/** Returns the site whose configuration the script holds, or a part of it. */
export function siteOfScript(sites: readonly Site[], path: string): Site | undefined {
  return script.test(path) ? sites.find(({ configs }) => configs.includes(path)) : undefined
}

type Found = {
  readonly references: readonly Reference[]
  /** Strings that are read by people, such as labels: they name no page. */
  readonly texts: readonly Range[]
}

type Searched = { readonly file: TextFile; readonly page: NamedPage }

/** Finds nothing in a script that does not parse. */
export function siteReferences(opened: OpenedSites, site: Site, { file, page }: Searched): Found {
  const names = opened.placeOf(page.path)?.site === site ? namesIn(opened, page) : undefined
  const isNear = names && [...names.ids, names.address].some((name) => file.text.includes(posix.basename(name)))
  if (!isNear) return { references: [], texts: [] }
  const strings = readScriptStrings(file.path, file.text) ?? []
  const isText = ({ keys }: ScriptString): boolean => textKeys.test(keys.at(-1) ?? '')
  const references = strings
    .filter((one) => !isText(one))
    .flatMap((one) =>
      toReference(site, file, { one, names, page, rename: (path) => namesIn(opened, { ...page, path }) }),
    )
  return { references, texts: strings.filter(isText) }
}

type Named = { readonly one: ScriptString; readonly names: PageNames }
type Place = Named & { readonly page: NamedPage; readonly rename: (path: string) => PageNames | undefined }

function toReference(site: Site, file: TextFile, { one, names, page, rename }: Place): Reference[] {
  const { start, end, value } = one
  // A string with escapes is left as it is.
  if (file.text.slice(start + 1, end - 1) !== value) return []
  const written = toWritten(site, file.path, { one, names })
  if (!written) return []
  const at = (written.isAddress ? [names.address] : names.ids).indexOf(written.name)
  if (at === -1) return []
  const rewrite = (path: string): string => {
    const next = rename(path)
    const name = written.isAddress ? next?.address : (next?.ids[at] ?? next?.ids[0])
    return (name === undefined ? undefined : written.withName(name)) ?? value
  }
  const target = { path: page.path, form: 'page', base: '', route: '', isRooted: true, suffix: '' } as const
  // A redirect to a page that is deleted needs another destination.
  const item = one.keys.includes('redirects') ? 'none' : (one.item ?? 'none')
  return [{ start: start + 1, end: end - 1, target, address: value, rewrite, item }]
}

type Written = {
  readonly isAddress: boolean
  readonly name: string
  /** Returns the string for another name; undefined if the string cannot name it. */
  withName(name: string): string | undefined
}

function toWritten(site: Site, file: string, { one, names }: Named): Written | undefined {
  const { value } = one
  if (/[\n\r]/.test(value)) return undefined
  const [, before = '', name = '', after = ''] = /^(\/?)(.*?)(\/?)$/.exec(value) ?? []
  const withId = (id: string): string => `${before}${id}${after}`
  const { baseKey: usualKey, entries } = site.navigation
  const { target } = entries.find((entry) => entry.file === file && entry.start === one.start) ?? {}
  if (target && 'id' in target) return { isAddress: false, name: name === '' ? 'index' : name, withName: withId }
  // A name in the list of a folder.
  const full = target && 'address' in target && !value.startsWith('/') ? target.address : ''
  if (full !== '' && full.endsWith(value))
    return toAddress(site, value, { prefix: full.slice(0, -value.length), address: names.address })
  const baseKey = /^(?:link|href|to)$/.test(one.keys.at(-1) ?? '') ? usualKey : undefined
  if (!value.startsWith('/') && baseKey === undefined) return undefined
  const prefix = baseKey === undefined ? '' : itemBase(one, baseKey)
  return toAddress(site, value, { prefix, address: names.address })
}

type Wanted = { readonly prefix: string; readonly address: string }

/** `/guides/a`, also with a slash or extension at its end, a fragment, and the base of the site. */
function toAddress(site: Site, value: string, { prefix, address }: Wanted): Written | undefined {
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

/** The address that the links of an item begin with: that of the item, or of an item around it. */
function itemBase({ objects }: ScriptString, key: string): string {
  return objects.findLast(({ keys, strings }) => keys.length > 0 && strings[key] !== undefined)?.strings[key] ?? ''
}
