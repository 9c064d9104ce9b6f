// The knowledge about a project that counters need to answer a query instead of its rows.

import type { QuerySettings } from '../query/plan.ts'
import type { WindowVersion } from '../query/version.ts'

export type Known = {
  readonly settings: QuerySettings
  /** Counters of other settings do not fit. */
  readonly generation: string
  /** All windows, with everything that was written before the query. */
  readonly windows: readonly WindowVersion[]
  /** Called when counters of a window could not be made: its rows answer. */
  readonly failed: (error: unknown) => void
}
