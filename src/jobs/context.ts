// The dependencies of the functions on jobs, as one object that the service makes.

import type { Clock } from '../lib/clock.ts'
import type { Db } from '../postgres/types.ts'

export type JobsContext = {
  readonly db: Db
  readonly clock: Clock
  /** `provider/model`: what new jobs of a project without a model of its own show and use. */
  readonly modelId: string
  /** Without a trailing slash. */
  readonly publicUrl: string
}
