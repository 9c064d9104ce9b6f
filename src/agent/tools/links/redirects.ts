// Plans the redirect from the old address of a moved page to its new one, in the file in which the site keeps its
// redirects. Never makes a redirect onto itself, a chain of redirects, or one that has the address of a page.

import { posix } from 'node:path'
import { inside } from '../../../docs-syntax/links.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { Splice } from '../../../docs-syntax/text.ts'
import { aliasSplices } from './aliases.ts'
import type { FileChange } from '../changes.ts'
import { showPath } from '../result.ts'
import { type TextFile, readTextFile } from '../text-file.ts'
import type { ToolContext } from '../../tool.ts'
import type { Workspace } from '../../workspace.ts'
import { redirectFiles } from '../../../sites/redirects/files.ts'
import type { RedirectList } from '../../../sites/redirects/entries.ts'
import { readRedirectList } from '../../../sites/redirects/lists.ts'
import type { Site } from '../../../sites/site.ts'
import { namesIn, type NamedPage, type OpenedSites } from './open-sites.ts'

/** `line`: where the redirect is, or why there is no redirect; undefined if the address did not change. */
export type RedirectPlan = { readonly change: FileChange | undefined; readonly line: string | undefined }

type Move = { readonly page: NamedPage; readonly to: string; readonly opened: OpenedSites }
type Kept = { readonly file: TextFile; readonly list: RedirectList }
/** Each as the list names it: by its address, or by its path below the folder of pages, with its ending or without. */
type Pair = { readonly old: string; readonly next: string }

export async function planRedirect(move: Move, { workspace }: ToolContext): Promise<RedirectPlan> {
  const { page, to, opened } = move
  const place = opened.placeOf(page.path)
  const old = namesIn(opened, page)?.address
  const next = opened.placeOf(to)?.site === place?.site ? namesIn(opened, { ...page, path: to })?.address : undefined
  if (!place || !isPagePath(to) || old === undefined || old === next) return { change: undefined, line: undefined }
  const { site } = place
  const refuse = (reason: string): RedirectPlan => ({ change: undefined, line: `[no redirect from ${old}: ${reason}]` })
  if (next === undefined) return refuse('the new path is not part of the site')
  const { paths } = opened
  const other = paths.find((path) => path !== page.path && isAt(path, old, { ...opened, site }))
  if (other !== undefined) return refuse(`${showPath(other)} has this address`)
  if (site.aliasField !== undefined) {
    const own = await readTextFile(workspace, page.path)
    const [alias, current] = [
      site.aliasOf(place.name, page.fields, old),
      site.aliasOf(opened.placeOf(to)?.name ?? '', page.fields, next),
    ]
    const splices =
      'problem' in own || alias === undefined
        ? undefined
        : aliasSplices(site, { from: page.path, to, text: own.text, old: alias, next: current ?? next })
    if ('problem' in own || !splices) return refuse(`${showPath(to)} has no place for \`${site.aliasField}\``)
    const line = `[redirect from ${old} to ${next} in ${showPath(to)}, as \`${site.aliasField}\`]`
    return { change: { file: { ...own, path: to }, splices }, line }
  }
  const kept = await findList(redirectFiles(site, opened.sites), { workspace, paths, site })
  if (!kept) return refuse('the site keeps no redirects in a file that this tool writes')
  const { file, list } = kept
  const problem = workspace.editProblem?.(file.path)
  if (problem !== undefined) return refuse(`${showPath(file.path)} keeps the redirects of the site, and it ${problem}`)
  const form = site.configs.includes(file.path) ? site.redirectsAre : 'addresses'
  if (form === 'mixed' && old === '/') return refuse('the first page has no name there')
  const path = inside(place.mount.folder, to) ?? ''
  const pair = {
    addresses: { old, next },
    paths: { old: place.name, next: path },
    mixed: { old: old.slice(1), next: path },
    documents: { old: place.name.replace(/\.\w+$/, ''), next: path.replace(/\.\w+$/, '') },
  }[form]
  const splices = redirectSplices(list, pair, site.base)
  return { change: { file, splices }, line: `[redirect from ${old} to ${next} in ${showPath(file.path)}]` }
}

function redirectSplices(list: RedirectList, { old, next }: Pair, base: string): Splice[] {
  const { entries } = list
  const has = (address: string, name: string): boolean => plain(address, base) === plain(name, base)
  const style = (name: string, values: readonly string[]): string => inStyle(name, values, base)
  const destinations = entries.map(({ destination }) => destination.value)
  const from = style(
    old,
    entries.map(({ source }) => source.value),
  )
  const target = style(next, destinations)
  const shadowing = entries.filter(({ source }) => has(source.value, next))
  const isThere = entries.some(({ source }) => has(source.value, old))
  const splices = entries
    .filter((entry) => !shadowing.includes(entry))
    .flatMap(({ source, destination }): Splice[] => {
      if (!has(destination.value, old) && !has(source.value, old)) return []
      const suffix = /[?#].*$/.exec(destination.value)?.[0] ?? ''
      return [
        { start: destination.start, end: destination.end, text: destination.encode(target + suffix, source.value) },
      ]
    })
  // The redirect of an earlier move in the other direction is turned around.
  const [turned, ...removed] = isThere ? [undefined, ...shadowing] : shadowing
  for (const entry of removed) if (entry) splices.push({ ...entry.whole, text: '' })
  if (turned) {
    const { source, destination } = turned
    splices.push({ start: source.start, end: source.end, text: source.encode(from, from) })
    splices.push({ start: destination.start, end: destination.end, text: destination.encode(target, from) })
  } else if (!isThere) {
    const before = entries.find(({ source }) => covers(source.value, from))
    splices.push(list.add(from, target, before))
  }
  return splices
}

/** An address without what sites write in different ways. */
function plain(address: string, base: string): string {
  const [path = ''] = address.split(/[?#]/)
  const own = base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
  return own
    .replace(/\.(?:html|mdx?)$|\/$/g, '')
    .replace(/(?:^|\/)index$/, '')
    .replace(/^\//, '')
}

/** The address as the other entries are written: with the base, and with their ending. */
function inStyle(address: string, others: readonly string[], base: string): string {
  if (!address.startsWith('/')) return address
  const fixed = others
    .filter((one) => one.startsWith('/') && !/[*:]/.test(one))
    .map((one) => one.replace(/[?#].*$/, ''))
  const isUsual = (test: (one: string) => boolean): boolean => fixed.filter(test).length * 2 > fixed.length
  const whole = base !== '' && isUsual((one) => one.startsWith(`${base}/`)) ? base + address : address
  if (whole.endsWith('/')) return whole
  if (isUsual((one) => one.endsWith('/') && one !== '/')) return `${whole}/`
  return isUsual((one) => one.endsWith('.html')) ? `${whole}.html` : whole
}

/** Whether a pattern such as `/old/*` or `/old/:path*` covers the address. */
function covers(source: string, address: string): boolean {
  const at = source.search(/[*:]/)
  return at !== -1 && address.startsWith(source.slice(0, at))
}

type Repository = { readonly workspace: Workspace; readonly paths: readonly string[]; readonly site: Site }

/** Whether the path of another page of the site gives it the address. */
function isAt(path: string, address: string, opened: OpenedSites & { readonly site: Site }): boolean {
  return opened.placeOf(path)?.site === opened.site && namesIn(opened, { path, fields: null })?.address === address
}

/** Returns the first file that has redirects of the site: its own, or those of its host. */
async function findList(
  hostFiles: readonly string[],
  { workspace, paths, site }: Repository,
): Promise<Kept | undefined> {
  for (const path of [...new Set([...site.configs, ...hostFiles])].filter((one) => paths.includes(one))) {
    const kept = await readList(workspace, path)
    if (kept) return kept
  }
  return undefined
}

async function readList(workspace: Workspace, path: string): Promise<Kept | undefined> {
  const file = await readTextFile(workspace, path)
  const list = 'problem' in file ? undefined : readRedirectList(path, file.text)
  if ('problem' in file || list === undefined) return undefined
  if (typeof list !== 'string') return { file, list }
  const named = await readTextFile(workspace, posix.join(posix.dirname(path), list))
  const inner = 'problem' in named ? undefined : readRedirectList(named.path, named.text)
  return 'problem' in named || inner === undefined || typeof inner === 'string'
    ? undefined
    : { file: named, list: inner }
}
