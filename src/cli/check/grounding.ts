// Looks up the names and values that a change adds to pages, and lists those that are nowhere: not in the repository before the
// change, not in its other files now, and not in the sources that `--source` names.

import { lstat, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Finding, ungroundedKind } from '../../checks/finding.ts'
import { type IgnoreRule, splitIgnored } from '../../checks/ignore.ts'
import { readChange } from '../../grounding/changed-pages.ts'
import { findUngrounded } from '../../grounding/ground.ts'
import type { Files, Ungrounded } from '../../grounding/places.ts'
import { isPagePath } from '../../docs-syntax/markdown.ts'
import { type Clone, openClone } from '../../git/past/past.ts'
import type { EarlierTree, WorkTree } from '../../git/read/work-tree.ts'
import { type Coverage, type NotJudged, nothingJudged } from '../../sites/coverage.ts'
import type { SiteTree } from '../../sites/tree.ts'
import type { Output } from '../output.ts'

export type Grounded = {
  /** To be shown. */
  readonly ungrounded: readonly Ungrounded[]
  /** How many are found nowhere: those that are shown, that a problem names, or that `--ignore` leaves out. */
  readonly missing: number
  readonly ignored: number
  /** Counts names and values, and a page that was not read once. */
  readonly coverage: Coverage
}

const nothing: Grounded = { ungrounded: [], missing: 0, ignored: 0, coverage: nothingJudged }

export type ChangedFolder = {
  readonly work: WorkTree
  readonly before: EarlierTree
  readonly after: SiteTree
  readonly sources: readonly Clone[]
}

/** Names that were not looked up by then are counted. */
const deadlineMs = 20_000
const maxFileBytes = 1_000_000

/** Throws only the reason of the signal: a place that cannot be searched is said in the coverage. */
export async function groundChange(changed: ChangedFolder, stop: AbortSignal): Promise<Grounded> {
  const { work, before, after } = changed
  const sources = changed.sources.filter(({ gitDir }) => gitDir !== work.gitDir)
  const change = await readChange(before, after)
  if (change.texts.length + change.left.length === 0) return nothing
  const signal = AbortSignal.any([stop, AbortSignal.timeout(deadlineMs)])
  const base = await openClone(work.top, { name: '', commit: before.commit })
  try {
    const own = await Promise.all(sources.map(async (source) => await source.has(before.commit)))
    const files = [
      filesOf(base, signal),
      withoutPages(filesOnDisk(work)),
      // Another clone of the same repository may have the change, too.
      ...sources.map((source, at) => (own[at] ? withoutPages(filesOf(source, signal)) : filesOf(source, signal))),
    ]
    const places = files.map((one, at) => ({ name: String(at), files: one }))
    const names = [basename(work.top), ...changed.sources.map(({ name }) => name)]
    const { ungrounded, judged, notJudged } = await findUngrounded(change, { places, texts: [], own: names, signal })
    stop.throwIfAborted()
    const coverage = { judged, notJudged: toNotJudged(notJudged) }
    return { ungrounded, missing: ungrounded.length, ignored: 0, coverage }
  } finally {
    await base.close()
  }
}

/** A name that is a problem already is not listed again. */
export function leaveOut(
  grounded: Grounded,
  problems: readonly Finding[],
  rules: readonly IgnoreRule<string>[],
): Grounded {
  const named = new Set(problems.map(({ path, target }) => `${path}\0${target}`))
  const rest = grounded.ungrounded.filter(({ path, term }) => !named.has(`${path}\0${term}`))
  const { kept, ignored } = splitIgnored(
    rest.map((one) => ({ kind: ungroundedKind, path: one.path, one })),
    rules,
  )
  return { ...grounded, ungrounded: kept.map(({ one }) => one), ignored: ignored.length }
}

function toNotJudged(left: readonly Ungrounded[]): NotJudged[] {
  const [first] = left
  if (!first) return []
  return [{ reason: 'lookup', count: left.length, example: `${first.path}:${first.line} ${first.term}`.trimEnd() }]
}

type Listing = Awaited<ReturnType<Clone['files']>>
type Listed = { readonly all: Listing; readonly byPath: ReadonlyMap<string, Listing[number]> }

function filesOf(clone: Clone, signal: AbortSignal): Files {
  let listed: Promise<Listed> | undefined
  const readListing = async (): Promise<Listed> => {
    const all = await clone.files(signal)
    return { all, byPath: new Map(all.map((file) => [file.path, file])) }
  }
  const list = async () => (await (listed ??= readListing())).all
  return {
    list,
    read: async (path) => {
      const file = (await (listed ??= readListing())).byPath.get(path)
      const read: { content?: Buffer } = {}
      const onFile = (_: unknown, content: Buffer | undefined) => Object.assign(read, { content })
      if (file && file.size <= maxFileBytes) await clone.read([file], onFile, signal)
      return read.content
    },
    search: async (query, until) => {
      const large = (await list()).filter(({ kind, size }) => kind === 'file' && size > maxFileBytes)
      return await clone.search(
        query,
        large.map(({ path }) => path),
        until,
      )
    },
  }
}

/** The repository as it is now: what is not committed counts, as it does for the pages. */
function filesOnDisk(work: WorkTree): Files {
  return {
    list: async () => (await work.allPaths()).map((path) => ({ path, kind: 'file', size: 0 })),
    read: async (path) => {
      const place = join(work.top, path)
      const facts = await lstat(place)
      return facts.isFile() && facts.size <= maxFileBytes ? await readFile(place) : undefined
    },
    search: async (query, signal) => await work.search(query, signal),
  }
}

function withoutPages(files: Files): Files {
  return {
    ...files,
    list: async () => (await files.list()).filter(({ path }) => !isPagePath(path)),
    search: async (query, signal) => {
      const { matches, truncated } = await files.search(query, signal)
      return { matches: matches.filter(({ path }) => !isPagePath(path)), truncated }
    },
  }
}

/** `Looked up 12 names and values of the change: 1 was not found in the sources.` */
export function printGrounded(output: Output, { missing, coverage }: Grounded): void {
  const { judged, notJudged } = coverage
  if (judged === 0 && notJudged.length === 0) return output.print('The change adds no name or value to look up.')
  const amount = judged === 1 ? '1 name or value' : `${judged.toLocaleString('en')} names and values`
  const was = missing === 1 ? 'was' : 'were'
  const found = missing === 0 ? 'all were found' : `${missing.toLocaleString('en')} ${was} not found in the sources`
  output.print(`Looked up ${amount} of the change${judged === 0 ? '' : `: ${found}`}.`)
}
