// Finds the parts of a site that programs write, by the marks at the top of a few pages of each folder. A sample: it reads
// at most 48 pages, so a page that it does not name may be generated too.

import { isGenerated } from '../../../agent/rules/left-alone/left-alone.ts'
import type { GeneratedPart } from '../../../agent/guidance/brief.ts'
import type { SiteTree, TreeFile } from '../../../sites/tree.ts'

const maxPages = 48
const maxBytes = 200_000
const headBytes = 2_000

/** `pages`: in order of path. The largest folders come first. */
export async function findGenerated(tree: SiteTree, pages: readonly string[]): Promise<readonly GeneratedPart[]> {
  const files = new Map(tree.entries().map((file) => [file.path, file]))
  const folders = [...Map.groupBy(pages, (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))]
  const largest = folders.toSorted(([a, m], [b, n]) => n.length - m.length || (a < b ? -1 : 1))
  const samples = largest.map(([folder, own]) => ({ folder, sample: pickThree(own, files), count: own.length }))
  const parts: GeneratedPart[] = []
  let read = 0
  for (const { folder, sample, count } of samples) {
    if (read + sample.length > maxPages) break
    read += sample.length
    const marked = await Promise.all(sample.map((path) => isMarked(tree, path)))
    const found = sample.filter((_, at) => marked[at])
    // One page alone says nothing about its folder.
    if (found.length > 0) parts.push({ folder, all: count > 1 && found.length === sample.length, pages: found })
  }
  return parts
}

function pickThree(pages: readonly string[], files: ReadonlyMap<string, TreeFile>): string[] {
  const small = pages.filter((path) => (files.get(path)?.size ?? Infinity) <= maxBytes)
  const picked = [small[0], small[Math.floor(small.length / 2)], small.at(-1)].filter((path) => path !== undefined)
  return [...new Set(picked)]
}

async function isMarked(tree: SiteTree, path: string): Promise<boolean> {
  const bytes = await tree.read(path)
  return bytes !== undefined && isGenerated(path, new TextDecoder().decode(bytes.subarray(0, headBytes)))
}
