// The merged merge requests that brought a commit to a project on GitLab.

import { z } from 'zod'
import type { MergedPull } from '../authors/merged-pulls.ts'
import { isStatus, parseReply } from '../parse.ts'
import { pageLink, pullNumber, text } from '../reply/shapes.ts'
import { authorOf, authorSchema } from './activity/notes.ts'
import type { GitLab } from './gitlab.ts'

const mergeRequestsSchema = z.array(
  z.object({ iid: pullNumber, state: text(50), web_url: text(2_000), author: authorSchema }),
)

export async function readMergedRequests(
  { client, project, webUrl, path, asked }: GitLab,
  commit: string,
  signal: AbortSignal,
): Promise<readonly MergedPull[]> {
  const request = { method: 'GET', path: `${project}/repository/commits/${commit}/merge_requests` } as const
  const reply = await client.ask(request, signal)
  if (isStatus(reply, 404)) return []
  return parseReply(reply, mergeRequestsSchema, asked.read)
    .filter(({ state }) => state === 'merged')
    .map(({ iid: number, web_url: link, author: given }) => {
      const author = authorOf(given)
      return {
        number,
        link: pageLink(link, webUrl, `${path}/-/merge_requests/${number}`),
        author: author && { ...author, reviewer: author.login, isOutsider: null },
      }
    })
}
