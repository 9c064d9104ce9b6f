// Reads a navigation as lists of pages: which item of which list names which file. Knows no kind of site.

import { posix } from 'node:path'
import { listsPagesAlone } from '../../../sites/by-path/known-files.ts'
import { type Item, type ItemString, type List, readLists } from './lists.ts'

export type NavigationFile = { readonly path: string; readonly text: string }

/** A list as the navigation of the folder `base`: which item names which page. */
export type Reading = {
  readonly file: NavigationFile
  readonly list: List
  readonly base: string
  readonly named: readonly { readonly item: Item; readonly string: ItemString; readonly page: string }[]
}

/** Lists of links that lead to pages too. */
const otherKeys = /^(?:nav|navbar|topbar.*|footer.*|redirects?|social.*|head|links|plugins)$/i

/** Each list from the folder in which most of its strings name pages. `paths`: all files; `bases`: the folders to try. */
export function readNavigation(
  files: readonly NavigationFile[],
  paths: readonly string[],
  bases: readonly string[],
): Reading[] {
  const pages = pagesByName(paths)
  return files.flatMap((file) =>
    readLists(file.path, file.text)
      .filter(({ keys }) => isNavigation(file, keys))
      .flatMap((list) => {
        const readings = bases.map((base): Reading => ({ file, list, base, named: namedPages(list, base, pages) }))
        return readings.toSorted((a, b) => b.named.length - a.named.length).slice(0, 1)
      }),
  )
}

function isNavigation({ path }: NavigationFile, keys: List['keys']): boolean {
  if (listsPagesAlone.test(path) && keys.at(-1) !== 'pages') return false
  return !keys.some((key) => otherKeys.test(key))
}

function namedPages({ items }: List, base: string, pages: ReadonlyMap<string, string>): Reading['named'] {
  return items.flatMap((item) => {
    const found = item.strings.flatMap((string) => {
      const path = isLabel(string) ? undefined : pages.get(posix.join(base, plainName(string.value)))
      return path === undefined ? [] : [{ item, string, page: path }]
    })
    return found.slice(0, 1)
  })
}

/** Pages by their paths without extension, also without numbers before names, and by the folder of a first page. */
function pagesByName(paths: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const path of paths.filter((one) => /\.(?:mdx?|markdown)$/i.test(one))) {
    const name = path.replace(/\.\w+$/, '')
    const names = [name, withoutNumbers(name), name.replace(/(?:^|\/)(?:index|readme)$/i, '')]
    for (const one of names) if (one !== '' && !found.has(one)) found.set(one, path)
  }
  return found
}

function plainName(address: string): string {
  return address
    .replace(/[?#].*$/, '')
    .replace(/^\.?\/+/, '')
    .replace(/\.(?:mdx?|markdown|html)$/i, '')
    .replace(/\/$/, '')
}

/** Docusaurus takes the numbers off that order the files. */
export function withoutNumbers(name: string): string {
  return name
    .split('/')
    .map((part) => part.replace(/^\d+\s*[-_.)]+\s*(?=\S)/, ''))
    .join('/')
}

export function isLabel({ key }: ItemString): boolean {
  return key !== undefined && /^(?:label|text|title|name)$/.test(key)
}

/** The folders of a file, from the root of the repository. */
export function foldersOf(path: string): string[] {
  return path
    .split('/')
    .slice(0, -1)
    .filter((part) => part !== '')
}
