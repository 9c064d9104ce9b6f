// The merged pull requests that brought a commit to a repository on Bitbucket. It keeps them for repositories that have its
// list of commits turned on, and makes that list after the first question.

import { z } from 'zod'
import type { MergedPull } from '../authors/merged-pulls.ts'
import { isStatus, parseReply } from '../parse.ts'
import { pageLink, pullNumber, text } from '../reply/shapes.ts'
import { authorOf } from './activity/activity.ts'
import type { Bitbucket } from './bitbucket.ts'
import { accountSchema } from './pull.ts'

const idsSchema = z.object({ values: z.array(z.object({ id: pullNumber })).max(100) })
const repositorySchema = z.object({ full_name: text(500) }).nullish()
const pullSchema = z.object({
  state: text(50),
  links: z.object({ html: z.object({ href: text(2_000) }) }),
  author: accountSchema.nullish(),
  source: z.object({ repository: repositorySchema }),
  destination: z.object({ repository: repositorySchema }),
})

/** 202: the list is not made yet. 404: there will be no such list. The list has no authors. */
export async function readMergedPulls(
  bitbucket: Bitbucket,
  commit: string,
  signal: AbortSignal,
): Promise<readonly MergedPull[]> {
  const { client, path, asked } = bitbucket
  const reply = await client.ask({ method: 'GET', path: `${path}/commit/${commit}/pullrequests` }, signal)
  if (isStatus(reply, 202, 404)) return []
  const pulls: MergedPull[] = []
  for (const { id } of parseReply(reply, idsSchema, asked.read).values) {
    const pull = await readOne(bitbucket, id, signal)
    if (pull) pulls.push(pull)
  }
  return pulls
}

async function readOne(
  { client, path, place, asked }: Bitbucket,
  number: number,
  signal: AbortSignal,
): Promise<MergedPull | undefined> {
  const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests/${number}` }, signal)
  const { state, links, author, source, destination } = parseReply(reply, pullSchema, asked.read)
  if (state !== 'MERGED') return undefined
  const link = pageLink(links.html.href, place.webUrl, `${place.path}/pull-requests/${number}`)
  const known = authorOf(author)
  // Only people who may push have branches in the repository itself.
  const isOutsider = source.repository?.full_name === destination.repository?.full_name ? false : null
  return { number, link, author: known && { ...known, reviewer: known.id, isOutsider } }
}
