// Follows a job by polling until it is not active any more, and shows what changed on the way.

import type { JobView } from '../jobs/view.ts'
import type { Clock } from '../lib/clock.ts'
import type { Api } from './api.ts'
import { paint, type Output } from './output.ts'

export type Watching = {
  readonly api: Api
  /** Where the job is. */
  readonly path: string
  readonly output: Output
  readonly stop: AbortSignal
  readonly clock: Clock
}

const pollMs = 500

/** The job as it was when it ended, or when `stop` was aborted. */
export async function watchJob(watching: Watching, first: JobView): Promise<JobView> {
  let job = first
  let shown = ''
  while (job.status === 'active' && !watching.stop.aborted) {
    const line = `${job.phase ?? 'active'}, ${job.usage.turns} turns, ${job.usage.inputTokens + job.usage.outputTokens} tokens`
    if (line !== shown) watching.output.warn(paint(watching.output, 'gray', `… ${line}`))
    shown = line
    await watching.clock.sleep(pollMs, watching.stop)
    job = JSON.parse((await watching.api.send('GET', watching.path)).body) as JobView
  }
  return job
}
