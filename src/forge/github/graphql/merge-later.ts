// Turns on the auto-merge of a pull request, which only GitHub's GraphQL API can do. GitHub refuses it where nothing is left to
// wait for.

import { z } from 'zod'
import type { MergeLater } from '../../host.ts'
import type { PullHead } from '../../merging/merging.ts'
import type { GitHub } from '../github.ts'
import { askGraphql } from './ask.ts'

const methods = ['MERGE', 'SQUASH', 'REBASE'] as const
const question =
  'query($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) { autoMergeAllowed viewerDefaultMergeMethod pullRequest(number: $number) { id } } }'
const mutation =
  'mutation($id: ID!, $head: GitObjectID!, $method: PullRequestMergeMethod!) { enablePullRequestAutoMerge(input: { pullRequestId: $id, expectedHeadOid: $head, mergeMethod: $method }) { pullRequest { id } } }'

const repositorySchema = z.object({
  repository: z.object({
    autoMergeAllowed: z.boolean(),
    viewerDefaultMergeMethod: z.enum(methods),
    pullRequest: z.object({ id: z.string().min(1).max(200) }),
  }),
})

/** See `ForgeHost.mergeLater`. */
export async function mergeLater(github: GitHub, { number, head }: PullHead, signal: AbortSignal): Promise<MergeLater> {
  const { owner, name, webUrl } = github.repository
  const answer = await askGraphql(github, { query: question, variables: { owner, name, number } }, signal)
  const found = repositorySchema.safeParse(answer?.data)
  if (!found.success) return refused(answer?.refusals[0])
  const { autoMergeAllowed, viewerDefaultMergeMethod: method, pullRequest } = found.data.repository
  if (!autoMergeAllowed) return refused(`Turn on "Allow auto-merge" at ${webUrl}/${owner}/${name}/settings.`)
  const variables = { id: pullRequest.id, head, method }
  const done = await askGraphql(github, { query: mutation, variables }, signal)
  if (done?.refusals.length === 0) return { kind: 'set' }
  const words = done?.refusals[0]
  const isReady = /\b(?:clean|unstable) status\b/i.test(words ?? '')
  return refused(isReady ? 'Its base branch requires no checks or reviews, so there is nothing to wait for.' : words)
}

function refused(reason = 'The credential may not ask for that.'): MergeLater {
  return { kind: 'refused', reason }
}
