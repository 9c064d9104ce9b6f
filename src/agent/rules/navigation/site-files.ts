// Finds the files that hold the navigation for a page, and the folders of pages, in the layout of a repository. Reads no file.

import { inside } from '../../../docs-syntax/links.ts'
import type { Layout } from '../script.ts'

const maxFiles = 20

/** The files that share the most folders with the page come first. */
export function navigationFiles(path: string, { sites, paths }: Layout): string[] {
  const present = new Set(paths)
  const found = [...new Set(sites.flatMap(({ configs }) => configs))].filter((one) => present.has(one))
  return found.toSorted((a, b) => sharedFolders(b, path) - sharedFolders(a, path)).slice(0, maxFiles)
}

/** The folders of the pages of each site; '' for the root of the repository. */
export function contentFolders({ sites, paths }: Layout): string[] {
  const folders = new Set(sites.flatMap(({ roots }) => roots.map(({ folder }) => folder)))
  return [...folders].filter((folder) => paths.some((path) => inside(folder, path) !== undefined))
}

function sharedFolders(a: string, b: string): number {
  const others = b.split('/').slice(0, -1)
  const differs = a
    .split('/')
    .slice(0, -1)
    .findIndex((part, at) => part !== others[at])
  return differs === -1 ? a.split('/').length - 1 : differs
}
