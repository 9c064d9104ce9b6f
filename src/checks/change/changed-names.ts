// The names by which a page may lead to something that a change added, removed or moved: paths, addresses, ids and anchors. A
// page that mentions no such name leads where it led before.

import { posix } from 'node:path'
import type { CheckResult } from '../check-tree.ts'
import type { Anchors, SiteIndex } from '../rules/site-index.ts'
import type { SitePage } from '../rules/site-page.ts'
import { unlistedPages } from '../rules/unlisted.ts'
import { withoutExtension } from '../../sites/names.ts'
import type { Names } from './mentions.ts'

type Sides = { readonly before: CheckResult; readonly after: CheckResult }

const first = /^(?:_?index|readme)$/i

/** Adds to `names`. Pages that were not read have the same content on both sides. */
export function addChangedNames({ before, after }: Sides, names: Names): void {
  const [old, now] = [before.index, after.index]
  addPaths(old, now, names)
  const folders = new Set(
    [...old.pages, ...now.pages].flatMap(({ routes }) => routes.map((route) => posix.dirname(route))),
  )
  const addRoute = (page: SitePage, route: string) => {
    const name = posix.basename(route)
    for (const one of [name, posix.basename(page.site.base)]) if (one !== '') names.add(one)
    if (route === '' || folders.has(route) || isFirst(page.path)) names.addUnnamed(name)
  }
  for (const [page, route] of differences(before, after, ({ routes }) => routes)) addRoute(page, route)
  for (const [, id] of differences(before, after, ({ ids }) => ids)) names.add(id)
  const addPage = (page: SitePage) => {
    addPath(page.path, names, page)
    for (const route of page.routes) addRoute(page, route)
    for (const id of page.ids) names.add(id)
  }
  for (const page of now.pages) {
    const was = old.page(page.path)
    if (was && now.unjudged?.has(page) !== true && old.unjudged?.has(was) !== true)
      addAnchors(old.anchors(was), now.anchors(page), { page, names, addPage })
  }
  for (const path of unlistedOf(before).symmetricDifference(unlistedOf(after))) {
    for (const page of [old.page(path), now.page(path)]) if (page) addPage(page)
  }
}

type Changed = { readonly page: SitePage; readonly names: Names; readonly addPage: (page: SitePage) => void }

function addAnchors(old: Anchors, now: Anchors, { page, names, addPage }: Changed): void {
  const anchors = old.known === now.known ? new Set<string>() : old.known.symmetricDifference(now.known)
  for (const anchor of anchors) if (anchor !== '') names.add(anchor)
  // A link may have another form of the anchor.
  if (old.isOpen !== now.isOpen || (anchors.size > 0 && page.site.slugs.normalise)) addPage(page)
}

function addPaths(old: SiteIndex, now: SiteIndex, names: Names): void {
  for (const path of new Set(old.paths).symmetricDifference(new Set(now.paths))) {
    addPath(path, names, old.page(path) ?? now.page(path))
    const folder = withoutExtension(path)
    if (old.hasFolder(folder) || now.hasFolder(folder)) names.addUnnamed(posix.basename(folder))
    for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
      if (old.hasFolder(above) && now.hasFolder(above)) break
      names.add(posix.basename(above))
      names.addUnnamed(posix.basename(above))
    }
  }
}

/** A first page of a folder is that folder to links. It may also be the first page of a mount. */
function addPath(path: string, names: Names, page?: SitePage): void {
  const { dir, name } = posix.parse(path)
  if (!isFirst(path)) return names.add(name)
  const folder = posix.basename(dir)
  if (folder !== '') names.add(folder)
  names.addUnnamed(page && !page.name.includes('/') ? '' : folder)
  return undefined
}

function isFirst(path: string): boolean {
  return first.test(posix.parse(path).name)
}

/** The keys that lead to other pages, or to the same in another order. */
function differences(
  before: CheckResult,
  after: CheckResult,
  keysOf: (page: SitePage) => readonly string[],
): (readonly [SitePage, string])[] {
  const [old, now] = [groupKeys(before, keysOf), groupKeys(after, keysOf)]
  const isSame = (key: string) => old.get(key)?.paths === now.get(key)?.paths
  return Array.from(new Set([...old.keys(), ...now.keys()])).flatMap((key) => {
    const group = now.get(key) ?? old.get(key)
    return isSame(key) || !group ? [] : [[group.page, group.name] as const]
  })
}

type Group = { readonly page: SitePage; readonly name: string; paths: string }

function groupKeys({ index, sites }: CheckResult, keysOf: (page: SitePage) => readonly string[]): Map<string, Group> {
  const numbers = new Map(sites.map((site, at) => [site, at]))
  const groups = new Map<string, Group>()
  for (const page of index.pages)
    for (const name of keysOf(page)) {
      const key = `${numbers.get(page.site)} ${name}`
      const known = groups.get(key)
      if (known) known.paths += `\n${page.path}`
      else groups.set(key, { page, name, paths: page.path })
    }
  return groups
}

function unlistedOf({ index, sites }: CheckResult): Set<string> {
  return new Set(sites.flatMap((site) => unlistedPages(index, site).map(({ path }) => path)))
}
