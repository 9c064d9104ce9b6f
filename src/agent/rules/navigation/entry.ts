// Finds the place of a new page in the navigation, and writes the entry in the form of its neighbours: the item of a
// neighbour is copied, with the address and the label of the new page. Knows no kind of site.

import { posix } from 'node:path'
import { type Splice, applySplices } from '../../../docs-syntax/text.ts'
import { inside } from '../../../docs-syntax/links.ts'
import { omitsNumbers } from '../../../sites/by-path/known-files.ts'
import type { Layout } from '../script.ts'
import type { List } from './lists.ts'
import { foldersOf, isLabel, type NavigationFile, type Reading, readNavigation, withoutNumbers } from './readings.ts'

export type NewEntry = { readonly path: string; readonly title: string }
export type PlannedEntry =
  | { readonly kind: 'entry'; readonly file: string; readonly splice: Splice; readonly where: string }
  /** `listed`: it has an entry. `automatic`: the site lists the pages of the folder by itself. */
  | { readonly kind: 'listed' | 'automatic'; readonly file: string }
  | { readonly kind: 'none'; readonly problem: string }

export function planEntry(page: NewEntry, files: readonly NavigationFile[], { paths, sites }: Layout): PlannedEntry {
  const parts = foldersOf(page.path)
  const readings = readNavigation(files, paths, ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))])
  const own = readings.find(({ named }) => named.some((one) => one.page === page.path))
  if (own) return { kind: 'listed', file: own.file.path }
  const best = readings.toSorted((a, b) => compareScores(scoreOf(b, page.path), scoreOf(a, page.path)))[0]
  const [near = 0] = best ? scoreOf(best, page.path) : []
  if (best && near > 0) return addEntry(page, best)
  const automatic = sites.find((site) => site.automatic.some((folder) => inside(folder, page.path) !== undefined))
  if (automatic) return { kind: 'automatic', file: automatic.configs.at(-1) ?? automatic.root }
  return { kind: 'none', problem: 'no page of its folder is listed there.' }
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

function compareScores(a: Score, b: Score): number {
  return a[0] - b[0] || a[1] - b[1]
}

function addEntry(page: NewEntry, { file, list, base, named }: Reading): PlannedEntry {
  const near = Math.max(...named.map((one) => nearness(one.page, page.path, base)))
  const neighbours = named.filter((one) => nearness(one.page, page.path, base) === near)
  const last = neighbours.at(-1)
  // The plainest of them: others may have a badge or an icon of their own.
  const model = neighbours.toSorted((a, b) => a.item.strings.length - b.item.strings.length).at(0)
  if (!last || !model) return { kind: 'none', problem: 'no page of its folder is listed there.' }
  const splice = list.insert(writeItem(page, { file, base, model }), last.item)
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
  return omitsNumbers.test(file.path) ? withoutNumbers(name) : name
}

function whereOf({ groups }: List): string {
  const group = groups.at(-1)
  return group === undefined ? '' : ` under “${group}”`
}
