// Which files of a tree a check reads: the pages of its sites, the files that pages insert, and the data beside them.

import { posix } from 'node:path'
import { inside } from '../docs-syntax/links.ts'
import { isPagePath } from '../docs-syntax/markdown.ts'
import type { Site } from '../sites/site.ts'
import { createPlaceOf, type PlaceOf, type SitePlace } from '../sites/site-map.ts'
import type { SiteTree, TreeFile } from '../sites/tree.ts'

export type PlacedFile = { readonly file: TreeFile; readonly place: SitePlace }

export type FilesToCheck = {
  readonly pages: readonly PlacedFile[]
  /** They are no pages. */
  readonly parts: readonly PlacedFile[]
  readonly data: readonly TreeFile[]
}

/** Larger files are data of another kind. */
const maxBytes = 5_000_000
const dataFile = /\.(?:json|ya?ml|toml)$/i
const notOurs =
  /(?:^|\/)(?:node_modules|vendor|(?:__)?(?:fixtures?|tests?|templates?)(?:__)?|_includes|_?layouts|archetypes)\/|(?:^|\/)(?:package-lock|tsconfig[^/]*)\.json$/i

/** `known`: places that an earlier check of the same sites has found. */
export function findFilesToCheck(
  tree: SiteTree,
  sites: readonly Site[],
  known: PlaceOf = () => undefined,
): FilesToCheck {
  const entries = tree.entries().filter(({ kind, size }) => kind === 'file' && size <= maxBytes)
  const placeOf = createPlaceOf(sites)
  const placed = entries.flatMap((file) => {
    const place = isPagePath(file.path) ? (known(file.path) ?? placeOf(file.path)) : undefined
    return place ? [{ file, place }] : []
  })
  return {
    pages: placed.filter(({ place }) => !place.site.isIgnored(place.name, place.mount)),
    parts: placed.filter(({ place }) => isPart(place)),
    data: entries.filter(({ path }) => dataFile.test(path) && sites.some((site) => isDataOf(site, path))),
  }
}

/** A file between the pages that is no page of its own: a snippet, but not what a tool installed. */
function isPart({ site, name }: SitePlace): boolean {
  return site.hasGenerator && site.isIgnored(name) && !/(?:^|\/)(?:\.|node_modules\/)/.test(name)
}

/** Data beside the pages, in the folders that are served, and beside the configuration; what pages insert is text. */
function isDataOf(site: Site, path: string): boolean {
  if (!site.hasGenerator || notOurs.test(path)) return false
  if (posix.dirname(path) === (site.root === '' ? '.' : site.root)) return true
  const served = site.mounts.flatMap((mount) => (mount.isPart ? [] : mount.folder))
  return [...served, ...site.assets].some((folder) => inside(folder, path) !== undefined)
}
