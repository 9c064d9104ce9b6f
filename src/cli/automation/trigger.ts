// Reads the trigger of an automation from the options that a person gives.

import type { Trigger } from '../../automations/automation.ts'
import type { ShownAutomation } from '../../http/resources/automations/schemas.ts'
import type { Api } from '../api/api.ts'
import { usage } from '../exit.ts'

export type TriggerOptions = { readonly cron?: string; readonly timeZone?: string; readonly event?: true }

export function newTrigger(options: TriggerOptions): Trigger {
  const { cron, timeZone, event } = options
  refuseBoth(options)
  if (event) return { type: 'event' }
  if (cron !== undefined) return { type: 'schedule', cron, timeZone: timeZone ?? null }
  if (timeZone !== undefined) throw usage('--time-zone needs --cron.')
  return { type: 'person' }
}

function refuseBoth({ cron, timeZone, event }: TriggerOptions): void {
  const isScheduled = cron !== undefined || timeZone !== undefined
  if (event && isScheduled) throw usage('--event cannot be used with --cron or --time-zone.')
}

/** Times and zone are one field of the API: the one that is not given stays. */
export async function changedTrigger(
  api: Api,
  path: string,
  options: TriggerOptions & { readonly schedule: boolean },
): Promise<Trigger | undefined> {
  const { cron, timeZone, event, schedule } = options
  refuseBoth(options)
  if (event) {
    if (!schedule) throw usage('--event cannot be used with --no-schedule.')
    return { type: 'event' }
  }
  const isChanged = cron !== undefined || timeZone !== undefined
  if (!schedule && isChanged) throw usage('--no-schedule cannot be used with --cron or --time-zone.')
  if (!schedule) return { type: 'person' }
  if (!isChanged) return undefined
  const { trigger } = JSON.parse((await api.send('GET', path)).body) as ShownAutomation
  const before = trigger.type === 'schedule' ? trigger : undefined
  const times = cron ?? before?.cron
  if (times === undefined) throw usage('--time-zone needs --cron: the automation has no schedule.')
  return { type: 'schedule', cron: times, timeZone: timeZone ?? before?.timeZone ?? null }
}
