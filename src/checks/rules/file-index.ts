// The paths of a repository, in the form in which the rules ask for them. Built again only when a path came or went.

import { posix } from 'node:path'

export type FileIndex = {
  /** All files. */
  readonly paths: readonly string[]
  has(path: string): boolean
  /** Whether there is a file below the folder. */
  hasFolder(folder: string): boolean
}

export function createFileIndex(paths: readonly string[]): FileIndex {
  const files = new Set(paths)
  const folders = foldersOf(paths)
  return { paths, has: (path) => files.has(path), hasFolder: (folder) => folders.has(folder) }
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>([''])
  for (const path of paths) {
    for (let folder = posix.dirname(path); folder !== '.' && !folders.has(folder); folder = posix.dirname(folder)) {
      folders.add(folder)
    }
  }
  return folders
}
