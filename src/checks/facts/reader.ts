// Reads the facts of files, each content once: they are kept by its id, in memory and in a file. What cannot be read within
// the limits counts as a page without links that may have any anchor.

import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import type { SiteTree, TreeFile } from '../../sites/tree.ts'
import type { ConfigFacts } from '../../sites/config-strings.ts'
import type { DataFacts } from './data-facts.ts'
import type { PageFacts } from './page-facts.ts'
import type { PageSyntax } from '../../docs-syntax/page.ts'
import { createLine } from '../../lib/few-at-once.ts'
import { withoutYoungGrowth } from '../../lib/memory/young-generation.ts'
import { type FactsFile, openFactsFile } from './facts-file.ts'
import { parseDataFacts, parsePageFacts } from './parse-facts.ts'
import { noTerms } from './terms/read-terms.ts'
import { createFactsThreads, type Facts, type FactsTask, type FactsThreads } from './threads.ts'

/** Where a check gets its facts from: at once if they are known. Throws the errors of reading the tree. */
export type SiteFacts = {
  page(file: TreeFile, syntax: PageSyntax, tree: SiteTree): PageFacts | Promise<PageFacts>
  data(file: TreeFile, tree: SiteTree): DataFacts | Promise<DataFacts>
  config(file: TreeFile, tree: SiteTree): ConfigFacts | Promise<ConfigFacts>
}

export type KeptFacts = SiteFacts & {
  /** Whether the facts of a page are in memory or in the file, so that it need not be read. */
  isKnown(file: TreeFile, syntax: PageSyntax): Promise<boolean>
}

export type FactsReader = SiteFacts & {
  /**
   * Runs work with the facts that an earlier process kept in the file, and adds to the file what the work read. After
   * `signal`, no further file is read.
   */
  keptIn<Result>(path: string, work: (facts: KeptFacts) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /**
   * Keeps the threads until the returned function is called, which is done once: starting them takes a second, and a later
   * check needs them again.
   */
  hold(): () => void
  close(): Promise<void>
}

/** Links, headings and references; 1 million of them take about 150 MB. */
const maxKeptParts = 1_000_000
/** A part takes 150 bytes in memory. */
const charactersOfPart = 150
/** Pages with more are generated or hostile, and their JSON is large. */
const maxPartsInFile = 20_000
/** Files that one check reads at a time, so that another one does not wait until all of them are read. */
const mostAtOnce = 100
/** Files of facts whose keys are in memory. */
const maxFiles = 50
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
  rst: null,
  isOpen: true,
  text: null,
  terms: noTerms,
}
const noData: DataFacts = { problem: unreadable, references: [], pointers: [] }
const noConfig: ConfigFacts = { strings: [], problem: unreadable }

/** `file`: where the facts are kept, and those that this check has used. */
type Kept = { readonly file: FactsFile; readonly used: Map<string, Facts> }

/** `threads`: how many files are read at a time. */
export function createFactsReader(threads = usualThreads()): FactsReader {
  const pool = createFactsThreads({ atOnce: threads })
  const memory = new LRUCache<string, Facts>({ maxSize: maxKeptParts, sizeCalculation: countParts })
  const large = new WeakSet<Facts>()
  const files = new LRUCache<string, FactsFile>({ max: maxFiles })
  return {
    ...createSiteFacts({ pool, memory, large, kept: undefined }),
    keptIn: async (path, work, signal) => {
      const file = files.get(path) ?? openFactsFile(path)
      files.set(path, file)
      const used = new Map<string, Facts>()
      try {
        const sources = { pool, memory, large, kept: { file, used }, signal }
        const isKnown = async ({ oid }: TreeFile, syntax: PageSyntax) => {
          const key = pageKey(oid, syntax)
          return memory.has(key) || (await file.has(key))
        }
        return await withoutYoungGrowth(() => work({ ...createSiteFacts(sources), isKnown }))
      } finally {
        await file.save(used)
      }
    },
    hold: () => pool.hold(),
    close: () => pool.close(),
  }
}

/**
 * The thread that applies the rules and answers requests has a processor of its own. On two, a second thread takes 0.3 s to load and
 * warm up, and 40 MB: 1,692 pages are read no sooner.
 */
function usualThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1))
}

type Sources = {
  readonly pool: FactsThreads
  readonly memory: LRUCache<string, Facts>
  /** Those that are too large for the file. */
  readonly large: WeakSet<Facts>
  readonly kept: Kept | undefined
  readonly signal?: AbortSignal | undefined
}
type Wanted<Kind> = {
  readonly key: string
  readonly task: () => Promise<FactsTask>
  readonly otherwise: Kind
  /** Undefined: not kept in the file. */
  readonly parse?: (json: string) => Kind | undefined
}

function pageKey(oid: string, syntax: PageSyntax): string {
  return `${syntax} ${oid}`
}

function createSiteFacts({ signal, ...given }: Sources): SiteFacts {
  const inTurn = createLine({ atOnce: mostAtOnce, waiting: Infinity, full: () => new Error('Nothing is refused.') })
  const read = <Kind extends Facts>(wanted: Wanted<Kind>) =>
    readFacts(given, wanted, (work) =>
      inTurn(() => {
        signal?.throwIfAborted()
        return work()
      }),
    )
  return {
    page: ({ path, oid }, syntax, tree) =>
      read<PageFacts>({
        key: pageKey(oid, syntax),
        task: async () => ({ kind: 'page', syntax, text: await readText(path, tree) }),
        otherwise: noPage,
        parse: parsePageFacts,
      }),
    // The facts of data depend on the name, too: it says whether comments are allowed.
    data: ({ path, oid }, tree) =>
      read<DataFacts>({
        key: `data ${encodeURIComponent(path.toWellFormed())} ${oid}`,
        task: async () => ({ kind: 'data', path, text: await readText(path, tree) }),
        otherwise: noData,
        parse: parseDataFacts,
      }),
    // Each string names those beside it, so the JSON of a large file would be far larger.
    config: ({ path, oid }, tree) =>
      read<ConfigFacts>({
        key: `config ${path} ${oid}`,
        task: async () => ({ kind: 'config', path, text: await readText(path, tree) }),
        otherwise: noConfig,
      }),
  }
}

type Known = Omit<Sources, 'signal'>

/** The key names the kind of facts, so what is known under it is of that kind. */
function readFacts<Kind extends Facts>(
  sources: Known,
  wanted: Wanted<Kind>,
  inTurn: (work: () => Promise<Kind>) => Promise<Kind>,
): Kind | Promise<Kind> {
  const known = sources.memory.get(wanted.key) as Kind | undefined
  if (!known) return inTurn(() => load(sources, wanted))
  note(sources, wanted, known)
  return known
}

async function load<Kind extends Facts>(sources: Known, wanted: Wanted<Kind>): Promise<Kind> {
  const { pool, memory, kept, large } = sources
  const { key, task, otherwise, parse } = wanted
  const facts =
    (parse && (await kept?.file.get(key, parse))) ?? ((await pool.read(task)) as Kind | undefined) ?? otherwise
  memory.set(key, facts)
  if (countParts(facts) > maxPartsInFile) large.add(facts)
  note(sources, wanted, facts)
  return facts
}

/** A page that took too long on a busy machine gets another chance in the next process. */
function note<Kind extends Facts>({ kept, large }: Known, { key, otherwise, parse }: Wanted<Kind>, facts: Kind): void {
  if (parse && facts !== otherwise && !large.has(facts)) kept?.used.set(key, facts)
}

async function readText(path: string, tree: SiteTree): Promise<string> {
  return new TextDecoder().decode((await tree.read(path)) ?? new Uint8Array())
}

function countParts(facts: Facts): number {
  const text = 'text' in facts ? facts.text : null
  const terms = 'terms' in facts ? facts.terms : undefined
  const lists = [...Object.values(facts), text?.stretches, text?.code].filter((value) => Array.isArray(value))
  const packed = terms ? terms.inline.length + terms.blocks.length + terms.prose.length : 0
  return lists.reduce((sum, list) => sum + list.length, 10 + Math.ceil(packed / charactersOfPart))
}
