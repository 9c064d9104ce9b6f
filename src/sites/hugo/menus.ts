// Entries of menus: `[[menus.main]]` in the configuration, which names a page by `pageRef` or an address by `url`.

import { posix } from 'node:path'
import type { FoundString } from '../found-strings.ts'
import type { Mount, NavigationEntry, Site, SiteFiles } from '../site.ts'
import { pathsOf } from './links.ts'
import type { HugoSettings } from './settings.ts'

type Place = {
  readonly mounts: readonly Mount[]
  readonly settings: HugoSettings
  readonly madeAt: Site['madeAt']
}

export function toEntry(found: FoundString, { mounts, settings, madeAt }: Place, files: SiteFiles): NavigationEntry[] {
  const { keys, value, file, line, start, end } = found
  const key = keys.at(-1)?.toLowerCase()
  const isMenu =
    keys.some((name) => /^menus?$/i.test(name)) || /(?:^|\/)config\/_default\/menus?(?:\.[\w-]+)?\.\w+$/.test(file)
  if (!isMenu || keys.at(-2) !== '[]' || (key !== 'url' && key !== 'pageref')) return []
  const entry = { file, line, start, end, name: value }
  if (key === 'url') {
    // A name without a slash is relative to the base, and the language of the menu is added to it.
    return value.startsWith('/') && !value.startsWith('//') ? [{ ...entry, target: { address: value } }] : []
  }
  if (value === '/') return []
  const isMain = !/\.[\w-]+\.\w+$/.test(posix.basename(file)) && !keys.some((name) => /^languages$/i.test(name))
  const languages = isMain ? settings.languages.slice(0, 1) : settings.languages
  const paths = mounts
    .filter(({ isCopy }) => !isMain || isCopy !== true)
    .flatMap(({ folder }) => pathsOf(posix.join(folder, value.replace(/^\/|\/$/g, '')), languages))
  if (paths.some((path) => files.has(path))) return [{ ...entry, target: { paths } }]
  const made = madeAt(posix.join('/', value.replace(/\/$/, '')), true)
  if (made === 'page') return []
  return [{ ...entry, target: made === undefined ? { paths } : { reason: made } }]
}
