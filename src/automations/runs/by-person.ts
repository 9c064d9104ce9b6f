// A run that a person or a key asks for.

import type { JobsContext } from '../../jobs/context.ts'
import { Failure } from '../../lib/failure.ts'
import type { AutomationRow } from '../../postgres/schema/automations.ts'
import { type IdempotentRequest, once, type Once } from '../../requests/idempotency.ts'
import { consume, type RateLimit } from '../../requests/rate-limits.ts'
import { triggerOf } from '../automation.ts'
import { lockAutomation, lockForAutomations } from '../automations.ts'
import { toRuns } from './list.ts'
import type { AutomationRun } from './run.ts'
import { startRun } from './start.ts'

export type AskedRun = {
  readonly projectId: string
  readonly automationId: string
  readonly by: { readonly name: string; readonly personId: string | undefined }
  /** Called with the automation first; throws if it must not start. */
  readonly refuse: (automation: AutomationRow, now: Date) => void
}

/** Counts against the limit of new jobs, like every job that a caller asks for. Throws `not_found` and what `refuse` throws. */
export function runNow(
  context: JobsContext,
  { projectId, automationId, by, refuse }: AskedRun,
  request: IdempotentRequest | undefined,
  limit: RateLimit,
): Promise<Once<AutomationRun>> {
  return once(context.db, request, async (trx) => {
    const project = await lockForAutomations(trx, projectId)
    const automation = await lockAutomation(trx, projectId, automationId)
    const now = context.clock.now()
    refuse(automation, now)
    const row = await startRun(trx, context, { automation, project, by: { trigger: 'person', ...by }, now })
    if (row.job_id !== null) await consume(trx, limit, projectId)
    const [run] = await toRuns({ ...context, db: trx }, [row])
    if (!run) throw new Failure('internal', 'The run is not there.')
    return run
  })
}

/** Throws `automation_paused`. */
export function refuseStopped(automation: AutomationRow, now: Date): void {
  const stopped = sayStopped(automation, now)
  if (stopped !== undefined) throw new Failure('automation_paused', stopped)
}

/** Only schedules that are on can be triggered from outside. Throws `invalid_input`. */
export function refuseUntriggerable(automation: AutomationRow, now: Date): void {
  const { type } = triggerOf(automation)
  const problem =
    type === 'schedule'
      ? sayStopped(automation, now)
      : `Only automations with the trigger \`schedule\` can be triggered here; this one has \`${type}\`.`
  if (problem !== undefined) throw new Failure('invalid_input', problem)
}

function sayStopped({ enabled, paused_because: because, ends_at: end }: AutomationRow, now: Date): string | undefined {
  if (!enabled) return because === null ? 'The automation is paused.' : `The automation paused itself: ${because}`
  return end !== null && end <= now ? `The automation ended at ${end.toISOString()}.` : undefined
}
