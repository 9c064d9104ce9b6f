// The ground of all checks of pages: the paths of the repository, and its sites, with the files that configure them. A check that
// finds the ground of an earlier one unchanged takes it over, object by object, so comparing it costs nothing afterwards.

import { createFileIndex, type FileIndex } from './rules/file-index.ts'
import { findSites, type NamedSite } from '../sites/find-sites.ts'
import { readIgnored } from '../sites/ignored.ts'
import type { Site } from '../sites/site.ts'
import { type ConfigReader, contentOf, openFiles } from '../sites/site-files.ts'
import type { SiteTree, TreeFile } from '../sites/tree.ts'

export type Ground = {
  /** All files. */
  readonly files: FileIndex
  readonly sites: readonly Site[]
  /** Whether git ignores the path: a program makes the file. */
  readonly isUntracked: (path: string) => boolean
  /** The sites that the settings name, as JSON. */
  readonly named: string
  /** The files that were read to find the sites: the id of each content by its path. */
  readonly read: ReadonlyMap<string, string>
}

type Options = {
  readonly facts: ConfigReader
  /** The sites that the settings name. */
  readonly sites?: readonly NamedSite[]
}

/** Returns `previous` itself if nothing of it has changed. */
export async function findGround(
  tree: SiteTree,
  { facts, sites: wanted = [] }: Options,
  previous: Ground | undefined,
): Promise<Ground> {
  const entries = tree.entries()
  const named = JSON.stringify(wanted)
  if (previous?.named === named && isSame(previous, entries)) return previous
  const read = new Map<string, string>()
  const files = openFiles(tree, facts, read)
  const sites = await findSites(files, wanted)
  const isUntracked = await readIgnored(files)
  return { files: createFileIndex(files.paths), sites, isUntracked, named, read }
}

function isSame({ files, read }: Ground, entries: readonly TreeFile[]): boolean {
  if (files.paths.length !== entries.length) return false
  return entries.every(
    (file, at) => file.path === files.paths[at] && (!read.has(file.path) || read.get(file.path) === contentOf(file)),
  )
}
