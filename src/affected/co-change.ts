// Reads the history: which pages changed together with the files of a change or with their folders, how often a page changes at
// all, and how often commits like this one changed a page. Newer commits count more.

import { isPagePath } from '../docs-syntax/markdown.ts'
import { wordsOf } from './subjects.ts'
import type { PastCommit } from './types.ts'

export type HistoryScore = {
  /** From 0 to 1: together with the changed files, and with files of their folders. */
  readonly file: number
  readonly folder: number
  /** From 0 to 1: the share of the commits with pages that have this one. */
  readonly often: number
}

/** Shares of earlier commits with code that changed a page, from 0 to 1. */
export type Rates = {
  /** Among those with a changed file, with a file in one of the folders, and among all. */
  readonly files: number
  readonly folders: number
  readonly all: number
  /** How much more often those did with the words of the subject: the lowest and the sum, as logarithms of odds. */
  readonly worstWord: number
  readonly words: number
  /** How many pages changed with the files of the change. */
  readonly expected: number
}

export type PastInput = {
  readonly history: readonly PastCommit[]
  /** The files of the change; empty: nothing is said about them. */
  readonly paths: readonly string[]
  readonly subjects: readonly string[]
  readonly pages: readonly string[]
}

/** Larger commits move or format everything, and say nothing about pages. */
const maxPaths = 60
/** A commit this much older counts half. */
const halfLife = 400
/** So that one commit together is not certainty. */
const doubt = 1.5

/** `all` and `docs`: the weight of the commits, and of those that changed a page. */
type Share = { all: number; docs: number }
/** The pages that changed with a file or a folder. */
type Together = { total: number; readonly pages: Map<string, number> }

export function scoreHistory({ history, paths, subjects, pages }: PastInput) {
  const wanted = new Set(pages)
  const files = new Map(paths.map((path) => [path, newTogether()]))
  const folders = new Map(paths.map((path) => [folderOf(path), newTogether()]))
  const words = new Map(subjects.flatMap(wordsOf).map((word) => [word, newShare()]))
  const shares = { files: newShare(), folders: newShare(), all: newShare() }
  const often = new Map<string, number>()
  let withPages = 0
  for (const [age, { paths: changed, subject }] of history.entries()) {
    if (changed.length > maxPaths) continue
    const weight = 2 ** (-age / halfLife)
    const docs = changed.filter((path) => wanted.has(path))
    if (docs.length > 0) withPages += weight
    for (const page of docs) increase(often, page, weight)
    const code = changed.filter((path) => !wanted.has(path) && !isPagePath(path))
    if (paths.length === 0 || code.length === 0) continue
    const isDocs = docs.length > 0
    const mine = pick(code, files)
    const near = pick(new Set(code.map(folderOf)), folders)
    note(shares.all, weight, isDocs)
    if (mine.length > 0) note(shares.files, weight, isDocs)
    if (near.length > 0) note(shares.folders, weight, isDocs)
    for (const share of pick(new Set(wordsOf(subject)), words)) note(share, weight, isDocs)
    for (const one of [...mine, ...near]) {
      one.total += weight
      for (const page of docs) increase(one.pages, page, weight / Math.sqrt(docs.length))
    }
  }
  const byPage = new Map(
    pages.map((page): [string, HistoryScore] => [
      page,
      {
        file: chanceOf(files, page),
        folder: chanceOf(folders, page),
        often: (often.get(page) ?? 0) / (withPages + doubt),
      },
    ]),
  )
  return { byPage, rates: ratesOf(shares, [...words.values()], byPage) }
}

/** Without the last part; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function ratesOf(
  shares: Readonly<Record<'files' | 'folders' | 'all', Share>>,
  words: readonly Share[],
  byPage: ReadonlyMap<string, HistoryScore>,
): Rates {
  // Where little is known, the wider share counts. The widest is that of the repositories of the bench.
  const all = rateOf(shares.all, 0.1)
  const folders = rateOf(shares.folders, all)
  const odds = words.map((share) => logOdds(rateOf(share, all)) - logOdds(all))
  return {
    all,
    folders,
    files: rateOf(shares.files, folders),
    worstWord: odds.reduce((least, one) => Math.min(least, one), odds[0] ?? 0),
    words: odds.reduce((sum, one) => sum + one, 0),
    expected: [...byPage.values()].reduce((sum, { file }) => sum + file, 0),
  }
}

function rateOf({ all, docs }: Share, otherwise: number): number {
  return (docs + 2 * otherwise) / (all + 2)
}

function logOdds(rate: number): number {
  return Math.log((rate + 0.01) / (1.01 - rate))
}

/** That at least one of them brings the page. */
function chanceOf(all: ReadonlyMap<string, Together>, page: string): number {
  let not = 1
  for (const { total, pages } of all.values()) not *= 1 - (pages.get(page) ?? 0) / (total + doubt)
  return 1 - not
}

function pick<Value>(names: Iterable<string>, known: ReadonlyMap<string, Value>): Value[] {
  const found: Value[] = []
  for (const name of names) {
    const value = known.get(name)
    if (value !== undefined) found.push(value)
  }
  return found
}

function note(share: Share, weight: number, isDocs: boolean): void {
  share.all += weight
  if (isDocs) share.docs += weight
}

function increase(counts: Map<string, number>, key: string, weight: number): void {
  counts.set(key, (counts.get(key) ?? 0) + weight)
}

function newShare(): Share {
  return { all: 0, docs: 0 }
}

function newTogether(): Together {
  return { total: 0, pages: new Map() }
}
