// The loopback Azure DevOps about merges: statuses, policies of the branch, votes, and the completion at a commit.

import { type Call, type Routes, textOf } from '../routes.ts'
import type { Pull, Token, World } from '../world.ts'
import { idOf, refuse, shapePerson } from './shapes.ts'

export function shapeStatuses(world: World, commit: string) {
  return world.remarks.on(commit, 'status').map(({ id, name, state, createdAt }) => {
    return { id, state, description: 'It ran', context: { name, genre: 'ci' }, creationDate: createdAt }
  })
}

export function setStatus(world: World, { params, body }: Call, { login }: Token) {
  const { commitId: commit = '' } = params
  if (world.commit(commit) === undefined)
    throw refuse(404, `TF401175: The version descriptor <Commit: ${commit} > could not be resolved.`)
  const { genre, name } = body['context'] as { readonly genre: string; readonly name: string }
  const [state, text] = [textOf(body['state']), textOf(body['description'])]
  const url = textOf(body['targetUrl']) || null
  const id = world.remarks.setStatus({ commit, context: `${genre}/${name}`, state, text, url, login })
  return { ...body, id, createdBy: shapePerson(login), creationDate: world.date() }
}

const build = '/:organization/:project/_apis/build/builds/:build'
/** Builds are in another description. */
export const buildRoutes = [`GET ${build}/timeline`, `GET ${build}/logs/:log`] as const

export function answerBuilds(world: World, login: (call: Call) => void): Routes {
  const logOf = (call: Call): string => {
    login(call)
    const log = world.remarks.logOf(call.params['build'])
    if (log === undefined) throw refuse(404, 'The requested build could not be found.')
    return log
  }
  return {
    [buildRoutes[0]]: (call) => {
      logOf(call)
      const shape = (type: string, result: string, id: number) => ({
        id: idOf(`record ${id}`),
        type,
        result,
        order: id,
        finishTime: `2026-11-20T09:00:0${id}Z`,
        log: { id, type: 'Container', url: '' },
      })
      const records = [shape('Task', 'succeeded', 1), shape('Task', 'failed', 2), shape('Job', 'failed', 3)]
      return { status: 200, body: { records } }
    },
    [buildRoutes[1]]: (call) => {
      const log = logOf(call)
      if (call.params['log'] !== '2') throw refuse(404, 'The requested log could not be found.')
      return { status: 200, body: log, headers: { 'Content-Type': 'text/plain' } }
    },
  }
}

/** A build that the branch requires. The description of policies is another one, so the query is compared here. */
export function shapePolicies(world: World, { query }: Call) {
  const [, project = ''] = world.path.split('/')
  const pull = world.pulls.find(
    ({ number }) => query.get('artifactId') === `vstfs:///CodeReview/CodeReviewId/${idOf(project)}/${number}`,
  )
  const names = [...query.keys()].toSorted().join()
  if (!pull || names !== '$skip,$top,api-version,artifactId' || query.get('api-version') !== '7.1-preview.1') {
    throw refuse(400, `The policies of what? ${query.toString()}`)
  }
  const rows = world.remarks.on(pull.head, 'check').map(({ id, state, log }) => ({
    evaluationId: idOf(`policy ${id}`),
    status: state,
    context: log === null ? null : { buildId: id },
    configuration: { type: { id: '0609b952-1397-4640-95ec-e00a01b2c241', displayName: 'Build' } },
  }))
  const reviewers = { id: 'fa4e907d-c16b-4a4c-9dfa-4906e5d171dd', displayName: 'Minimum number of reviewers' }
  return [...rows, { evaluationId: idOf('reviewers'), status: 'approved', configuration: { type: reviewers } }]
}

/** Completes it at this commit only. */
export function completePull(world: World, { body }: Pick<Call, 'body'>, pull: Pull): void {
  const { commitId } = (body['lastMergeSourceCommit'] ?? {}) as { readonly commitId?: unknown }
  if (pull.state !== 'open' || commitId !== pull.head) {
    throw refuse(409, 'TF401192: The source branch has been modified since the last merge.')
  }
  world.merge(pull.number)
}
