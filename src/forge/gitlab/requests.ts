// Requests to one project on GitLab that several parts of the adapter send.

import { type Branches, explain, type Place, refuseMissingBranch } from '../explain.ts'
import { isStatus, parseReply } from '../parse.ts'
import { type GitLab, projectPath } from './gitlab.ts'
import { type MergeRequest, mergeRequestSchema } from './merge-request.ts'

/** The same edit may be sent again. JSON omits undefined fields. */
export async function edit(
  gitlab: GitLab,
  number: number,
  body: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<MergeRequest> {
  const { client, project, asked } = gitlab
  const reply = await client.ask({ method: 'PUT', path: `${project}/merge_requests/${number}`, body }, signal)
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(gitlab), reply, asked.pullRequests, signal)
  return parseReply(reply, mergeRequestSchema, asked.pullRequests)
}

export async function readMergeRequest(gitlab: GitLab, number: number, signal: AbortSignal): Promise<MergeRequest> {
  const { client, project, asked } = gitlab
  const reply = await client.ask({ method: 'GET', path: `${project}/merge_requests/${number}` }, signal)
  return parseReply(reply, mergeRequestSchema, asked.pullRequests)
}

export async function refuseMissing(gitlab: GitLab, branches: Branches, signal: AbortSignal): Promise<void> {
  const { client, path: own, fork: source, asked } = gitlab
  const where = { repository: asked.read.repository, fork: source }
  await refuseMissingBranch(branches, where, async (branch, fork = own) => {
    const path = `${projectPath(fork)}/repository/branches/${encodeURIComponent(branch)}`
    return isStatus(await client.ask({ method: 'GET', path }, signal), 404)
  })
}

/** The project that has the branches of jobs. */
export function sourceOf({ project, fork }: GitLab): string {
  return fork === undefined ? project : projectPath(fork)
}

export function placeOf({ client, project }: GitLab): Place {
  return { client, path: project, account: '/user' }
}
