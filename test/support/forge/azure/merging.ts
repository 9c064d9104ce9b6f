// The loopback Azure DevOps about merges: statuses, policies of the branch, votes, and the completion at a commit.

import { type Call, textOf } from '../routes.ts'
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
  const rows = world.remarks.on(pull.head, 'check').map(({ id, state }) => ({
    evaluationId: idOf(`policy ${id}`),
    status: state,
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
