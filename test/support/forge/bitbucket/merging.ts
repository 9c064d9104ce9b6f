// The loopback Bitbucket about merges: statuses of commits, opinions, and the merge, which takes
// whatever is at the head.

import { type Call, type Routes, textOf } from '../routes.ts'
import type { Pull, Token, World } from '../world.ts'
import { pageOfRows } from './pulls.ts'
import { idsOf, refuse, shapeUser } from './shapes.ts'

export function shapeStatuses(world: World, call: Call, web: string, address: string) {
  const { items, ...rest } = pageOfRows(call, world.remarks.on(call.params['commit'] ?? '', 'status'), address)
  const values = items.map(({ id, name, state, log, createdAt }) => ({
    type: 'build',
    key: `${id}`,
    name,
    description: 'It ran',
    state,
    uuid: idsOf(`${id}`).uuid,
    url: log === null ? `${web}/build/${id}` : `${web}/${world.path}/pipelines/results/${id}`,
    created_on: createdAt,
    updated_on: createdAt,
  }))
  return { ...rest, values }
}

export function setStatus(world: World, { params, body }: Call, { login }: Token) {
  const { commit = '' } = params
  if (world.commit(commit) === undefined) throw refuse(404, 'Commit not found')
  const [key = '', state = '', text = '', url = ''] = ['key', 'state', 'description', 'url'].map((name) =>
    textOf(body[name]),
  )
  if (url === '') throw refuse(400, 'url: This field is required.')
  const id = world.remarks.setStatus({ commit, context: key, state, text, url, login })
  const times = { created_on: world.date(), updated_on: world.date() }
  return {
    type: 'build',
    key,
    name: textOf(body['name']),
    state,
    description: text,
    url,
    uuid: idsOf(`${id}`).uuid,
    ...times,
  }
}

const steps = '/repositories/:workspace/:repo_slug/pipelines/:pipeline/steps'
/** Pipelines are in another description. */
export const pipelineRoutes = [`GET ${steps}`, `GET ${steps}/:step/log`] as const

export function answerPipelines(world: World, open: (call: Call) => void): Routes {
  const logOf = (call: Call): string => {
    open(call)
    const log = world.remarks.logOf(call.params['pipeline'])
    if (log === undefined) throw refuse(404, 'Resource not found')
    return log
  }
  return {
    [pipelineRoutes[0]]: (call) => {
      logOf(call)
      const shape = (name: string, result: string) => ({
        type: 'pipeline_step',
        uuid: idsOf(name).uuid,
        state: { name: 'COMPLETED', result: { name: result } },
      })
      return { status: 200, body: { page: 1, values: [shape('fetch', 'SUCCESSFUL'), shape('build', 'FAILED')] } }
    },
    [pipelineRoutes[1]]: (call) => {
      const log = logOf(call)
      if (call.params['step'] !== idsOf('build').uuid) throw refuse(404, 'Resource not found')
      return { status: 200, body: log, headers: { 'Content-Type': 'application/octet-stream' } }
    },
  }
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
