// Sets a merge request to auto-merge. GitLab merges it at once if its pipeline has already succeeded, and never without a
// pipeline: it responds with 405 until one runs, which may be some seconds after the merge request was opened.

import type { MergeLater } from '../../host.ts'
import type { PullHead } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import type { GitLab } from '../gitlab.ts'
import { mergeRequestSchema } from '../merge-request.ts'

/** See `ForgeHost.mergeLater`. */
export async function mergeLater(
  { client, project, asked, webUrl, path }: GitLab,
  { number, head: sha }: PullHead,
  signal: AbortSignal,
): Promise<MergeLater> {
  // GitLab before 17.11 knows only the older name.
  const body = { sha, auto_merge: true, merge_when_pipeline_succeeds: true }
  const request = { method: 'PUT', path: `${project}/merge_requests/${number}/merge`, body } as const
  const reply = await client.ask(request, signal)
  if (isStatus(reply, 405, 422)) {
    return { kind: 'not_yet', reason: 'No pipeline of the branch runs, or the merge request cannot be merged.' }
  }
  if (isStatus(reply, 401, 403)) {
    const where = `${webUrl}/${path}/-/settings/repository`
    return { kind: 'refused', reason: `The account of the token may not merge. Let it: ${where}.` }
  }
  if (isStatus(reply, 409)) return { kind: 'refused', reason: 'Somebody pushed to the branch meanwhile.' }
  parseReply(reply, mergeRequestSchema, asked.pullRequests)
  return { kind: 'set' }
}
