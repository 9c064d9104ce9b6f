// Detects clashes of names in a tree: a new file that would collide with a folder, be below a file or a link, or differ
// from another name only where some file systems see no difference (`README.md` and `Readme.md`).

import { shorten } from '../../lib/plain-text.ts'
import { collisionKey } from './path.ts'
import type { TreeEntry } from '../types.ts'

export interface Names {
  /** Adds a file. The path must be free, and `clash` must not object to it. */
  add(path: string, kind: TreeEntry['kind']): void
  remove(path: string): void
  /** Explains why no new file can be created at this path; null when one can. The path is not in the tree. */
  clash(path: string): string | null
}

type Name = {
  readonly kind: TreeEntry['kind'] | 'folder'
  readonly children: Map<string, Name>
  /** The names of the children by the key under which a file system may know them. */
  readonly byKey: Map<string, string[]>
}

/** Takes time and memory in proportion to the length of all paths; 5,000 take about 10 ms. */
export function createNames(entries: readonly TreeEntry[]): Names {
  const root = createName('folder')
  for (const entry of entries) add(root, entry.path.split('/'), entry.kind)
  return {
    add: (path, kind) => add(root, path.split('/'), kind),
    remove: (path) => remove(root, path.split('/')),
    clash: (path) => clash(root, path.split('/')),
  }
}

const described: Readonly<Record<Name['kind'], string>> = {
  file: 'a file',
  symlink: 'a symbolic link',
  submodule: 'a submodule',
  unnameable: 'a file',
  folder: 'a folder',
}

function createName(kind: Name['kind']): Name {
  return { kind, children: new Map(), byKey: new Map() }
}

function clash(root: Name, segments: readonly string[]): string | null {
  let folder = root
  for (const [index, segment] of segments.entries()) {
    const shown = (name: string): string => quote([...segments.slice(0, index), name].join('/'))
    const child = folder.children.get(segment)
    const isLast = index === segments.length - 1
    if (child === undefined) {
      const [other] = folder.byKey.get(collisionKey(segment)) ?? []
      return other === undefined ? null : `${shown(other)} exists, which is the same name on some file systems`
    }
    if (!isLast && child.kind !== 'folder') return `${shown(segment)} is ${described[child.kind]}, not a folder`
    if (isLast) return `it is ${described[child.kind]}`
    folder = child
  }
  return null
}

function add(root: Name, segments: readonly string[], kind: TreeEntry['kind']): void {
  let folder = root
  for (const [index, segment] of segments.entries()) {
    const known = folder.children.get(segment)
    const child = known ?? createName(index === segments.length - 1 ? kind : 'folder')
    if (known === undefined) {
      folder.children.set(segment, child)
      const key = collisionKey(segment)
      folder.byKey.set(key, [...(folder.byKey.get(key) ?? []), segment])
    }
    folder = child
  }
}

/** Also removes folders that become empty, as git does. */
function remove(root: Name, segments: readonly string[]): void {
  const way: Name[] = [root]
  for (const segment of segments) {
    const child = way.at(-1)?.children.get(segment)
    if (child === undefined) return
    way.push(child)
  }
  for (const [index, segment] of [...segments.entries()].toReversed()) {
    const folder = way[index]
    if (folder === undefined || (way[index + 1]?.children.size ?? 0) > 0) return
    folder.children.delete(segment)
    const key = collisionKey(segment)
    folder.byKey.set(
      key,
      (folder.byKey.get(key) ?? []).filter((name) => name !== segment),
    )
  }
}

function quote(path: string): string {
  return JSON.stringify(shorten(path, 300))
}
