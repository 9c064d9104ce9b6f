// The navigation of an Astro project: code, which may read a list of links. Astro has no form for such a list, so a file
// with a usual name counts if most of its links are addresses of pages; in any other one, code makes the addresses.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { isPagePath } from '../../docs-syntax/markdown.ts'
import { isBelow, routeOf } from '../address.ts'
import { type FoundString, readStrings } from '../found-strings.ts'
import type { Mount, Navigation, SiteFiles } from '../site.ts'
import type { Route } from './routes.ts'

type Served = { readonly mounts: readonly Mount[]; readonly routes: readonly Route[]; readonly base: string }

const usualName = /nav|sidebar|menu|config|const|site/i
const listName = /nav|sidebar|menu/i
const linkKeys = /^(?:href|link|url|path|to|slug)$/
const maxLists = 20
const fewestLinks = 3

/** `source`: the folder of the scripts. */
export async function readNavigation(source: string, served: Served, files: SiteFiles): Promise<Navigation> {
  const lists = files.paths.filter((path) => {
    const name = inside(source, path)
    if (name === undefined || !/\.(?:[cm]?[jt]s|json|ya?ml)$/i.test(name)) return false
    return usualName.test(posix.basename(name)) && !/^(?:pages|content)\//.test(name)
  })
  const strings = await readStrings(lists.slice(0, maxLists), files)
  const links = strings.filter(
    ({ keys, value }) => linkKeys.test(keys.at(-1) ?? '') && /^(?!\/\/|[a-z]+:)[\w/-]/i.test(value),
  )
  const known = knownAddresses(served, files)
  const isPage = ({ value }: FoundString) => known.has(toRoute(value, served.base))
  const groups = [...Map.groupBy(links, ({ file }) => file)].filter(([, all]) => all.length >= fewestLinks)
  const [judged, others] = [groups.filter(isMostly(isPage)), groups.filter((group) => !isMostly(isPage)(group))]
  const entries = judged.flatMap(([, all]) => all.filter(({ value }) => value.startsWith('/')))
  return {
    entries: entries.map(({ value, file, line, start, end }) => {
      return { file, line, start, end, name: value, target: { address: value } }
    }),
    folders: [],
    computed: others.flatMap(([file]) => (listName.test(posix.basename(file)) ? [{ file, line: 1 }] : [])),
    lists: entries.length > 0 ? 'usual' : 'some',
  }
}

function isMostly(holds: (one: FoundString) => boolean): (group: readonly [string, readonly FoundString[]]) => boolean {
  return ([, all]) => all.filter(holds).length * 2 > all.length
}

function toRoute(address: string, base: string): string {
  const [path = ''] = address.split(/[?#]/, 1)
  return routeOf(base !== '' && isBelow(base, path) ? path.slice(base.length) : path) || '/'
}

/** Without the frontmatter, which few pages take their address from. */
function knownAddresses({ mounts, routes }: Served, { paths }: SiteFiles): ReadonlySet<string> {
  const pages = mounts.flatMap(({ folder, routes: below, nameOf, isPart }) => {
    const names = isPart ? [] : paths.filter(isPagePath).flatMap((path) => inside(folder, path) ?? [])
    return names.flatMap((name) => below.map((route) => `${route}/${nameOf?.(name, null) ?? ''}`))
  })
  return new Set([...pages, ...routes.map(({ address }) => address)].map((address) => toRoute(address, '')))
}
