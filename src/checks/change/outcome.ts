// Says what a change does to the findings, the text and the coverage of a documentation.

import type { CheckResult } from '../check-tree.ts'
import { compareChecks, type Comparison } from '../compare.ts'
import { type ChangeCoverage, coverageOfChange } from '../coverage.ts'
import { findFixed } from '../fixed.ts'
import { findLosses } from '../losses.ts'
import type { PageLoss } from '../../docs-syntax/page.ts'
import type { SiteTree } from '../../sites/tree.ts'

export type CheckedTree = { readonly tree: SiteTree; readonly result: CheckResult }

export type ChangeOutcome = Comparison & { readonly losses: readonly PageLoss[]; readonly coverage: ChangeCoverage }

/** `moves`: the new path of each file that the change moved. */
export function outcomeOf(before: CheckedTree, after: CheckedTree, moves: ReadonlyMap<string, string>): ChangeOutcome {
  const { introduced, fixed, remaining } = compareChecks(before.result.findings, after.result.findings, moves)
  return {
    introduced,
    fixed: findFixed(fixed, { before: before.result, after: after.result, moves }),
    remaining,
    losses: findLosses(before.result, after.result, moves),
    coverage: coverageOfChange(before, after),
  }
}
