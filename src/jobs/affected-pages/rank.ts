// Ranks the pages of the documentation that a change of the product concerns: collects the terms of the pages, the change and
// the history for the engine `affected`, from what git knows. No model is asked.

import { findAffected } from '../../affected/affected.ts'
import { weights } from '../../affected/weights.ts'
import type { Affected, Change, Mode, Page } from '../../affected/types.ts'
import { isGenerated } from '../../agent/tools/search/generated.ts'
import { checkTree } from '../../checks/check-tree.ts'
import type { FactsReader } from '../../checks/facts/reader.ts'
import { pagesToRank } from '../../checks/pages-to-rank.ts'
import { isPagePath } from '../../docs-syntax/markdown.ts'
import type { IsVisible, Oid, Past, Repository } from '../../git/types.ts'
import type { NamedSite } from '../../sites/find-sites.ts'
import { openEditedTree } from '../review/edited-tree.ts'
import { readHistory } from './history.ts'

export type Documentation = {
  readonly repository: Repository
  /** The commit whose pages are ranked. */
  readonly commit: Oid
  readonly sites: readonly NamedSite[]
  readonly facts: Pick<FactsReader, 'keptIn' | 'hold'>
}

/** The commits after `from` up to `to`. `isDocs`: they are in the repository of the documentation. */
export type ProductChange = {
  readonly past: Past
  readonly from: Oid
  readonly to: Oid
  readonly isVisible: IsVisible
  readonly isDocs: boolean
}

/** Longer diffs are of generated files. */
const maxPatchBytes = 5_000_000
const mostMessages = 500

export async function rankAffected(docs: Documentation, change: ProductChange, signal: AbortSignal): Promise<Affected> {
  return await (
    await openRanker(docs, change, signal)
  )(change, signal)
}

/** From which score on a change concerns the docs. `isDocs`: it is in the repository of the documentation. */
export function usualThreshold(isDocs: boolean): number {
  return weights.concerns[isDocs ? 'beside' : 'apart'].threshold
}

export type Ranker = (change: ProductChange, signal: AbortSignal) => Promise<Affected>

/** Ranks several changes: the pages are read once, and so is the history, which ends before `oldest`. */
export async function openRanker(docs: Documentation, oldest: ProductChange, signal: AbortSignal): Promise<Ranker> {
  const { repository, commit } = docs
  const [pages, history] = await Promise.all([
    readPages(docs, signal),
    readHistory(repository, oldest.isDocs ? oldest.from : commit, signal),
  ])
  const mode: Mode = oldest.isDocs ? 'beside' : 'apart'
  const names = new Set(pages.map(({ path }) => path))
  // Only how often a page changes counts in another repository.
  const past = oldest.isDocs
    ? history
    : history.map(({ paths }) => ({ subject: '', paths: paths.filter((path) => names.has(path)) }))
  return async (change, within) => {
    const given = await readChange(change, within)
    const files = given.files.filter(({ path }) => !names.has(path) && !isPagePath(path))
    if (files.length === 0) return { pages: [], concernsDocs: false, score: 0 }
    return findAffected({ change: { ...given, files }, pages, history: past, mode })
  }
}

async function readPages({ repository, commit, sites, facts }: Documentation, signal: AbortSignal): Promise<Page[]> {
  const tree = openEditedTree(await repository.tree(commit))
  const release = facts.hold()
  try {
    const check = (kept: Parameters<Parameters<FactsReader['keptIn']>[1]>[0]) =>
      checkTree(tree, { facts: kept, sites, signal })
    return pagesToRank(await facts.keptIn(repository.factsFile, check, signal))
  } finally {
    release()
  }
}

async function readChange({ past, from, to, isVisible }: ProductChange, signal: AbortSignal): Promise<Change> {
  const isWritten = (path: string) => isGenerated({ path, size: 0 })
  const { files } = await past.showChange(
    { from, to, isVisible, isGenerated: isWritten, maxBytes: maxPatchBytes },
    signal,
  )
  const { commits } = await past.log({ from, to, isVisible, limit: mostMessages, countsLines: false }, signal)
  return {
    files: files.map(({ path, previousPath, status, patch }) => ({ path, previousPath, status, patch: patch ?? '' })),
    messages: commits.map(({ subject, body }) => `${subject}\n\n${body}`),
  }
}
