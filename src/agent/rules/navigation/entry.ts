// Finds the place of a new page in the navigation, and writes the entry in the form of its neighbours: the item of a
// neighbour is copied, with the address and the label of the new page. Knows no kind of site.

import { posix } from 'node:path'
import { type Splice, applySplices } from '../../../docs-syntax/text.ts'
import { type Item, type ItemString, type List, readLists } from './lists.ts'

export type NavigationFile = { readonly path: string; readonly text: string }
export type NewEntry = { readonly path: string; readonly title: string; readonly group: string | undefined }
export type PlannedEntry =
  | { readonly kind: 'entry'; readonly file: string; readonly splice: Splice; readonly where: string }
  /** `listed`: it has an entry. `automatic`: the site lists the pages of the folder by itself. */
  | { readonly kind: 'listed' | 'automatic'; readonly file: string }
  | { readonly kind: 'none'; readonly problem: string }

/** A list as the navigation of the folder `base`: which item names which page. */
type Reading = {
  readonly file: NavigationFile
  readonly list: List
  readonly base: string
  readonly named: readonly { readonly item: Item; readonly string: ItemString; readonly page: string }[]
}

/** Lists of links that lead to pages too. */
const otherKeys = /^(?:nav|navbar|topbar.*|footer.*|redirects?|social.*|head|links|plugins)$/i

/** `paths`: all files of the repository. */
export function planEntry(page: NewEntry, files: readonly NavigationFile[], paths: readonly string[]): PlannedEntry {
  const pages = pagesByName(paths)
  const readings = files.flatMap((file) =>
    readLists(file.path, file.text)
      .filter(({ keys }) => isNavigation(file, keys))
      .flatMap((list) => readList(page, { file, list, pages })),
  )
  const own = readings.find(({ named }) => named.some((one) => one.page === page.path))
  if (own) return { kind: 'listed', file: own.file.path }
  const wanted = page.group?.toLowerCase()
  const fitting =
    wanted === undefined ? readings : readings.filter(({ list }) => list.groups.at(-1)?.toLowerCase() === wanted)
  const best = fitting.toSorted((a, b) => compareScores(scoreOf(b, page.path), scoreOf(a, page.path)))[0]
  const [near = 0] = best ? scoreOf(best, page.path) : []
  if (best && near > 0) return addEntry(page, best)
  if (best && wanted !== undefined) return addToGroup(page, best, readings)
  if (wanted !== undefined) return { kind: 'none', problem: `there is no group “${page.group}” with pages.` }
  const automatic = files.find(({ path, text }) => isAutomatic(path, text))
  if (automatic) return { kind: 'automatic', file: automatic.path }
  return { kind: 'none', problem: 'no page of its folder is listed there; name a group.' }
}

function isNavigation({ path }: NavigationFile, keys: List['keys']): boolean {
  if (/(?:^|\/)(?:docs|mint)\.json$/.test(path) && keys.at(-1) !== 'pages') return false
  return !keys.some((key) => otherKeys.test(key))
}

/** Reads the list from the folder in which most of its strings name pages. A list that names no page has no base. */
function readList(
  page: NewEntry,
  source: { file: NavigationFile; list: List; pages: ReadonlyMap<string, string> },
): Reading[] {
  const { file, list, pages } = source
  const parts = foldersOf(page.path)
  const bases = ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))]
  const readings = bases.map((base): Reading => {
    const named = list.items.flatMap((item) => {
      const found = item.strings.flatMap((string) => {
        const path = isLabel(string) ? undefined : pages.get(posix.join(base, plainName(string.value)))
        return path === undefined ? [] : [{ item, string, page: path }]
      })
      return found.slice(0, 1)
    })
    return { file, list, base, named }
  })
  return readings.toSorted((a, b) => b.named.length - a.named.length).slice(0, 1)
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

type Score = readonly [near: number, count: number]

/** How many folders the nearest page of the list shares with the page, one more in its own folder, and how many such pages. */
function scoreOf({ named, base }: Reading, path: string): Score {
  const distances = named.map((one) => nearness(one.page, path, base))
  const near = Math.max(0, ...distances)
  return [near, distances.filter((one) => one === near).length]
}

function nearness(other: string, path: string, base: string): number {
  const [depth, a, b] = [foldersOf(`${base}/-`).length, foldersOf(other), foldersOf(path)]
  const differs = a.findIndex((part, at) => part !== b[at])
  const shared = differs === -1 ? a.length : differs
  const isSame = shared === a.length && shared === b.length
  return Math.max(0, shared - depth + (isSame ? 1 : 0))
}

function foldersOf(path: string): string[] {
  return path
    .split('/')
    .slice(0, -1)
    .filter((part) => part !== '')
}

function compareScores(a: Score, b: Score): number {
  return a[0] - b[0] || a[1] - b[1]
}

function addEntry(page: NewEntry, { file, list, base, named }: Reading): PlannedEntry {
  const near = Math.max(...named.map((one) => nearness(one.page, page.path, base)))
  const neighbours = named.filter((one) => nearness(one.page, page.path, base) === near)
  const last = neighbours.at(-1)
  // The plainest of them: others may have a badge or an icon of their own.
  const model = neighbours.toSorted((a, b) => a.item.strings.length - b.item.strings.length).at(0)
  if (!last || !model) return { kind: 'none', problem: 'no page of its folder is listed there; name a group.' }
  const splice = list.insert(writeItem(page, { file, base, model }), last.item)
  return { kind: 'entry', file: file.path, splice, where: whereOf(list) }
}

/** Adds the page to a group that lists only other pages, or no pages, in the form of the other groups of the file. */
function addToGroup(page: NewEntry, group: Reading, readings: readonly Reading[]): PlannedEntry {
  const { list, file } = group
  const others = [group, ...readings.filter((one) => one.file === file)]
  const best = others.toSorted((a, b) => b.named.length - a.named.length)[0]
  const last = list.items.at(-1)
  const model = group.named[0] ?? best?.named[0]
  const base = group.named.length > 0 ? group.base : (best?.base ?? group.base)
  const item = model
    ? writeItem(page, { file, base, model })
    : JSON.stringify(nameIn(file, posix.dirname(file.path), page.path))
  const splice = last ? list.insert(item, last) : list.insertFirst?.(item)
  if (!splice) return { kind: 'none', problem: `there is no group “${page.group}” with pages.` }
  return { kind: 'entry', file: file.path, splice, where: whereOf(list) }
}

type Model = { readonly file: NavigationFile; readonly base: string; readonly model: Reading['named'][number] }

function writeItem({ path, title }: NewEntry, { file, base, model }: Model): string {
  const { item, string } = model
  const splices = item.strings.flatMap((one): Splice[] => {
    const range = { start: one.start - item.start, end: one.end - item.start }
    if (one === string)
      return [{ ...range, text: one.encode(addressLike(string.value, nameIn(file, base, path), path)) }]
    return isLabel(one) ? [{ ...range, text: one.encode(title) }] : []
  })
  return applySplices(file.text.slice(item.start, item.end), splices)
}

/** The name in the form of another address: with its slashes, and with an extension if the other one has one. */
function addressLike(address: string, name: string, path: string): string {
  const [, before = '', , extension = '', after = ''] =
    /^(\.?\/|)(.*?)(\.(?:mdx?|markdown|html)|)(\/?)$/i.exec(address) ?? []
  const ending = /^\.m/i.test(extension) ? posix.extname(path) : extension
  return before + name + ending + after
}

function nameIn(file: NavigationFile, base: string, path: string): string {
  const name = posix.relative(`/${base}`, `/${path}`).replace(/\.(?:mdx?|markdown)$/i, '')
  return /sidebars?\.\w+$/.test(file.path) ? withoutNumbers(name) : name
}

function plainName(address: string): string {
  return address
    .replace(/[?#].*$/, '')
    .replace(/^\.?\/+/, '')
    .replace(/\.(?:mdx?|markdown|html)$/i, '')
    .replace(/\/$/, '')
}

/** Docusaurus takes the numbers off that order the files. */
function withoutNumbers(name: string): string {
  return name
    .split('/')
    .map((part) => part.replace(/^\d+\s*[-_.)]+\s*(?=\S)/, ''))
    .join('/')
}

function isLabel({ key }: ItemString): boolean {
  return key !== undefined && /^(?:label|text|title|name)$/.test(key)
}

function whereOf({ groups }: List): string {
  const group = groups.at(-1)
  return group === undefined ? '' : ` under “${group}”`
}

/** A sidebar that takes its pages from a folder, and MkDocs without a list of pages. */
function isAutomatic(path: string, text: string): boolean {
  return /\.ya?ml$/.test(path) ? !/^nav:/m.test(text) : /\.[cm]?[jt]s$/.test(path) && /\bautogenerated?\b/.test(text)
}
