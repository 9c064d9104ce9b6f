// The merged pull request that brought a commit to a repository on Gitea or Forgejo.

import { z } from 'zod'
import type { MergedPull } from '../authors/merged-pulls.ts'
import { isStatus, parseReply } from '../parse.ts'
import { pageLink, pullNumber, text } from '../reply/shapes.ts'
import { authorOf, userSchema } from './activity.ts'
import type { Gitea } from './gitea.ts'

const pullSchema = z.object({ number: pullNumber, merged: z.boolean(), html_url: text(2_000), user: userSchema })

/** 404: the commit came without one. */
export async function readMergedPull(
  { client, path, place, asked }: Gitea,
  commit: string,
  signal: AbortSignal,
): Promise<readonly MergedPull[]> {
  const reply = await client.ask({ method: 'GET', path: `${path}/commits/${commit}/pull` }, signal)
  if (isStatus(reply, 404)) return []
  const { number, merged, html_url: link, user } = parseReply(reply, pullSchema, asked.read)
  if (!merged) return []
  const author = authorOf(user)
  return [
    {
      number,
      link: pageLink(link, place.webUrl, `${place.path}/pulls/${number}`),
      author: author && { ...author, reviewer: author.login, isOutsider: null },
    },
  ]
}
