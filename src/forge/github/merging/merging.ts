// Whether GitHub would merge a pull request, and the merge of one commit. Only its GraphQL API has the threads of reviews, the
// last opinion of each reviewer, and how the repository merges.

import { z } from 'zod'
import type { HostedPull } from '../../host.ts'
import { askToMerge } from '../../merging/answer.ts'
import { type HostMerging, known, type MergeOrder, type MergeState, unknown } from '../../merging/merging.ts'
import { text } from '../../reply/shapes.ts'
import { askGraphql } from '../graphql/ask.ts'
import type { GitHub } from '../github.ts'
import { readChecks } from './checks.ts'

type Get = (number: number, signal: AbortSignal) => Promise<HostedPull | undefined>

export function createGitHubMerging(github: GitHub, get: Get): HostMerging {
  return {
    checks: ({ head }, signal) => readChecks(github, head, signal),
    read: async (number, signal) => {
      const pull = await get(number, signal)
      if (!pull) return undefined
      const review = await readReview(github, number, signal)
      return { pull, checks: await readChecks(github, pull.head.commit, signal), ...review }
    },
    merge: (order, signal) => merge(github, order, signal),
  }
}

const mostNodes = 100
const question = `query($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) { viewerDefaultMergeMethod pullRequest(number: $number) { mergeable latestOpinionatedReviews(first: ${mostNodes}) { nodes { state author { login } } pageInfo { hasNextPage } } reviewThreads(first: ${mostNodes}) { nodes { isResolved } pageInfo { hasNextPage } } } } }`

const list = <Node>(node: z.ZodType<Node>) =>
  z.object({ nodes: z.array(node).max(mostNodes), pageInfo: z.object({ hasNextPage: z.boolean() }) })

const repositorySchema = z.object({
  repository: z.object({
    viewerDefaultMergeMethod: z.enum(['MERGE', 'SQUASH', 'REBASE']),
    pullRequest: z.object({
      mergeable: z.enum(['MERGEABLE', 'CONFLICTING', 'UNKNOWN']),
      latestOpinionatedReviews: list(z.object({ state: text(50), author: z.object({ login: text(300) }).nullable() })),
      reviewThreads: list(z.object({ isResolved: z.boolean() })),
    }),
  }),
})

type Review = Pick<MergeState, 'refusal' | 'changesRequested' | 'openThreads' | 'method'>

async function readReview(github: GitHub, number: number, signal: AbortSignal): Promise<Review> {
  const { owner, name } = github.repository
  const answer = await askGraphql(github, { query: question, variables: { owner, name, number } }, signal)
  const found = repositorySchema.safeParse(answer?.data)
  if (!found.success) {
    const nothing = unknown('The credential may not read the reviews of the pull request.')
    return { refusal: nothing, changesRequested: nothing, openThreads: nothing, method: undefined }
  }
  const { viewerDefaultMergeMethod: method, pullRequest } = found.data.repository
  const { mergeable, latestOpinionatedReviews: reviews, reviewThreads: threads } = pullRequest
  const wanting = reviews.nodes.filter(({ state }) => state === 'CHANGES_REQUESTED')
  return {
    refusal: refusals[mergeable],
    changesRequested: reviews.pageInfo.hasNextPage
      ? unknown(`More than ${mostNodes} people have reviewed it.`)
      : known(wanting.map(({ author }) => author?.login ?? 'a deleted account')),
    openThreads: threads.pageInfo.hasNextPage
      ? unknown(`It has more than ${mostNodes} threads.`)
      : known(threads.nodes.filter(({ isResolved }) => !isResolved).length),
    method: method.toLowerCase(),
  }
}

const refusals = {
  MERGEABLE: known(null),
  CONFLICTING: known('It conflicts with its base.'),
  UNKNOWN: unknown('GitHub has not found out yet whether it can be merged.'),
} as const satisfies Record<string, MergeState['refusal']>

/** GitHub refuses with 409 if the head is another commit. */
function merge({ client, path, asked }: GitHub, { number, head, method }: MergeOrder, signal: AbortSignal) {
  const body = { sha: head, ...(method === undefined ? {} : { merge_method: method }) }
  const request = { method: 'PUT', path: `${path}/pulls/${number}/merge`, body } as const
  return askToMerge({ client, asked: asked.pullRequests }, request, signal)
}
