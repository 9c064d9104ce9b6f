// The sites of a repository, and how they name its pages. Everything that asks for the address or the id of a page asks here.

import { posix } from 'node:path'
import { type DocsRoot, inside } from '../docs-syntax/links.ts'
import { isPagePath } from '../docs-syntax/markdown.ts'
import { routeOf } from './address.ts'
import type { Mount, PageFields, Site } from './site.ts'

/** A page below one of the folders of its site. `name`: relative to that folder. */
export type SitePlace = { readonly site: Site; readonly mount: Mount; readonly name: string }

/** `routes`: without the base, '' for the first page; the first one is the usual one. `ids`: as the navigation may name it. */
export type PageNames = { readonly routes: readonly string[]; readonly ids: readonly string[] }

/** Returns the place of a page: in the nearest folder of pages. */
export type PlaceOf = (path: string) => SitePlace | undefined

export function createPlaceOf(sites: readonly Site[]): PlaceOf {
  const mounts = sites.flatMap((site) => site.mounts.map((mount) => ({ site, mount })))
  const nearest = mounts.toSorted((a, b) => b.mount.folder.length - a.mount.folder.length)
  return (path) => {
    for (const { site, mount } of nearest) {
      const name = inside(mount.folder, path)
      if (name !== undefined && (!isPagePath(path) || site.reads(path))) return { site, mount, name }
    }
    return undefined
  }
}

export function namesOf({ site, mount, name }: SitePlace, fields: PageFields): PageNames {
  const address = mount.nameOf ? mount.nameOf(name, fields) : site.nameOf(name, fields)
  if (address === undefined) return { routes: [], ids: [] }
  const isWhole = address.startsWith('/')
  const below = isWhole
    ? [address.replace(/^\/$/, '')]
    : mount.routes.map((route) => (address === '' ? route : `${route}/${address}`))
  const routes = mount.isPart ? [] : below
  const aliases = site.aliasesOf(fields, routes[0] ?? '').map((alias) => routeOf(alias).replace(/^\/$/, ''))
  return { routes: [...routes, ...aliases], ids: site.idsOf(name, address, fields) }
}

/** A site as far as a program needs it that sees only the results of tools. */
export type SiteOutline = {
  readonly root: string
  /** The folders of its pages, without those of translations and earlier versions. */
  readonly roots: readonly DocsRoot[]
  /** The files that hold its configuration and navigation. */
  readonly configs: readonly string[]
  /** Folders whose pages list themselves. */
  readonly automatic: readonly string[]
}

/** Outlines the sites that have a configuration, or that the settings name. */
export function outlinesOf(sites: readonly Site[]): SiteOutline[] {
  return sites
    .filter(({ hasGenerator, root }) => hasGenerator || root !== '')
    .map(({ root, mounts, configs, navigation }) => {
      const main = mounts.filter(({ isCopy }) => isCopy !== true)
      const roots = main.map(({ folder, routes: [route = ''] }) => ({ folder, route }))
      const automatic = navigation.folders.flatMap((name) => roots.map(({ folder }) => posix.join(folder, name)))
      return { root, roots, configs, automatic: automatic.map((folder) => folder.replace(/^\.$|\/$/g, '')) }
    })
}
