// The completed pull requests that brought commits to a repository on Azure DevOps: one request for all commits. Who has an
// account of the organization is no outsider.

import { z } from 'zod'
import type { MergedPull, PullAuthor } from '../authors/merged-pulls.ts'
import { parseReply } from '../parse.ts'
import { pullNumber, text } from '../reply/shapes.ts'
import { authorOf } from './activity/activity.ts'
import type { Azure } from './azure.ts'
import { type Identity, identitySchema } from './threads.ts'

const pullSchema = z.object({ pullRequestId: pullNumber, status: text(50), createdBy: identitySchema })
/** By commit. */
const resultSchema = z.record(z.string().max(100), z.array(pullSchema).max(100))
const querySchema = z.object({ results: z.array(resultSchema).max(10) })

export async function readMergedPulls(
  { client, path, place, asked }: Azure,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<readonly MergedPull[]> {
  if (commits.length === 0) return []
  const queries = [
    { type: 'lastMergeCommit', items: commits },
    { type: 'commit', items: commits },
  ]
  const reply = await client.ask({ method: 'POST', path: `${path}/pullrequestquery`, body: { queries } }, signal)
  const { results } = parseReply(reply, querySchema, asked.read)
  const rows = commits.flatMap((commit) => results.flatMap((result) => result[commit] ?? []))
  const completed = rows.filter(({ status }) => status === 'completed')
  const distinct = new Map(completed.map((row) => [row.pullRequestId, row]))
  return [...distinct.values()].map(({ pullRequestId: number, createdBy }) => ({
    number,
    link: `${place.webUrl}/${place.path}/pullrequest/${number}`,
    author: toAuthor(createdBy),
  }))
}

function toAuthor(given: Identity): PullAuthor | null {
  const author = authorOf(given)
  return author && { ...author, reviewer: author.id, isOutsider: false }
}
