// Reads the trigger of an automation from the options that a person gives.

import type { Trigger } from '../../automations/automation.ts'
import type { ShownAutomation } from '../../http/resources/automations/schemas.ts'
import type { Api } from '../api/api.ts'
import { usage } from '../exit.ts'

export type TriggerOptions = {
  readonly cron?: string
  readonly timeZone?: string
  readonly event?: true
  readonly docs?: true
  /** `true`: the repository of the project itself. */
  readonly code?: string | true
  readonly path?: readonly string[]
}

export function newTrigger(options: TriggerOptions): Trigger {
  return chosenTrigger(options) ?? { type: 'person' }
}

/** Undefined: no option names one. */
export function chosenTrigger({ cron, timeZone, event, docs, code, path }: TriggerOptions): Trigger | undefined {
  const named = [event && '--event', docs && '--docs', code !== undefined && '--code'].filter(
    (flag) => typeof flag === 'string',
  )
  if (named.length > 1) throw usage(`${named.join(' and ')} cannot be used together.`)
  const [flag] = named
  if (path !== undefined && flag !== '--docs' && flag !== '--code') throw usage('--path needs --docs or --code.')
  if (timeZone !== undefined && flag !== undefined) throw usage(`${flag} cannot be used with --time-zone.`)
  if (code !== undefined)
    return { type: 'code', source: code === true ? null : code, paths: path ?? [], when: cron ?? 'merge' }
  if (cron !== undefined && flag !== undefined) throw usage(`${flag} cannot be used with --cron.`)
  if (docs) return { type: 'docs', paths: path ?? [] }
  if (event) return { type: 'event' }
  if (cron !== undefined) return { type: 'schedule', cron, timeZone: timeZone ?? null }
  if (timeZone !== undefined) throw usage('--time-zone needs --cron.')
  return undefined
}

/** Times and zone are one field of the API: the one that is not given stays. */
export async function changedTrigger(
  api: Api,
  path: string,
  options: TriggerOptions & { readonly schedule: boolean },
): Promise<Trigger | undefined> {
  const { cron: times, timeZone, event, docs, code, path: globs, schedule } = options
  const isChanged = [times, timeZone, event, docs, code, globs].some((value) => value !== undefined)
  if (!schedule && isChanged) throw usage('--no-schedule cannot be used with another option of the trigger.')
  if (!schedule) return { type: 'person' }
  const chosen = chosenTrigger(timeZone === undefined ? options : { ...options, cron: times ?? '' })
  if (chosen?.type !== 'schedule') return chosen
  const { trigger } = JSON.parse((await api.send('GET', path)).body) as ShownAutomation
  const before = trigger.type === 'schedule' ? trigger : undefined
  const cron = times ?? before?.cron
  if (cron === undefined) throw usage('--time-zone needs --cron: the automation has no schedule.')
  return { type: 'schedule', cron, timeZone: timeZone ?? before?.timeZone ?? null }
}
