// The loopback Bitbucket about merges: statuses of commits, opinions, and the merge, which takes
// whatever is at the head.

import { type Call } from '../routes.ts'
import type { Pull, World } from '../world.ts'
import { pageOfRows } from './pulls.ts'
import { idsOf, refuse, shapeUser } from './shapes.ts'

export function shapeStatuses(world: World, call: Call, web: string, address: string) {
  const { items, ...rest } = pageOfRows(call, world.remarks.on(call.params['commit'] ?? '', 'status'), address)
  const values = items.map(({ id, name, state, createdAt }) => ({
    type: 'build',
    key: `${id}`,
    name,
    description: 'It ran',
    state,
    uuid: idsOf(`${id}`).uuid,
    url: `${web}/build/${id}`,
    created_on: createdAt,
    updated_on: createdAt,
  }))
  return { ...rest, values }
}

/** Opinions, as the pull request shows them. */
export function shapeParticipants(world: World, pull: Pull, web: string) {
  const states: Readonly<Record<string, string>> = { APPROVED: 'approved', CHANGES_REQUESTED: 'changes_requested' }
  return world.remarks.opinions(pull.number).map(({ login, state, createdAt }) => ({
    type: 'participant',
    user: shapeUser(login, web),
    role: 'REVIEWER',
    approved: state === 'APPROVED',
    state: states[state] ?? null,
    participated_on: createdAt,
  }))
}

export function mergePull(world: World, pull: Pull): void {
  if (pull.state !== 'open') throw refuse(400, 'This pull request is already closed.')
  const isMergeable = world.mergeable(pull) ?? world.mergeable(pull)
  if (pull.draft || isMergeable !== true) throw refuse(409, 'The pull request cannot be merged.')
  world.merge(pull.number)
}
