// Requests to one project on GitLab that several parts of the adapter send.

import { Failure } from '../../lib/failure.ts'
import { explain, type Place } from '../explain.ts'
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

/** Throws when one of the two does not exist. */
export async function refuseMissingBranch(
  gitlab: GitLab,
  { base, branch }: { readonly base: string; readonly branch: string },
  signal: AbortSignal,
): Promise<void> {
  const { client, project, fork, asked } = gitlab
  const isMissing = async (at: string, name: string) => {
    const path = `${at}/repository/branches/${encodeURIComponent(name)}`
    return isStatus(await client.ask({ method: 'GET', path }, signal), 404)
  }
  const { repository } = asked.read
  if (await isMissing(project, base)) throw new Failure('base_not_found', `${repository} has no branch ${base}.`)
  if (await isMissing(sourceOf(gitlab), branch)) {
    throw new Failure('branch_conflict', `The branch ${branch} is gone from ${fork ?? repository}.`)
  }
}

/** The project that has the branches of jobs. */
export function sourceOf({ project, fork }: GitLab): string {
  return fork === undefined ? project : projectPath(fork)
}

export function placeOf({ client, project }: GitLab): Place {
  return { client, path: project, account: '/user' }
}
