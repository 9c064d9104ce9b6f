// When the next run of an automation is due, as columns of its row. Pure.

import type { AutomationRow } from '../../postgres/schema/automations.ts'
import { triggerOf } from '../automation.ts'
import { nextSlot, spreadOf } from './schedule.ts'

type Plan = Pick<AutomationRow, 'next_slot' | 'next_run_at' | 'slot_zone'>
type Planned = Pick<AutomationRow, 'id' | 'trigger' | 'enabled' | 'ends_at'>

/** `projectZone` counts for a schedule without a zone of its own, and is stored: the project may get another one. */
export function planNext(row: Planned, projectZone: string, after: Date): Plan {
  const schedule = scheduleOf(row)
  const nothing = { next_slot: null, next_run_at: null, slot_zone: null }
  if (schedule === undefined || !row.enabled) return nothing
  const { cron, timeZone } = schedule
  const slot = nextSlot({ cron, timeZone: timeZone ?? projectZone }, after)
  if (slot === null || (row.ends_at !== null && slot >= row.ends_at)) return nothing
  return {
    next_slot: slot,
    next_run_at: new Date(slot.getTime() + spreadOf(row.id)),
    slot_zone: timeZone === null ? projectZone : null,
  }
}

function scheduleOf(row: Planned): { readonly cron: string; readonly timeZone: string | null } | undefined {
  const trigger = triggerOf(row)
  if (trigger.type === 'schedule') return trigger
  return trigger.type === 'code' && trigger.when !== 'merge' ? { cron: trigger.when, timeZone: null } : undefined
}
