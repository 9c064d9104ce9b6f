// The dependencies of the functions on jobs, in one object that the service creates.

import type { Clock } from '../lib/clock.ts'
import type { Db } from '../postgres/types.ts'

export type JobsContext = {
  readonly db: Db
  readonly clock: Clock
  /** `provider/model`: the model of new jobs in projects without a model of their own. */
  readonly modelId: string
  /** Without a trailing slash. */
  readonly publicUrl: string
}
