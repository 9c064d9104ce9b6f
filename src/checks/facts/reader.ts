// Reads the facts of files, each content once: they are kept by its id. What cannot be read within the limits counts as a
// page without links that may have any anchor.

import { LRUCache } from 'lru-cache'
import type { SiteTree, TreeFile } from '../tree.ts'
import type { ConfigFacts } from './config-strings.ts'
import type { DataFacts } from './data-facts.ts'
import type { PageFacts, PageSyntax } from './page-facts.ts'
import { createFactsThreads, type Facts, type FactsTask } from './threads.ts'

export type FactsReader = {
  page(file: TreeFile, syntax: PageSyntax, tree: SiteTree): Promise<PageFacts>
  data(file: TreeFile, tree: SiteTree): Promise<DataFacts>
  config(file: TreeFile, tree: SiteTree): Promise<ConfigFacts>
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
  text: null,
}
const noData: DataFacts = { problem: unreadable, references: [], pointers: [] }
const noConfig: ConfigFacts = { strings: [], problem: unreadable }

type Source = { readonly file: TreeFile; readonly tree: SiteTree }

/** `threads`: how many files are read at a time. */
export function createFactsReader(threads: number): FactsReader {
  const pool = createFactsThreads({ atOnce: threads })
  const kept = new LRUCache<string, Facts>({ maxSize: maxKeptParts, sizeCalculation: countParts })
  const read = async (key: string, { file, tree }: Source, toTask: (text: string) => FactsTask, otherwise: Facts) => {
    const known = kept.get(key)
    if (known) return known
    const facts = (await pool.read(toTask(await readText(file, tree)))) ?? otherwise
    kept.set(key, facts)
    return facts
  }
  // The facts of data depend on the name, too: it says whether comments are allowed.
  const readNamed = (kind: 'data' | 'config', source: Source, otherwise: Facts) => {
    const { path, oid } = source.file
    return read(`${kind} ${path} ${oid}`, source, (text) => ({ kind, path, text }), otherwise)
  }
  return {
    page: async (file, syntax, tree) => {
      const toTask = (text: string): FactsTask => ({ kind: 'page', syntax, text })
      return (await read(`${syntax} ${file.oid}`, { file, tree }, toTask, noPage)) as PageFacts
    },
    data: async (file, tree) => (await readNamed('data', { file, tree }, noData)) as DataFacts,
    config: async (file, tree) => (await readNamed('config', { file, tree }, noConfig)) as ConfigFacts,
    close: () => pool.close(),
  }
}

async function readText({ path }: TreeFile, tree: SiteTree): Promise<string> {
  return new TextDecoder().decode((await tree.read(path)) ?? new Uint8Array())
}

function countParts(facts: Facts): number {
  const lists = Object.values(facts).filter((value) => Array.isArray(value))
  return lists.reduce((sum, list) => sum + list.length, 10)
}
