// The pages that runs were given because readers fail on them, as the runs of their jobs stored them.

import { parseGiven } from '../../../jobs/options/given.ts'
import type { GivenPage } from '../../../jobs/options/readings.ts'
import type { Db } from '../../../postgres/types.ts'

/** By the ids of runs: the failing pages that they were given; those without any are not there. */
export async function readGiven(db: Db, runIds: readonly string[]): Promise<ReadonlyMap<string, readonly GivenPage[]>> {
  if (runIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('automation_runs')
    .innerJoin('messages', 'messages.id', 'automation_runs.message_id')
    .innerJoin('runs', 'runs.id', 'messages.run_id')
    .select(['automation_runs.id', 'runs.given_pages'])
    .where('automation_runs.id', 'in', runIds)
    .where('runs.given_pages', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, given_pages: json }) => [id, parseGiven(json)]))
}
