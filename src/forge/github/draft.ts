// Converts an open pull request to a draft. Only GitHub's GraphQL API can do that: one mutation, which may be sent again.
// Does nothing if the repository or the credential does not support drafts; the note in the text still gives the reason.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import { parseReply } from '../parse.ts'
import type { GitHub } from './github.ts'

const mutation =
  'mutation($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }'

const nodeSchema = z.object({ node_id: z.string().min(1).max(200), draft: z.boolean().optional() })
const replySchema = z.object({
  data: z.unknown(),
  errors: z.array(z.object({ type: z.string().max(100).optional() })).optional(),
})

/** Throws `forge_unavailable` when the effect is unknown, and the other failures of a host. */
export async function convertToDraft(github: GitHub, number: number, signal: AbortSignal): Promise<void> {
  const { client, path, asked } = github
  const read = await client.ask({ method: 'GET', path: `${path}/pulls/${number}` }, signal)
  const { node_id: id, draft = false } = parseReply(read, nodeSchema, asked.pullRequests)
  if (draft) return
  const body = { query: mutation, variables: { id } }
  const request = { method: 'POST', path: graphqlPath(client.basePath), isFromOrigin: true, body } as const
  const reply = await client.ask(request, signal)
  if (reply.kind === 'response' && [403, 404, 422].includes(reply.status)) return
  refuseTransient(parseReply(reply, replySchema, asked.pullRequests))
}

/** GraphQL reports a refusal with status 200. GitHub's own faults have no type. */
function refuseTransient({ errors = [] }: z.infer<typeof replySchema>): void {
  for (const { type } of errors) {
    if (type === 'RATE_LIMITED') {
      throw new Failure('forge_rate_limited', 'GitHub asks to wait before more requests.', { retryAfter: 60 })
    }
    if (type === undefined) throw new Failure('forge_unavailable', 'GitHub could not make the pull request a draft.')
  }
}

/** `https://api.github.com/graphql`; below `/api/graphql` where the REST API is below `/api/v3`. */
function graphqlPath(basePath: string): string {
  return `${basePath.replace(/\/v3$/, '')}/graphql`
}
