// The merged pull requests that brought a commit to a repository on GitHub.

import { z } from 'zod'
import type { MergedPull } from '../../authors/merged-pulls.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { instant, pageLink, pullNumber, text } from '../../reply/shapes.ts'
import { authorOf, userSchema } from '../activity/entries.ts'
import type { GitHub } from '../github.ts'

const pullsSchema = z.array(
  z.object({
    number: pullNumber,
    merged_at: instant.nullable(),
    html_url: text(2_000),
    user: userSchema,
    author_association: text(50).optional(),
    base: z.object({ repo: z.object({ full_name: text(300) }) }),
  }),
)

/** A member whose membership is private may be shown as a contributor. */
const insiders = ['OWNER', 'MEMBER', 'COLLABORATOR']

/** A commit of a fork may be in pull requests of other repositories. */
export async function readMergedPulls(
  { client, path, repository, asked }: GitHub,
  commit: string,
  signal: AbortSignal,
): Promise<readonly MergedPull[]> {
  const { webUrl, owner, name } = repository
  const reply = await client.ask({ method: 'GET', path: `${path}/commits/${commit}/pulls` }, signal)
  if (isStatus(reply, 404, 409, 422)) return []
  const here = `${owner}/${name}`.toLowerCase()
  return parseReply(reply, pullsSchema, asked.pullRequests)
    .filter(({ merged_at: at, base }) => at !== null && base.repo.full_name.toLowerCase() === here)
    .map(({ number, html_url: link, user, author_association: association = '' }) => {
      const author = authorOf(user)
      const isOutsider = insiders.includes(association) ? false : null
      return {
        number,
        link: pageLink(link, webUrl, `${encodeURIComponent(owner)}/${encodeURIComponent(name)}/pull/${number}`),
        author: author && { ...author, reviewer: author.login, isOutsider },
      }
    })
}
