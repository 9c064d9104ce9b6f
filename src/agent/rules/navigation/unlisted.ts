// Finds the pages that a navigation lacks: it names at least half of the pages of their folder, and not these.

import { posix } from 'node:path'
import { type NavigationFile, readNavigation } from './readings.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { Layout } from '../script.ts'
import { contentFolders } from './site-files.ts'

/** Parts of other pages, and pages that no navigation names. */
const apart =
  /(?:^|\/)(?:_[^/]*|\.[^/]*|node_modules|snippets?|partials?|includes?)\/|(?:^|\/)(?:_[^/]*|index|404|[A-Z_]+)\.\w+$/

/** Returns paths in order. */
export function findUnlisted(files: readonly NavigationFile[], layout: Layout): string[] {
  const { paths } = layout
  const folders = contentFolders(layout)
  const pages = paths.filter(
    (path) => isPagePath(path) && !apart.test(path) && folders.some((folder) => isBelow(folder, path)),
  )
  const bases = [...new Set(['', ...folders, ...pages.map((path) => folderOf(path))])]
  const listed = new Set(readNavigation(files, paths, bases).flatMap(({ named }) => named.map(({ page }) => page)))
  return [...Map.groupBy(pages, folderOf).values()]
    .flatMap((all) => {
      const missing = all.filter((path) => !listed.has(path))
      return missing.length * 2 <= all.length ? missing : []
    })
    .toSorted()
}

function folderOf(path: string): string {
  return posix.dirname(path).replace(/^\.$/, '')
}

function isBelow(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}
