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
  const isSame = extent === 'all' ? () => false : createIsSame(commits)
  const docs = commits.map(({ tree, result: { index } }) => {
    return { tree, pages: index.pages.filter(({ path }) => !isSame(path)) }
  })
  const drifts = await find(docs, extent, signal)
  if (!drifts) return { commits, drifts }
  const added = commits.map((commit, at) => {
    const findings = [...commit.result.findings, ...(drifts[at]?.findings ?? [])].toSorted(compareFindings)
    return { ...commit, result: { ...commit.result, findings } }
  })
  return { commits: added, drifts }
}

function createIsSame(commits: readonly CheckedCommit[]): (path: string) => boolean {
  const [first, ...others] = commits.map(({ tree }) => new Map(tree.entries().map(({ path, oid }) => [path, oid])))
  return (path) => first !== undefined && others.every((oids) => oids.get(path) === first.get(path))
}

export function toDriftReview({ basis }: Drift): DriftReview {
  const sources = basis.sources.map(({ name, commit, revisions, since, isWhole }) => {
    return { name, commit, revisions, since: since?.toISOString() ?? null, isWhole }
  })
  const { missing, files, pages, terms } = basis
  const absent = missing.map((name) => ({ name, commit: null, revisions: 0, since: null, isWhole: false }))
  return { sources: [...sources, ...absent], files, pages, terms }
}
