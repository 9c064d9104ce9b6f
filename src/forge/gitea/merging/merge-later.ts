// Schedules the merge of a pull request for the time when its checks succeed. Gitea merges at once where the base branch
// requires no checks, so Docent does not ask there.

import { z } from 'zod'
import type { MergeLater } from '../../host.ts'
import type { PullHead } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { encodePath, text } from '../../reply/shapes.ts'
import type { Gitea } from '../gitea.ts'
import { pullSchema } from '../pull.ts'

const repositorySchema = z.object({ default_merge_style: text(100).optional() })
const branchSchema = z.object({
  enable_status_check: z.boolean().optional(),
  status_check_contexts: z.array(text(1_000)).max(1_000).nullish(),
})

/** See `ForgeHost.mergeLater`. */
export async function mergeLater(gitea: Gitea, { number, head }: PullHead, signal: AbortSignal): Promise<MergeLater> {
  const { client, path, place, asked } = gitea
  const read = async <T>(under: string, schema: z.ZodType<T>) =>
    parseReply(await client.ask({ method: 'GET', path: `${path}${under}` }, signal), schema, asked.read)
  const { base } = await read(`/pulls/${number}`, pullSchema)
  const branch = await read(`/branches/${encodePath(base.ref)}`, branchSchema)
  if (branch.enable_status_check !== true || (branch.status_check_contexts ?? []).length === 0) {
    const where = `${place.webUrl}/${place.path}/settings/branches`
    return {
      kind: 'refused',
      reason: `${base.ref} requires no status checks, so it would be merged at once. Require some at ${where}.`,
    }
  }
  const { default_merge_style: style = 'merge' } = await read('', repositorySchema)
  const body = { Do: style, merge_when_checks_succeed: true, head_commit_id: head }
  const reply = await client.ask({ method: 'POST', path: `${path}/pulls/${number}/merge`, body }, signal)
  // 409: it is scheduled already.
  if (reply.kind === 'response' && (reply.status < 300 || /already scheduled/i.test(reply.words)))
    return { kind: 'set' }
  if (isStatus(reply, 403, 404, 405, 409, 422)) {
    const words = reply.kind === 'response' ? reply.words : ''
    return { kind: 'refused', reason: words === '' ? 'The account of the token may not merge.' : words }
  }
  parseReply(reply, z.unknown(), asked.pullRequests)
  return { kind: 'set' }
}
