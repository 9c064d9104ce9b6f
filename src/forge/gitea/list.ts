// Finds the pull requests of a branch on Gitea, whose list cannot filter by branch. Reads all open ones, and the most
// recently updated of the others, which include any that was merged or closed during a run.

import { z } from 'zod'
import { explain, refuseMoved } from '../explain.ts'
import type { HostedPull } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { type Gitea, placeOf } from './gitea.ts'
import { pullSchema, toHostedPull } from './pull.ts'

/** The largest page that hosts return by default. */
const pageSize = 50
const mostPages = { open: 100, closed: 6 }

export async function listByBranch(gitea: Gitea, branch: string, signal: AbortSignal): Promise<readonly HostedPull[]> {
  // Open ones first: a pull request that ends between the two requests is then in both lists instead of neither.
  const open = await list(gitea, 'open', signal)
  const closed = await list(gitea, 'closed', signal)
  const newest = new Map([...open, ...closed].map((pull) => [pull.number, pull]))
  return [...newest.values()].filter((pull) => pull.isOwn && pull.head.branch === branch)
}

export async function listOnto(gitea: Gitea, base: string, signal: AbortSignal): Promise<readonly HostedPull[]> {
  return (await list(gitea, 'open', signal)).filter((pull) => pull.base === base)
}

async function list(gitea: Gitea, state: 'open' | 'closed', signal: AbortSignal): Promise<readonly HostedPull[]> {
  const { client, path, place, asked } = gitea
  const found: HostedPull[] = []
  for (let page = 1; page <= mostPages[state]; page += 1) {
    const query = { state, sort: 'recentupdate', limit: pageSize, page }
    const reply = await client.ask({ method: 'GET', path: `${path}/pulls`, query }, signal)
    if (isStatus(reply, 403, 404)) throw await explain(placeOf(gitea), reply, asked.read, signal)
    refuseMoved(reply, asked.read)
    const rows = parseReply(reply, z.array(pullSchema), asked.read)
    found.push(...rows.map((row) => toHostedPull(row, place)))
    const links = reply.kind === 'response' ? reply.headers.link : undefined
    if (!hasNext(links, rows.length)) break
  }
  return found
}

/** A host may have shorter pages than we ask for, so its links count first. */
function hasNext(links: string | readonly string[] | undefined, rows: number): boolean {
  return links === undefined ? rows >= pageSize : String(links).includes('rel="next"')
}
