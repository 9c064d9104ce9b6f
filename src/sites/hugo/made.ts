// Says what Hugo serves at an address that no page of the repository has: lists of sections and taxonomies, resources of
// bundles, pages in other syntaxes, and what modules and programs add.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { isPagePath } from '../../docs-syntax/markdown.ts'
import { isBelow, routeOf } from '../address.ts'
import type { Mount, Site, SiteFiles } from '../site.ts'
import { hasFile } from '../site-files.ts'
import { addressOf, isContent, prefixOf, sanitise, toLogical } from './names.ts'
import type { HugoMount, HugoSettings } from './settings.ts'

/** `others`: folders that are mounted again, for languages whose own pages are missing. */
export type ContentMounts = {
  readonly mounts: readonly Mount[]
  readonly byFolder: ReadonlyMap<string, HugoMount>
  readonly others: readonly HugoMount[]
}

export function createMadeAt(settings: HugoSettings, content: ContentMounts, files: SiteFiles): Site['madeAt'] {
  const known = routesOf(settings, content, files)
  const prefixes = settings.languages
    .map((language) => prefixOf(settings, language))
    .toSorted((a, b) => b.length - a.length)
  const outside = outsideRoutes(settings, content, files)
  const hasUnknown = [...settings.permalinks.values()].some((pattern) =>
    /:(?!year|month|day|section|title|slug|filename|contentbasename)/.test(pattern),
  )
  return (route, isRooted) => {
    const prefix = prefixes.find((one) => one !== '' && isBelow(one, route)) ?? ''
    const rest = route.slice(prefix.length) || '/'
    if (known.exact.has(route) || rest === '/' || rest === '/404') return 'page'
    const [, first = ''] = rest.split('/', 2)
    if (settings.writesRedirects && first === settings.languages[0] && !settings.isMainBelow) return 'redirect'
    if (settings.taxonomies.includes(first) || /\/page\/\d+$/.test(rest)) return 'generated'
    const plain = sanitise(settings, rest).replace(/\.md$/, '')
    if (outside.some((one) => isBelow(one, plain))) return 'outside'
    if (known.adapted.some((one) => one === '/' || isBelow(one, rest))) return 'code'
    const ending = posix.extname(rest)
    if (isRooted && settings.hasOutside && /^\.(?!html?$|md$)[a-z]\w{1,5}$/i.test(ending)) return 'outside'
    if (settings.hasOutputs && /^\.(?:json|xml|txt|ics|csv|webmanifest)$/i.test(ending)) return 'generated'
    return hasUnknown ? 'generated' : undefined
  }
}

type Routes = { readonly exact: ReadonlySet<string>; readonly adapted: readonly string[] }

/** Resources, sections without a page of their own, and pages that are not Markdown. */
function routesOf(settings: HugoSettings, { byFolder }: ContentMounts, { paths }: SiteFiles): Routes {
  const exact = new Set<string>()
  const adapted: string[] = []
  for (const path of paths) {
    const found = [...byFolder].find(([folder]) => inside(folder, path) !== undefined)
    const name = found && inside(found[0], path)
    if (!found || name === undefined) continue
    const [, mount] = found
    const logical = toLogical(settings, mount, name)
    const prefix = prefixOf(settings, logical.language)
    const folder = posix.dirname(posix.join(mount.target.replace(/^content\/?/, ''), name)).replace(/^\.$/, '')
    if (/(?:^|\/)_content\.gotmpl$/.test(name)) adapted.push(routeOf(`${prefix}/${sanitise(settings, folder)}`))
    else if (!isPagePath(name)) {
      if (isContent(name)) exact.add(addressOf(settings, logical, null))
      exact.add(routeOf(`${prefix}/${sanitise(settings, folder)}/${posix.basename(name)}`))
    }
    const [section = ''] = folder.split('/', 1)
    if (section !== '' && isContent(name)) exact.add(`${prefix}/${sanitise(settings, section)}`)
  }
  return { exact, adapted }
}

/** Folders whose files a module has, or a program writes before the build, and files that are mounted one by one. */
function outsideRoutes(settings: HugoSettings, { others }: ContentMounts, files: SiteFiles): string[] {
  const content = settings.mounts.filter(({ target }) => target.startsWith('content/') || target.startsWith('static/'))
  return [...content, ...others].flatMap(({ source, target }) => {
    if (hasFile(source, files) && target.startsWith('content/')) return []
    const below = target
      .replace(/^(?:content|static)\/?/, '')
      .replace(/\.(?:md|html)$/, '')
      .replace(/(?:^|\/)_?index$/, '')
    return below === '' ? [] : [`/${sanitise(settings, below)}`]
  })
}
