// Resolves the address of a link on a page to a file, and writes an address in the same style for another file. A site may
// be in a folder of the repository, and addresses may omit the extension. Works on paths only and reads no file.

import { posix } from 'node:path'

export type DocsTree = {
  has(path: string): boolean
  /** The folders that a leading slash may refer to in this file, the most likely one first. Includes asset folders. */
  roots(path: string): readonly string[]
}

/**
 * The file that an address names, and in which form: `exact` with its extension, `page` without, `index` by its folder,
 * `self` by a fragment only (`#x`).
 */
export type Target = {
  readonly path: string
  readonly form: 'exact' | 'page' | 'index' | 'self'
  /** The folder that the address is relative to. */
  readonly base: string
  readonly isRooted: boolean
  /** Query and fragment, as written. */
  readonly suffix: string
}

const pageExtensions = ['.mdx', '.md', '.markdown'] as const
const indexNames = ['index', 'README', 'readme'] as const
const siteConfigs = /^(?:docs|mint)\.json$/
const contentFolders = /^(?:docs|content|pages)$/

/** `folders`: folders of pages that are known besides those that the paths show. */
export function createDocsTree(paths: readonly string[], folders: readonly string[] = []): DocsTree {
  const files = new Set(paths)
  const sites = new Set(folders)
  for (const path of paths) {
    const { dir, base } = posix.parse(path)
    if (siteConfigs.test(base)) sites.add(dir)
    else if (/^mkdocs\.ya?ml$/.test(base)) sites.add(posix.join(dir, 'docs'))
  }
  return { has: (path) => files.has(path), roots: (path) => rootsOf(path, sites) }
}

/** Returns the file that `address` on the page `from` names; undefined for other sites and missing files. */
export function resolveAddress(tree: DocsTree, from: string, address: string): Target | undefined {
  const [, written = '', suffix = ''] = /^([^?#]*)([^]*)$/.exec(address.trim()) ?? []
  if (/^[a-z][\w+.-]*:|^\/\//i.test(written)) return undefined
  const isRooted = written.startsWith('/')
  if (written === '') return suffix === '' ? undefined : { path: from, form: 'self', base: '', isRooted, suffix }
  const bases = isRooted ? tree.roots(from) : [posix.dirname(from)]
  for (const base of bases) {
    const found = resolveName(tree, base, decode(written))
    if (found) return { ...found, base, isRooted, suffix }
  }
  return undefined
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
  return undefined
}

/** Returns the name of `path` relative to the folder `base`, in the given form: `guides/x`, `guides/x.mdx`, or the folder. */
export function nameOf(path: string, base: string, form: Target['form']): string {
  const relative = posix.relative(`/${base}`, `/${path}`)
  if (form === 'exact' || !pageExtensions.some((extension) => path.endsWith(extension))) return relative
  const page = relative.slice(0, -posix.extname(relative).length)
  return form === 'index' ? page.replace(/(^|\/)(?:index|readme)$/i, '') : page
}

/** Returns the address of `path` for the page `from`, in the style of `address`, which resolved to `target`. */
export function writeAddress(
  tree: DocsTree,
  from: string,
  link: { address: string; target: Target; path: string },
): string {
  const { address, target, path } = link
  const written = address.slice(0, address.length - target.suffix.length)
  const name = target.isRooted ? `/${rootedName(tree, from, link)}` : nameOf(path, posix.dirname(from), target.form)
  const dotted = written.startsWith('./') && !name.startsWith('.') ? `./${name}` : name === '' ? './' : name
  const whole = written !== '/' && written.endsWith('/') && !dotted.endsWith('/') ? `${dotted}/` : dotted
  const encoded = written.includes('%') ? encodeURI(whole) : whole
  return (
    encoded.replace(/[\s()<>"'`\\{}|^]/g, (character) => encodeURIComponent(character).replace(/^[()']$/, hex)) +
    target.suffix
  )
}

function rootedName(tree: DocsTree, from: string, link: { target: Target; path: string }): string {
  const holds = (root: string): boolean => root === '' || link.path.startsWith(`${root}/`)
  const base = holds(link.target.base) ? link.target.base : (tree.roots(from).find(holds) ?? '')
  return nameOf(link.path, base, link.target.form)
}

function rootsOf(path: string, sites: ReadonlySet<string>): string[] {
  const folders = ancestors(path)
  const outermost = sites.has('') ? [''] : []
  const known = folders.filter((folder) => sites.has(folder))
  const likely = folders.filter((folder) => contentFolders.test(posix.basename(folder)))
  const roots = [...new Set([...known, ...outermost, ...likely, ''])]
  return [...roots, ...roots.flatMap((root) => [posix.join(root, 'static'), posix.join(root, 'public')])]
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
