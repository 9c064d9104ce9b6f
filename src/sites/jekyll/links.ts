// The links of a page that Liquid writes: `link` and `post_url` name files, `relative_url` and `site.baseurl` are before
// addresses.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import { type Address, parseAddress } from '../address.ts'
import { splitName, withoutExtension } from '../names.ts'
import type { Site, SiteFiles } from '../site.ts'
import type { JekyllConfig } from './config.ts'

type Folders = { readonly source: string; readonly settings: JekyllConfig }

const host = /^(?:\{\{-?\s*site\.(?:url|baseurl)\s*-?\}\})+(?=[/{]|$)/
const tag = /^(\{%-?\s*)(link|post_url)(\s+)([^\s{}%|]{1,500})(\s*-?%\}[^{}%]*)$/
const filtered =
  /^\{\{-?\s*(["'])(\/?[^"'{}]{0,500})\1\s*\|\s*(?:relative_url|absolute_url|prepend:\s*site\.baseurl)\s*-?\}\}([^{}%]*)$/

/** `{% link _docs/a.md %}#b` is a file; `{{ '/a/' | relative_url }}` and `{{ site.baseurl }}/a` are `/a`. */
export function createAddressOf(folders: Folders, files: SiteFiles): Site['addressOf'] {
  const { source, settings } = folders
  const { base, strings, collectionsFolder } = settings
  const posts = new Map(
    files.paths.flatMap((path) => {
      const name = postName(folders, path)
      return name === undefined ? [] : [[posix.basename(name), path] as const, [name, path] as const]
    }),
  )
  const pathsOf = (kind: string, name: string): string[] => {
    const post = posts.get(name) ?? posts.get(posix.basename(name))
    if (kind === 'post_url') return post === undefined ? [] : [post]
    return [posix.join(source, name), posix.join(source, collectionsFolder, name)]
  }
  const otherwise = files.paths.some((path) => inside(source, path)?.startsWith('_plugins/')) ? 'code' : undefined
  const read = (url: string, path: string): Address => {
    const known = url.replace(/\{\{-?\s*site\.(\w+)\s*-?\}\}/g, (whole, name: string) => strings.get(name) ?? whole)
    const [, , kind, , name = '', rest = ''] = tag.exec(known) ?? []
    const { fragment } = splitName(rest)
    if (kind !== undefined)
      return { kind: 'named', paths: pathsOf(kind, name.replace(/^\//, '')), ids: [], fragment, otherwise }
    const [, , address, end = ''] = filtered.exec(known) ?? []
    return parseAddress({ site: { base }, path }, address === undefined ? known : posix.join('/', address) + end)
  }
  return ({ url }, path) => (/[{%]/.test(url) ? read(url.trim().replace(host, '') || '/', path) : undefined)
}

/** A post that becomes another page is named by `link`. */
export function createNameFor(folders: Folders): Site['nameFor'] {
  return ({ url }, _page, to) => {
    const at = url.indexOf('{%')
    const [, open = '', kind, space = '', , rest = ''] = tag.exec(url.slice(at)) ?? []
    const name = nameIn(folders, to)
    if (kind === undefined || name === undefined || /[\s{}%|]/.test(name)) return undefined
    const post = kind === 'post_url' ? postName(folders, to) : undefined
    const words = post === undefined ? ['link', name] : ['post_url', post]
    return `${url.slice(0, at)}${open}${words.join(space)}${rest}`
  }
}

/** As tags name a file: `_docs/a.md`, wherever the collections are. */
function nameIn({ source, settings }: Folders, path: string): string | undefined {
  const name = inside(source, path)
  return name === undefined ? undefined : (inside(settings.collectionsFolder, name) ?? name)
}

/** `2024-02-03-news`, or `notes/2024-02-03-news` for one in a folder. */
function postName(folders: Folders, path: string): string | undefined {
  const [, above = '', own] = /^(?:(.*)\/)?_posts\/(.+\.\w+)$/.exec(nameIn(folders, path) ?? '') ?? []
  return own === undefined ? undefined : withoutExtension(posix.join(above, own))
}
