// Checks a copy of a site with planted faults, and says of each whether a new finding names it.

import { createHash } from 'node:crypto'
import { type CheckResult, checkTree } from '../../src/checks/check-tree.ts'
import { compareChecks } from '../../src/checks/compare.ts'
import { reasonOf } from '../../src/checks/coverage.ts'
import type { SiteFacts } from '../../src/checks/facts/reader.ts'
import type { Finding } from '../../src/checks/finding.ts'
import type { SiteTree, TreeFile } from '../../src/sites/tree.ts'
import type { Copy, Expected, Fault } from './faults.ts'

/** `reason`: of a fault that was not judged. `place`: the first that no finding names. */
export type Verdict = { readonly fault: Fault } & (
  | { readonly kind: 'found' }
  | { readonly kind: 'notJudged'; readonly reason: string }
  | { readonly kind: 'missed'; readonly place: string }
)

export type Judging = { readonly tree: SiteTree; readonly facts: SiteFacts; readonly before: CheckResult }

export async function judgeCopy({ tree, facts, before }: Judging, { changes, faults }: Copy): Promise<Verdict[]> {
  const after = await checkTree(withChanges(tree, changes), {
    facts,
    previous: before,
    signal: new AbortController().signal,
  })
  const { introduced } = compareChecks(before.findings, after.findings)
  const byPath = Map.groupBy(introduced, ({ path }) => path)
  return faults.map((fault) => judge(fault, { changes, byPath, after }))
}

type Checked = {
  readonly changes: Copy['changes']
  readonly byPath: ReadonlyMap<string, readonly Finding[]>
  readonly after: CheckResult
}

function judge(fault: Fault, checked: Checked): Verdict {
  const places = fault.places.map((place) => ({ ...place, line: lineOf(place, checked) }))
  const isFound = (place: Omit<Expected, 'line'> & { readonly line?: number | undefined }) =>
    (checked.byPath.get(place.path) ?? []).some(
      ({ kind, line, target }) =>
        place.kinds.includes(kind) && (place.line === undefined || line === place.line) && target.includes(place.url),
    )
  const left = places.filter((place) => !isFound(place))
  if (left.length === 0 || (fault.otherwise && isFound(fault.otherwise))) return { fault, kind: 'found' }
  let reason: string | undefined
  for (const place of left) {
    reason = reasonOf(checked.after, { path: place.path, line: place.line ?? 1, url: place.url })
    const text = `${place.path}:${place.line ?? 1} ${place.url}`.trimEnd()
    if (reason === undefined) return { fault, kind: 'missed', place: text }
  }
  return { fault, kind: 'notJudged', reason: reason ?? '' }
}

function lineOf({ path, line, mark }: Expected, { changes }: Checked): number | undefined {
  if (mark === undefined) return line
  const text = changes.get(path) ?? ''
  return text.slice(0, text.indexOf(mark)).split('\n').length
}

function withChanges(tree: SiteTree, changes: Copy['changes']): SiteTree {
  const changed = [...changes].flatMap(([path, text]): TreeFile[] => {
    if (text === null) return []
    const content = Buffer.from(text)
    const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
    return [{ path, kind: 'file', size: content.length, oid }]
  })
  const kept = tree.entries().filter(({ path }) => !changes.has(path))
  const entries = [...kept, ...changed].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const read = (path: string) => {
    const text = changes.get(path)
    return text === undefined ? tree.read(path) : Promise.resolve(text === null ? undefined : Buffer.from(text))
  }
  return { entries: () => entries, read }
}
