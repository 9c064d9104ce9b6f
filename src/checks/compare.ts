// Compares the findings of a site before and after a change. Both are multisets: a page that had one link to a missing
// page, and now has two, has one new problem.

import { compareFindings, type Finding } from './finding.ts'

export type Comparison = {
  /** Only the change has them. */
  readonly introduced: readonly Finding[]
  /** Only the base has them; their paths and lines are those of the base. */
  readonly fixed: readonly Finding[]
  /** Both have them; their paths and lines are those of the change. */
  readonly remaining: readonly Finding[]
}

/** `moves`: the new path of each file that the change moved. */
export function compareChecks(
  before: readonly Finding[],
  after: readonly Finding[],
  moves: ReadonlyMap<string, string> = new Map(),
): Comparison {
  const old = Map.groupBy(before, (finding) => identityOf(finding, moves.get(finding.path) ?? finding.path))
  const introduced: Finding[] = []
  const remaining: Finding[] = []
  for (const finding of after.toSorted(compareFindings)) {
    const same = old.get(identityOf(finding, finding.path))
    if (same?.shift()) remaining.push(finding)
    else introduced.push(finding)
  }
  return { introduced, remaining, fixed: [...old.values()].flat().toSorted(compareFindings) }
}

function identityOf({ kind, target }: Finding, path: string): string {
  return JSON.stringify([kind, path, target])
}
