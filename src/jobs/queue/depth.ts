// Reads the length and the age of the queue, for the metrics.

import { sql } from 'kysely'
import type { QueueState } from '../../lib/observability/metrics.ts'
import type { Db } from '../../postgres/types.ts'

/** Reads only the index of the waiting runs. A run has no age before the time of its next attempt. */
export async function readQueue(db: Db): Promise<QueueState> {
  const { rows } = await sql<{ waiting: number; oldest: number | null }>`/* runs.queue */
    select count(*)::integer as waiting,
      extract(epoch from greatest(interval '0', now() - min(available_at)))::double precision as oldest
    from runs where state = 'waiting'`.execute(db)
  return { waiting: rows[0]?.waiting ?? 0, oldestSeconds: rows[0]?.oldest ?? 0 }
}
