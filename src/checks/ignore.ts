// Leaves out the findings that the settings ignore: a kind of problem in a file, or below a folder.

import type { FindingKind } from './finding.ts'
import { toFolder } from '../sites/names.ts'

/** `path`: a file or a folder; `.` for the whole repository. */
export type IgnoreRule<Kind extends string = FindingKind> = { readonly kind: Kind; readonly path: string }

/** Keeps the order. */
export function splitIgnored<One extends { readonly kind: string; readonly path: string }>(
  findings: readonly One[],
  rules: readonly IgnoreRule<string>[],
): { readonly kept: readonly One[]; readonly ignored: readonly One[] } {
  const known = rules.map(({ kind, path }) => ({ kind, path: toFolder(path) }))
  const isIgnored = (finding: One) =>
    known.some(({ kind, path }) => {
      if (kind !== finding.kind) return false
      return path === '' || finding.path === path || finding.path.startsWith(`${path}/`)
    })
  return {
    kept: findings.filter((finding) => !isIgnored(finding)),
    ignored: findings.filter(isIgnored),
  }
}
