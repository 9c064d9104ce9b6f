// Says which files a pull request changes: pages, other files of the documentation, and files outside of it. Pure.

import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { ChangedFile, FileDiff } from '../../../git/types.ts'
import { inlineCode } from '../../../lib/plain-text.ts'
import { siteData } from '../../../sites/by-path/known-files.ts'
import { findSiteConfig } from '../../policy/site-code.ts'
import { count, titled } from './lists.ts'

const verbs: readonly (readonly [FileDiff['status'], string])[] = [
  ['modified', 'changed'],
  ['added', 'added'],
  ['deleted', 'deleted'],
  ['renamed', 'moved'],
]

/** Media and styles of a site. */
const media = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|pdf|css|scss|woff2?)$/i

const room = { lines: 20, characters: 2_400 }

/** `before`: all files before the change. Returns those after it. */
export function pathsAfter(before: readonly string[], files: readonly ChangedFile[]): readonly string[] {
  const gone = new Set(files.map(({ path, previousPath, status }) => (status === 'deleted' ? path : previousPath)))
  const added = files.flatMap(({ path, status }) => (status === 'added' || status === 'renamed' ? [path] : []))
  return [...before.filter((path) => !gone.has(path)), ...added]
}

/** `paths`: all files of the repository after the change. */
export function sayChanged(files: readonly ChangedFile[], paths: readonly string[]): readonly string[] {
  const isOfDocs = createIsOfDocs(files, paths)
  const groups = Map.groupBy(files, ({ path }) => (isPagePath(path) ? 'page' : isOfDocs(path) ? 'docs' : 'outside'))
  const pages = groups.get('page') ?? []
  const docs = groups.get('docs') ?? []
  const outside = groups.get('outside') ?? []
  return [
    pages.length === 0 ? '**Pages:** none changed' : titled(`Pages: ${sayCounts(pages)}`, pages.map(sayFile), room),
    titled(`Other files of the documentation: ${sayCounts(docs)}`, docs.map(sayFile), room),
    titled(`Files outside the documentation: ${sayCounts(outside)}`, outside.map(sayFile), room),
  ]
}

/** The files that are neither pages nor other files of the documentation. `paths`: as for `sayChanged`. */
export function findOutside(files: readonly ChangedFile[], paths: readonly string[]): readonly ChangedFile[] {
  const isOfDocs = createIsOfDocs(files, paths)
  return files.filter(({ path }) => !isPagePath(path) && !isOfDocs(path))
}

/** `2 changed, 1 moved` */
function sayCounts(files: readonly ChangedFile[]): string {
  return verbs
    .map(([status, verb]) => [files.filter((file) => file.status === status).length, verb] as const)
    .filter(([number]) => number > 0)
    .map(([number, verb]) => `${count(number)} ${verb}`)
    .join(', ')
}

function sayFile({ path, previousPath, status }: ChangedFile): string {
  if (status === 'renamed' && previousPath !== null) return `moved ${inlineCode(previousPath)} to ${inlineCode(path)}`
  return `${verbs.find(([one]) => one === status)?.[1] ?? 'changed'} ${inlineCode(path)}`
}

/**
 * Media, configuration of a site, and every file below a folder with at least as many pages as other files. The root of
 * the repository is not such a folder.
 */
function createIsOfDocs(files: readonly ChangedFile[], paths: readonly string[]): (path: string) => boolean {
  const asked = files.map(({ path }) => path).filter((path) => !isPagePath(path) && !isOfSite(path))
  const folders = new Map<string, number>(
    asked.flatMap((path) => foldersOf(path).map((folder) => [folder, 0] as const)),
  )
  const known = asked.length === 0 ? [] : [...new Set([...paths, ...files.map(({ path }) => path)])]
  for (const path of known) {
    const weight = isPagePath(path) ? 1 : isOfSite(path) ? 0 : -1
    for (const folder of foldersOf(path)) {
      const pages = folders.get(folder)
      if (pages !== undefined) folders.set(folder, pages + weight)
    }
  }
  return (path) =>
    isOfSite(path) ||
    foldersOf(path).some((folder) => (folders.get(folder) ?? -1) >= 0) ||
    findSiteConfig(path) !== undefined
}

function isOfSite(path: string): boolean {
  return media.test(path) || siteData.test(path)
}

/** The folders of a path, without the root: `a/b/c.md` is in `a` and `a/b`. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
