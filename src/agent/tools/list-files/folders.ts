// Sums a list of files up by folder: the folders at a depth with the number of their files, and the files above it.

import { count, showPath } from '../result.ts'
import type { WorkspaceEntry } from '../../workspace.ts'

/** The most lines of an overview without a given depth, unless one level has more. */
const overviewLines = 40

type Item = { readonly path: string; readonly files: number } | { readonly entry: WorkspaceEntry }

/** `root` is '' or a folder with its slash; depth 1 shows what is directly in it. */
export function sumFolders(entries: readonly WorkspaceEntry[], root: string, depth: number): readonly Item[] {
  const folders = new Map<string, number>()
  const items: { key: string; item?: Item }[] = []
  for (const entry of entries) {
    const parts = entry.path.slice(root.length).split('/')
    if (!entry.path.startsWith(root) || parts.length <= depth) {
      items.push({ key: entry.path, item: { entry } })
      continue
    }
    const folder = `${root}${parts.slice(0, depth).join('/')}/`
    if (!folders.has(folder)) items.push({ key: folder })
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  return items.map(({ key, item }) => item ?? { path: key, files: folders.get(key) ?? 0 })
}

/** Chooses the largest depth whose overview stays short; 1 at least. */
export function chooseDepth(entries: readonly WorkspaceEntry[]): number {
  const fits = [4, 3, 2].find((depth) => sumFolders(entries, '', depth).length <= overviewLines)
  return fits ?? 1
}

/** Returns the folder in which all paths lie that fit the glob, with its slash; '' for the root. */
export function rootOf(glob: string | undefined): string {
  if (glob === undefined || /^!|,/.test(glob)) return ''
  const plain = glob.trim().replace(/^\.?\//, '')
  if (!/[*?[{]/.test(plain)) return plain === '' || plain === '.' ? '' : `${plain.replace(/\/+$/, '')}/`
  const fixed = /^[^*?[{]*\//.exec(plain)?.[0]
  return fixed ?? ''
}

export function showItem(item: Item): string {
  return 'entry' in item ? showEntry(item.entry) : `${showPath(item.path)}\t${count(item.files, 'file')}`
}

export function showEntry({ path, kind, size }: WorkspaceEntry): string {
  return `${showPath(path)}\t${kind === 'file' ? size : kind}`
}
