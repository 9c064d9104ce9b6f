// Finds the commits of a short range from their objects, without a process: most ranges are one change of a branch.

import type { Objects } from '../read/objects.ts'
import type { Oid } from '../types.ts'
import { findCommit } from '../write/commit-object.ts'

export type Range = {
  readonly from: Oid
  readonly to: Oid
  /** Only first parents count. */
  readonly isMainline?: boolean
}

export type RangeCommit = { readonly commit: Oid; readonly parents: readonly Oid[] }

type Readable = { readonly objects: Pick<Objects, 'read' | 'size'> }

const mostCommits = 50

/**
 * The commits after `from` up to `to` in the order of `git rev-list`: the newest first. Undefined: not all ways from `to` lead to
 * `from` within 50 commits, so that only git can tell which commits come after it.
 */
export async function walkRange(
  mirror: Readable,
  { from, to, isMainline = false }: Range,
): Promise<readonly RangeCommit[] | undefined> {
  const found: RangeCommit[] = []
  const seen = new Set([from, to])
  const waiting = to === from ? [] : [await readDated(mirror, to)]
  while (waiting.length > 0) {
    const next = takeNewest(waiting)
    if (next === undefined || found.length === mostCommits || next.parents.length === 0) return undefined
    found.push({ commit: next.commit, parents: next.parents })
    for (const parent of isMainline ? next.parents.slice(0, 1) : next.parents) {
      if (seen.has(parent)) continue
      seen.add(parent)
      waiting.push(await readDated(mirror, parent))
    }
  }
  return found
}

type Dated = RangeCommit & { readonly seconds: number }

async function readDated({ objects }: Readable, commit: Oid): Promise<Dated | undefined> {
  const parts = await findCommit({ objects }, commit)
  if (!parts) return undefined
  const end = parts.rest.indexOf('\n\n')
  const head = parts.rest.toString('latin1', 0, end < 0 ? parts.rest.length : end)
  const seconds = Number(/^committer .* (\d+) [+-]\d+$/m.exec(head)?.[1] ?? 0)
  return { commit, parents: parts.parents, seconds }
}

/** Takes the first that was found of those with the same date. Undefined: one could not be read. */
function takeNewest(waiting: (Dated | undefined)[]): Dated | undefined {
  let at = 0
  for (const [index, one] of waiting.entries()) {
    if (one === undefined) return undefined
    if (one.seconds > (waiting[at]?.seconds ?? 0)) at = index
  }
  return waiting.splice(at, 1)[0]
}
