// Where Docusaurus serves the folders of its plugins: the versions of docs, the posts of blogs, pages of their own, and the
// translations of all of them.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import type { Mount, SiteFiles } from '../site.ts'
import { hasFile } from '../site-files.ts'
import { type Instance, toRoute } from './instances.ts'
import { docName, pageName, postName } from './names.ts'

type Place = { readonly root: string; readonly files: SiteFiles; readonly mainLocale: string }

/** A folder, with the name of its version as folders of translations have it. */
type Served = { readonly mount: Mount; readonly version: string }

export async function findMounts(instances: readonly Instance[], place: Place): Promise<Mount[]> {
  const { root, files } = place
  const served = await Promise.all(instances.map(async (one) => [one, await servedBy(one, place)] as const))
  const main = served.flatMap(([, found]) => found.map(({ mount }) => mount))
  const translated = served.flatMap(([instance, found]) =>
    found.flatMap(({ mount, version }) =>
      localesOf(root, files).map((locale) => translate(instance, mount, { ...place, locale, version })),
    ),
  )
  const all = [...main.toSorted((a, b) => rankOf(a) - rankOf(b)), ...translated]
  const unique = [...new Map(all.toReversed().map((mount) => [mount.folder, mount])).values()].toReversed()
  // A folder outside of what is checked may have any page.
  const filled = unique.filter(({ folder }) => folder.startsWith('..') || hasFile(folder, files))
  return filled.length === 0 ? unique.slice(0, 1) : filled
}

/** Docs first, then their earlier versions, then the rest. */
function rankOf({ isCopy, isApart }: Mount): number {
  return isApart ? 2 : isCopy ? 1 : 0
}

async function servedBy(instance: Instance, { root, files }: Place): Promise<Served[]> {
  const { kind, route, keepsNumbers } = instance
  const folder = posix.join(root, instance.path).replace(/\/$/, '')
  if (kind !== 'docs') {
    const nameOf = kind === 'blog' ? postName : pageName
    return [{ version: '', mount: { folder, routes: [route], isApart: true, nameOf } }]
  }
  const nameOf: Mount['nameOf'] = (name, fields) => docName(name, fields, keepsNumbers)
  const { names, unlisted } = await versionsOf(instance, { root, files })
  const last = instance.lastVersion ?? names[0] ?? 'current'
  const routeOf = (version: string) =>
    route +
    (instance.versionRoutes[version] ?? (version === last ? '' : `/${version === 'current' ? 'next' : version}`))
  const versions = names.map((version): Served => {
    const mount = {
      folder: versionFolder(instance, root, version),
      routes: [routeOf(version)],
      isCopy: true,
      nameOf,
    } as const
    return { version: `version-${version}`, mount }
  })
  const parts = unlisted.map((version): Served => {
    const mount = { folder: versionFolder(instance, root, version), routes: [], isCopy: true, isPart: true } as const
    return { version: `version-${version}`, mount }
  })
  return [{ version: 'current', mount: { folder, routes: [routeOf('current')], nameOf } }, ...versions, ...parts]
}

function versionFolder({ id }: Instance, root: string, version: string): string {
  return posix.join(root, `${prefixOf(id)}versioned_docs`, `version-${version}`)
}

function prefixOf(id: string): string {
  return id === 'default' ? '' : `${id}_`
}

/** `unlisted`: folders of versions that the list does not have, so that they are not built. Without a list, all of them are. */
async function versionsOf({ id }: Instance, { root, files }: Pick<Place, 'root' | 'files'>) {
  const { strings } = await files.config(posix.join(root, `${prefixOf(id)}versions.json`))
  const listed = strings.map(({ value }) => value)
  const parent = posix.join(root, `${prefixOf(id)}versioned_docs`)
  const folders = new Set(
    files.paths.flatMap((path) => /^version-([^/]+)\//.exec(inside(parent, path) ?? '')?.[1] ?? []),
  )
  const known = [...folders].toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return listed.length === 0
    ? { names: known, unlisted: [] }
    : { names: listed, unlisted: known.filter((name) => !listed.includes(name)) }
}

function localesOf(root: string, { paths }: SiteFiles): string[] {
  const parent = posix.join(root, 'i18n')
  return [...new Set(paths.flatMap((path) => /^([^/]+)\/docusaurus-/.exec(inside(parent, path) ?? '')?.[1] ?? []))]
}

type Locale = Place & { readonly locale: string; readonly version: string }

function translate({ kind, id }: Instance, mount: Mount, { root, locale, version, mainLocale }: Locale): Mount {
  const plugin = `docusaurus-plugin-content-${kind}${id === 'default' ? '' : `-${id}`}`
  const folder = posix.join(root, 'i18n', locale, plugin, version)
  const prefix = locale === mainLocale ? '' : toRoute(locale)
  return { ...mount, folder, routes: mount.routes.map((route) => prefix + route), isCopy: true, original: mount.folder }
}
