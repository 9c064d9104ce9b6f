// Adds what the documentation says and the sources of the run no longer have to the checks of several of its commits.

import type { CheckResult } from '../../checks/check-tree.ts'
import type { Drift } from '../../checks/drift/drift.ts'
import { compareFindings } from '../../checks/finding.ts'
import type { SiteTree } from '../../sites/tree.ts'
import type { FindDrift } from '../sources/find-drift.ts'
import type { DriftReview } from './review.ts'

export type CheckedCommit = { readonly tree: SiteTree; readonly result: CheckResult }

export type WithDrift<Commit extends CheckedCommit> = {
  readonly commits: readonly Commit[]
  /** One for each; undefined without sources, and if nothing can differ. */
  readonly drifts: readonly Drift[] | undefined
}

/** `change`: of pages that the commits differ in. */
export async function addDrift<Commit extends CheckedCommit>(
  { drift: find, signal }: { readonly drift: FindDrift | undefined; readonly signal: AbortSignal },
  commits: readonly Commit[],
  extent: 'all' | 'change',
): Promise<WithDrift<Commit>> {
  if (!find) return { commits, drifts: undefined }
  const docs = commits.map(({ tree, result: { index } }) => ({ tree, pages: index.pages }))
  const drifts = await find(docs, extent, signal)
  if (!drifts) return { commits, drifts }
  const added = commits.map((commit, at) => {
    const findings = [...commit.result.findings, ...(drifts[at]?.findings ?? [])].toSorted(compareFindings)
    return { ...commit, result: { ...commit.result, findings } }
  })
  return { commits: added, drifts }
}

export function toDriftReview({ basis }: Drift): DriftReview {
  const sources = basis.sources.map(({ name, commit, revisions, since, isWhole }) => {
    return { name, commit, revisions, since: since?.toISOString() ?? null, isWhole }
  })
  const { missing, files, pages, terms } = basis
  const absent = missing.map((name) => ({ name, commit: null, revisions: 0, since: null, isWhole: false }))
  return { sources: [...sources, ...absent], files, pages, terms }
}
