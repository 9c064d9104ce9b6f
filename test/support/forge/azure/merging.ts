// The loopback Azure DevOps about merges: statuses, policies of the branch, votes, and the completion at a commit.

import type { Call } from '../routes.ts'
import type { Pull, World } from '../world.ts'
import { idOf, refuse } from './shapes.ts'

export function shapeStatuses(world: World, commit: string) {
  return world.remarks.on(commit, 'status').map(({ id, name, state, createdAt }) => {
    return { id, state, description: 'It ran', context: { name, genre: 'ci' }, creationDate: createdAt }
  })
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
