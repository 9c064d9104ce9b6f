// The dependencies of the analytics feature. The store is opened on first use, so a service that never stores page views
// never loads ClickHouse.

import type { ClickHouse } from '../clickhouse/open.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/observability/log.ts'
import type { Db } from '../postgres/types.ts'

export type AnalyticsContext = {
  readonly db: Db
  /** Returns the same store every time. Throws `unavailable` when it cannot be opened. */
  readonly openStore: () => Promise<ClickHouse>
  readonly clock: Clock
  readonly log?: Log
}
