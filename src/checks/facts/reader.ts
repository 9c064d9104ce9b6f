// Reads the facts of files, each content once: they are kept by its id. What cannot be read within the limits counts as a
// page without links that may have any anchor.

import { LRUCache } from 'lru-cache'
import type { SiteTree, TreeFile } from '../tree.ts'
import type { DataFacts } from './data-facts.ts'
import type { PageFacts, PageSyntax } from './page-facts.ts'
import { createFactsThreads, type FactsTask } from './threads.ts'

export type FactsReader = {
  page(file: TreeFile, syntax: PageSyntax, tree: SiteTree): Promise<PageFacts>
  data(file: TreeFile, tree: SiteTree): Promise<DataFacts>
  close(): Promise<void>
}

/** Links, headings and references; 1 million of them take about 150 MB. */
const maxKeptParts = 1_000_000
const unreadable = { line: 1, message: 'The page takes too long to parse' }
const noPage: PageFacts = {
  problem: unreadable,
  openFence: null,
  frontmatter: null,
  links: [],
  includes: [],
  headings: [],
  ids: [],
  titles: [],
  isOpen: true,
}
const noData: DataFacts = { problem: unreadable, references: [], pointers: [] }

/** `threads`: how many files are read at a time. */
export function createFactsReader(threads: number): FactsReader {
  const pool = createFactsThreads({ atOnce: threads })
  const pages = new LRUCache<string, PageFacts>({ maxSize: maxKeptParts, sizeCalculation: countPage })
  const data = new LRUCache<string, DataFacts>({ maxSize: maxKeptParts, sizeCalculation: countData })
  return {
    page: async (file, syntax, tree) => {
      const key = `${syntax} ${file.oid}`
      const known = pages.get(key)
      if (known) return known
      const facts = ((await pool.read({ kind: 'page', syntax, text: await readText(file, tree) })) ??
        noPage) as PageFacts
      pages.set(key, facts)
      return facts
    },
    data: async (file, tree) => {
      // Whether comments are allowed depends on the name.
      const key = `${file.path} ${file.oid}`
      const known = data.get(key)
      if (known) return known
      const task: FactsTask = { kind: 'data', path: file.path, text: await readText(file, tree) }
      const facts = ((await pool.read(task)) ?? noData) as DataFacts
      data.set(key, facts)
      return facts
    },
    close: () => pool.close(),
  }
}

async function readText({ path }: TreeFile, tree: SiteTree): Promise<string> {
  return new TextDecoder().decode((await tree.read(path)) ?? new Uint8Array())
}

function countPage({ links, headings, ids, titles, includes }: PageFacts): number {
  return 10 + links.length + headings.length + ids.length + titles.length + includes.length
}

function countData({ references, pointers }: DataFacts): number {
  return 10 + references.length + pointers.length
}
