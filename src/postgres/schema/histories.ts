// The tables of what was imported from other tools.

import type { Generated } from 'kysely'

/** One for each file. */
interface HistoryTable {
  readonly id: string
  readonly project_id: string
  readonly source: 'plausible' | 'ga4' | 'goatcounter' | 'umami'
  /** The name of the file, for people. */
  readonly name: string
  /** A digest: the same file again is the same history. */
  readonly fingerprint: string
  /** Its rows in `history_sums`; 0 if it has page views. */
  sums: Generated<number>
  /** The days of its sums, as texts in statements; null: it has no sums. */
  first_day: string | null
  last_day: string | null
  is_complete: Generated<boolean>
  readonly created_at: Generated<Date>
}

interface HistorySumTable {
  readonly history_id: string
  /** Empty: the whole site. */
  readonly path: string
  readonly day: string
  /** null: the file does not say. */
  visitors: number | null
  page_views: number | null
}

export interface HistoriesSchema {
  histories: HistoryTable
  history_sums: HistorySumTable
}
