// Prints an automation for people: as a line of the list, by its fields, and what senders of its events need.

import type { ShownAutomation } from '../../http/resources/automations/schemas.ts'
import { plainText } from '../../lib/plain-text.ts'
import { type Output, printFields } from '../output.ts'

/** Says for people which trigger it has. */
export function sayTrigger(trigger: ShownAutomation['trigger']): string {
  if (trigger.type === 'schedule') return plainText(`${trigger.cron} ${trigger.timeZone ?? ''}`.trimEnd())
  if (trigger.type === 'docs') return 'changes of the docs'
  if (trigger.type !== 'code') return trigger.type === 'event' ? 'events' : 'people'
  const of = trigger.source === null ? 'of this repository' : `of @${plainText(trigger.source)}`
  return trigger.when === 'merge' ? `commits ${of}` : `commits ${of}, ${plainText(trigger.when)}`
}

export function stateOf({
  trigger,
  enabled,
  pausedBecause,
  endsAt,
  nextRunAt,
  heldBack,
  lastRun,
}: ShownAutomation): readonly string[] {
  const isEnded = endsAt !== null && nextRunAt === null && trigger.type === 'schedule' && heldBack === null
  const stopped = isEnded ? 'ended' : heldBack === null ? '-' : 'waits for the clock'
  return [
    sayTrigger(trigger),
    enabled
      ? nextRunAt === null
        ? stopped
        : toMinute(nextRunAt)
      : pausedBecause === null
        ? 'paused'
        : 'paused itself',
    lastRun === null ? '-' : `${lastRun.status}, ${toMinute(lastRun.createdAt)}`,
  ]
}

export function toMinute(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')}Z`
}

export function print(output: Output, body: string, { json }: { readonly json?: true }): void {
  if (json) return output.print(body)
  const shown = JSON.parse(body) as ShownAutomation
  const {
    lastRun,
    trigger,
    budgets,
    caps,
    sources,
    scope,
    heldBack,
    pausedBecause,
    eventAddress,
    position,
    secret: _,
    ...automation
  } = shown
  const given = (limits: object) => {
    const set = Object.entries(limits).filter(([, limit]) => limit !== null)
    return set.length === 0 ? 'as in the project' : set.map(([name, limit]) => `${name}=${limit}`).join(' ')
  }
  const { nextRunAt, model, endsAt, instructions, options } = automation
  printFields(output, {
    ...automation,
    trigger:
      trigger.type === 'schedule'
        ? `${trigger.cron} (${trigger.timeZone ?? 'time zone of the project'})`
        : sayTrigger(trigger),
    options:
      Object.entries(options)
        .map(([name, isOn]) => `${name}=${isOn ? 'on' : 'off'}`)
        .join(' ') || 'the kind has no options',
    instructions: instructions === '' ? 'those of its kind' : instructions,
    ...(eventAddress === null ? {} : { eventAddress }),
    ...(pausedBecause === null ? {} : { pausedBecause }),
    sources: sources === null ? 'all' : sources.join(', '),
    scope: scope.length === 0 ? 'all that the project allows' : scope.join(', '),
    model: model ?? 'as in the project',
    budgets: given(budgets),
    caps: given(caps),
    endsAt: endsAt ?? 'never',
    nextRunAt: nextRunAt ?? heldBack ?? 'nothing is due',
    ...(position === null ? {} : { position: sayPosition(position) }),
    lastRun: lastRun === null ? 'never' : `${lastRun.status}, ${lastRun.jobId ?? lastRun.reason ?? ''}`,
  })
  printEvents(output, shown)
}

function sayPosition({
  branch,
  commit,
  waiting,
  setAside,
  note,
  error,
}: NonNullable<ShownAutomation['position']>): string {
  const at = commit === null ? 'not looked at yet' : `${plainText(branch ?? '')} at ${commit.slice(0, 12)}`
  const counts = `${waiting} waiting, ${setAside} set aside`
  return [at, counts, note, error === null ? null : `not reachable: ${error}`]
    .filter((part) => part !== null)
    .join('; ')
}

/** Prints the secret, if it is new, and a request to try. */
export function printEvents(output: Output, { eventAddress, secret }: ShownAutomation): void {
  if (secret === null || eventAddress === null) return
  output.print(`Secret: ${secret}
Store it now: it is not shown again. Senders of Standard Webhooks sign with it. With a key, no signature is needed:
  curl -X POST ${eventAddress} \\
    -H "Authorization: Bearer $DOCENT_API_KEY" -H 'Content-Type: application/json' \\
    -d '{ "version": "2.0.0" }'`)
}
