// What the analytics feature needs from outside. The store is opened on first use: a service without page views never
// loads its engine.

import type { ClickHouse } from '../clickhouse/open.ts'
import type { Clock } from '../lib/clock.ts'
import type { Db } from '../postgres/types.ts'

export type AnalyticsContext = {
  readonly db: Db
  /** The same one every time. Throws `unavailable` when it cannot be opened. */
  readonly openStore: () => Promise<ClickHouse>
  readonly clock: Clock
}
