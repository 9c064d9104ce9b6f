// The files of a repository as sites are found in them: their paths, and the texts and strings of those that configure
// something, each read once.

import { inside } from '../docs-syntax/links.ts'
import { isPagePath } from '../docs-syntax/markdown.ts'
import type { ConfigFacts } from './config-strings.ts'
import type { SiteFiles } from './site.ts'
import type { SiteTree, TreeFile } from './tree.ts'

/** Where the strings of a configuration come from: at once if they are known. */
export type ConfigReader = { config(file: TreeFile, tree: SiteTree): ConfigFacts | Promise<ConfigFacts> }

/** The files of a tree as sites are found in them. Reads each text once, and notes in `seen` what it read. */
export function openFiles(tree: SiteTree, facts: ConfigReader, seen = new Map<string, string>()): SiteFiles {
  const known = new Map(tree.entries().map((file) => [file.path, file]))
  const texts = new Map<string, Promise<string | undefined>>()
  const fileOf = (path: string) => {
    const file = known.get(path)
    if (file) seen.set(path, contentOf(file))
    return file
  }
  const read = async (path: string) => {
    const bytes = fileOf(path) && (await tree.read(path))
    return bytes && new TextDecoder().decode(bytes)
  }
  return {
    paths: [...known.keys()],
    has: (path) => known.has(path),
    text: (path) => {
      const text = texts.get(path) ?? read(path)
      texts.set(path, text)
      return text
    },
    config: async (path) => {
      const file = fileOf(path)
      return file ? await facts.config(file, tree) : { strings: [], problem: null }
    },
  }
}

/** Whether the folder, or a folder below it, has a file. */
export function hasFile(folder: string, { paths }: SiteFiles): boolean {
  return paths.some((path) => inside(folder, path) !== undefined)
}

/** Whether the folder, or a folder below it, has a page by its name. */
export function hasPage(folder: string, { paths }: SiteFiles): boolean {
  return paths.some((path) => isPagePath(path) && inside(folder, path) !== undefined)
}

/** Names what a file of a tree contains: it changes with its kind and its bytes. */
export function contentOf({ kind, oid }: TreeFile): string {
  return `${kind} ${oid}`
}
