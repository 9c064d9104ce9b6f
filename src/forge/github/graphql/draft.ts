// Converts an open pull request to a draft. Only GitHub's GraphQL API can do that: one mutation, which may be sent again.
// Does nothing if the repository or the credential does not support drafts; the note in the text still gives the reason.

import { z } from 'zod'
import { parseReply } from '../../parse.ts'
import type { GitHub } from '../github.ts'
import { askGraphql } from './ask.ts'

const query =
  'mutation($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }'

const nodeSchema = z.object({ node_id: z.string().min(1).max(200), draft: z.boolean().optional() })

/** Throws `forge_unavailable` when the effect is unknown, and the other failures of a host. */
export async function convertToDraft(github: GitHub, number: number, signal: AbortSignal): Promise<void> {
  const { client, path, asked } = github
  const read = await client.ask({ method: 'GET', path: `${path}/pulls/${number}` }, signal)
  const { node_id: id, draft = false } = parseReply(read, nodeSchema, asked.pullRequests)
  if (!draft) await askGraphql(github, { query, variables: { id } }, signal)
}
