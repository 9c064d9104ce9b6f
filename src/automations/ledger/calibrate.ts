// From which score on a commit of the product concerns the docs, as people of a project decide it: what they merged, and what they
// asked for after it was skipped, should have gone to a model.

import { sql } from 'kysely'
import { usualThreshold } from '../../jobs/affected-pages/rank.ts'
import type { Db } from '../../postgres/types.ts'
import { entriesOf } from './ledger.ts'

export type Threshold = {
  /** From 0 to 1. */
  readonly value: number
  /** That of projects in which people have not decided enough. */
  readonly usual: number
  /** So many commits whose documentation people merged. */
  readonly decided: number
}

const leastDecided = 20
/** The share of them that may be lost. */
const lost = 0.03
/** Commits of a project that has changed since are not asked. */
const newest = 1_000

/** The scores in ascending order. With enough of them, the threshold keeps 97 of 100, and is at most twice and at least half the usual one. Pure. */
export function calibrate(scores: readonly number[], usual: number): Threshold {
  const decided = scores.length
  if (decided < leastDecided) return { value: usual, usual, decided }
  const kept = scores[Math.floor(decided * lost)] ?? usual
  return { value: Math.min(Math.max(kept, usual / 2), (1 + usual) / 2), usual, decided }
}

/** `source` null: the repository of the project itself. */
export async function readThreshold(db: Db, projectId: string, source: string | null): Promise<Threshold> {
  const isOf = await entriesOf(db, projectId, { source })
  const { rows } = await sql<{ score: number }>`/* ledger.decided */ select score from (
      select c.score from ledger_commits l
        join automation_commits c on c.automation_id = l.automation_id and c.commit = l.commit
        join automation_runs r on r.id = c.run_id join jobs j on j.id = r.job_id
      where ${isOf} and l.state = 'documented' and c.score is not null and j.pull_state = 'merged'
      order by l.committed_at desc, l.ordinal desc limit ${newest}) as decided order by score`.execute(db)
  return calibrate(
    rows.map(({ score }) => score),
    usualThreshold(source === null),
  )
}
