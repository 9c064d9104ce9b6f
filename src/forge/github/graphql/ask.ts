// Asks GitHub's GraphQL API, which reports a refusal with status 200.

import { z } from 'zod'
import { Failure } from '../../../lib/failure.ts'
import { parseReply } from '../../parse.ts'
import type { GitHub } from '../github.ts'

const replySchema = z.object({
  data: z.unknown(),
  errors: z
    .array(z.object({ type: z.string().max(100).optional(), message: z.string().max(4_000).optional() }))
    .optional(),
})

export type Asking = { readonly query: string; readonly variables: Readonly<Record<string, string | number>> }
/** `refusals`: the words of GitHub. */
export type Answer = { readonly data: unknown; readonly refusals: readonly string[] }

/** Returns undefined if the credential may not ask at all. Throws `forge_unavailable` when the effect is unknown. */
export async function askGraphql(github: GitHub, body: Asking, signal: AbortSignal): Promise<Answer | undefined> {
  const { client, asked } = github
  const request = { method: 'POST', path: graphqlPath(client.basePath), isFromOrigin: true, body } as const
  const reply = await client.ask(request, signal)
  if (reply.kind === 'response' && [403, 404, 422].includes(reply.status)) return undefined
  const { data, errors = [] } = parseReply(reply, replySchema, asked.pullRequests)
  for (const { type } of errors) {
    if (type === 'RATE_LIMITED') {
      throw new Failure('forge_rate_limited', 'GitHub asks to wait before more requests.', { retryAfter: 60 })
    }
    // Only GitHub's own faults have no type.
    if (type === undefined) throw new Failure('forge_unavailable', 'GitHub could not change the pull request.')
  }
  return { data, refusals: errors.map(({ message = '' }) => message) }
}

/** `https://api.github.com/graphql`; below `/api/graphql` where the REST API is below `/api/v3`. */
function graphqlPath(basePath: string): string {
  return `${basePath.replace(/\/v3$/, '')}/graphql`
}
