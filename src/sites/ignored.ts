// Which files git ignores, by the `.gitignore` files of a repository. A page that a program writes before the build is
// ignored, so a link to it is not a fault.

import { createGlobMatcher, escapeGlob } from '../docs-syntax/glob.ts'
import { folderOf } from './names.ts'
import type { SiteFiles } from './site.ts'

const maxPatterns = 500

/** Patterns that take back another one (`!`) are left out, so a few files too many count as ignored. */
export async function readIgnored(files: SiteFiles): Promise<(path: string) => boolean> {
  const lists = files.paths.filter((path) => /(?:^|\/)\.gitignore$/.test(path))
  const globs = await Promise.all(
    lists.map(async (path) =>
      ((await files.text(path)) ?? '').split('\n').flatMap((line) => toIgnoredGlobs(folderOf(path), line)),
    ),
  )
  const known = new Map<string, boolean>()
  const matches = createGlobMatcher(globs.flat().slice(0, maxPatterns))
  return (path) => {
    const found = known.get(path) ?? matches(path)
    known.set(path, found)
    return found
  }
}

/** The globs of a line of `.gitignore`. */
export function toIgnoredGlobs(folder: string, written: string): string[] {
  const line = written.trim()
  if (line === '' || /^[#!]/.test(line) || line.length > 200) return []
  const name = line.replace(/^\/|\/$/g, '')
  const start = folder === '' ? '' : `${escapeGlob(folder)}/`
  const anywhere = line.replace(/\/$/, '').includes('/') ? '' : '**/'
  // A pattern for all files would make every link unknown.
  if (/^\**$/.test(name)) return []
  return [start + anywhere + name, `${start}${anywhere}${name}/**`]
}
