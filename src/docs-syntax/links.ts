// Resolves the address of a link on a page to a file, and writes an address in the same style for another file. A site may
// be in a folder of the repository, and addresses may omit the extension. Works on paths only and reads no file.

import { posix } from 'node:path'
import { decodePercent } from '../lib/plain-text.ts'

/** A folder whose files are served below `route`: `''`, or such as `/docs`. */
export type DocsRoot = { readonly folder: string; readonly route: string }

export type DocsTree = {
  has(path: string): boolean
  /** The folders that a leading slash may refer to in this file, the most likely one first. Includes asset folders. */
  roots(path: string): readonly DocsRoot[]
}

/**
 * The file that an address names, and in which form: `exact` with its extension, `page` without, `index` by its folder,
 * `html` as it is built, `self` by a fragment only (`#x`).
 */
export type Target = {
  readonly path: string
  readonly form: 'exact' | 'page' | 'index' | 'html' | 'self'
  /** The folder that the address is relative to, and the address of that folder. */
  readonly base: string
  readonly route: string
  readonly isRooted: boolean
  /** Query and fragment, as written. */
  readonly suffix: string
}

const pageExtensions = ['.mdx', '.md', '.markdown', '.rst'] as const
const indexNames = ['index', '_index', 'README', 'readme'] as const
const contentFolders = /^(?:docs|content|pages)$/

/** `roots`: the folders of pages that are known besides those that the paths show. */
export function createDocsTree(paths: readonly string[], roots: readonly DocsRoot[] = []): DocsTree {
  const files = new Set(paths)
  return { has: (path) => files.has(path), roots: (path) => rootsOf(path, roots) }
}

/** Returns the file that `address` on the page `from` names; undefined for other sites and missing files. */
export function resolveAddress(tree: DocsTree, from: string, address: string): Target | undefined {
  const [, written = '', suffix = ''] = /^([^?#]*)([^]*)$/.exec(address.trim()) ?? []
  if (/^[a-z][\w+.-]*:|^\/\//i.test(written)) return undefined
  const isRooted = written.startsWith('/')
  if (written === '')
    return suffix === '' ? undefined : { path: from, form: 'self', base: '', route: '', isRooted, suffix }
  const roots = isRooted ? tree.roots(from) : [{ folder: posix.dirname(from), route: '' }]
  for (const { folder, route } of roots) {
    const name = nameBelow(route, decodePercent(written))
    const found = name === undefined ? undefined : resolveName(tree, folder, name)
    if (found) return { ...found, base: folder, route, isRooted, suffix }
  }
  return undefined
}

function nameBelow(route: string, address: string): string | undefined {
  if (route === '' || address === route) return address.slice(route.length)
  return address.startsWith(`${route}/`) ? address.slice(route.length) : undefined
}

/** Returns the file that `name` names in the folder `base`: an exact name, a page without extension, or a folder's index. */
export function resolveName(tree: DocsTree, base: string, name: string): Pick<Target, 'path' | 'form'> | undefined {
  const path = trimFolder(posix.join('/', base === '' ? '.' : base, '.', name.replace(/^\/+/, '')))
  if (/^(?:\.\.\/)+/.test(posix.join(base, name.replace(/^\/+/, '')))) return undefined
  if (!name.endsWith('/') && tree.has(path)) return { path, form: 'exact' }
  for (const extension of pageExtensions)
    if (path !== '' && tree.has(path + extension)) return { path: path + extension, form: 'page' }
  for (const index of indexNames)
    for (const extension of pageExtensions) {
      const inside = posix.join(path, index + extension)
      if (tree.has(inside)) return { path: inside, form: 'index' }
    }
  const page = path.endsWith('.html') ? resolveName(tree, '', path.slice(0, -5)) : undefined
  if (page?.form === 'page') return { path: page.path, form: 'html' }
  return undefined
}

/** Returns the name of `path` relative to the folder `base`, in the given form: `guides/x`, `guides/x.mdx`, or the folder. */
export function nameOf(path: string, base: string, form: Target['form']): string {
  const relative = posix.relative(`/${base}`, `/${path}`)
  if (form === 'exact' || !pageExtensions.some((extension) => path.endsWith(extension))) return relative
  const page = relative.slice(0, -posix.extname(relative).length)
  if (form === 'html') return `${page.replace(/(^|\/)readme$/i, '$1index')}.html`
  return form === 'index' ? page.replace(/(^|\/)(?:_?index|readme)$/i, '') : page
}

/** Returns the address of `path` for the page `from`, in the style of `address`, which resolved to `target`. */
export function writeAddress(
  tree: DocsTree,
  from: string,
  link: { address: string; target: Target; path: string },
): string {
  const { address, target, path } = link
  const written = address.slice(0, address.length - target.suffix.length)
  const name = target.isRooted ? rootedName(tree, from, link) : nameOf(path, posix.dirname(from), target.form)
  const dotted = written.startsWith('./') && !name.startsWith('.') ? `./${name}` : name === '' ? './' : name
  const whole = written !== '/' && written.endsWith('/') && !dotted.endsWith('/') ? `${dotted}/` : dotted
  const encoded = written.includes('%') ? encodeURI(whole) : whole
  return (
    encoded.replace(/[\s()<>"'`\\{}|^]/g, (character) => encodeURIComponent(character).replace(/^[()']$/, hex)) +
    target.suffix
  )
}

function rootedName(tree: DocsTree, from: string, link: { target: Target; path: string }): string {
  const own = { folder: link.target.base, route: link.target.route }
  const root = [own, ...tree.roots(from)].find(({ folder }) => inside(folder, link.path) !== undefined)
  const name = nameOf(link.path, root?.folder ?? '', link.target.form)
  return name === '' && root?.route ? root.route : `${root?.route ?? ''}/${name}`
}

function rootsOf(path: string, sites: readonly DocsRoot[]): DocsRoot[] {
  const folders = ancestors(path)
  // The site that has the file first, with its nearest folder.
  const known = sites
    .filter(({ folder }) => inside(folder, path) !== undefined)
    .toSorted((a, b) => b.folder.length - a.folder.length)
  const others = sites.filter(({ route }) => route !== '')
  const likely = folders.filter((folder) => contentFolders.test(posix.basename(folder)))
  const plain = [...known.map(({ folder }) => folder), ...likely, '']
  const assets = plain.flatMap((root) => [posix.join(root, 'static'), posix.join(root, 'public')])
  const unrouted = [...plain, ...assets].map((folder) => ({ folder, route: '' }))
  const all = [...known, ...others, ...unrouted]
  return [...new Map(all.map((root) => [`${root.route} ${root.folder}`, root])).values()]
}

/** Returns the path relative to a folder (`''` is the root); undefined if it is not inside. */
export function inside(folder: string, path: string): string | undefined {
  if (folder === '') return path
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined
}

/** Returns the folders above a file, the nearest first, without the root (''). */
function ancestors(path: string): string[] {
  const folders: string[] = []
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) folders.push(folder)
  return folders
}

function trimFolder(path: string): string {
  return path.replace(/^\/+|\/+$/g, '')
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
