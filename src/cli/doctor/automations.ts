// A finding for the automations of a project: how many are on, which ones paused themselves, and which ones failed the last time. A running service is asked:
// without one, nothing starts them.

import type { ShownAutomation } from '../../http/resources/automations/schemas.ts'
import { Failure } from '../../lib/failure.ts'
import type { Api } from '../api/api.ts'
import { type Finding, ok, warning } from './finding.ts'

export type ListAutomations = (projectId: string) => Promise<readonly ShownAutomation[]>

export function automationsOfService(api: Pick<Api, 'send'>): ListAutomations {
  return async (projectId) => {
    try {
      const { body } = await api.send('GET', `/v1/projects/${projectId}/automations`)
      return (JSON.parse(body) as { readonly automations: readonly ShownAutomation[] }).automations
    } catch (error) {
      // An older service has no automations.
      if (error instanceof Failure && error.code === 'not_found') return []
      throw error
    }
  }
}

export async function checkAutomations(
  list: ListAutomations,
  project: { readonly id: string; readonly label: string },
): Promise<readonly Finding[]> {
  const all = await list(project.id)
  if (all.length === 0) return []
  const on = all.filter(({ enabled }) => enabled)
  const bad = on.flatMap(({ id, name, lastRun }) => {
    if (lastRun?.status !== 'failed') return []
    const [reason = ''] = (lastRun.reason ?? 'no reason is known').split('\n', 1)
    const says = `its last run failed: ${reason}`
    return [warning(`automation ${name} of ${project.label}`, says, `See \`docent automation runs ${id}\`.`)]
  })
  const paused = all.flatMap(({ id, name, pausedBecause }) => {
    if (pausedBecause === null) return []
    const todo = `Find out who sends so many events, then \`docent automation resume ${id}\`.`
    return [warning(`automation ${name} of ${project.label}`, `it paused itself: ${pausedBecause}`, todo)]
  })
  const held = on.find(({ heldBack }) => heldBack !== null)?.heldBack
  const says = `${on.length} of ${all.length} are on${held ? `. ${held}` : ''}`
  return [ok(`automations of ${project.label}`, says), ...paused, ...bad]
}
