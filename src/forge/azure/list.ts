// Reads the lists of Azure DevOps, which cut descriptions after 400 characters.

import { z } from 'zod'
import { explain } from '../explain.ts'
import type { HostedPull } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { type Azure, placeOf, refOf } from './azure.ts'
import { pullSchema, toHostedPull } from './pull.ts'

const pageSize = 100
const mostPages = 30

const pageSchema = z.object({ value: z.array(pullSchema) })

/** The pull requests of a branch in any state, without those of forks. */
export async function listOfBranch(azure: Azure, branch: string, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const found = await list(azure, { sourceRefName: refOf(branch), status: 'all' }, signal)
  return found.filter((pull) => pull.isOwn && pull.head.branch === branch)
}

/** The open ones that are to be merged into the branch, also those of forks. */
export async function listOnto(azure: Azure, base: string, signal: AbortSignal): Promise<readonly HostedPull[]> {
  return await list(azure, { targetRefName: refOf(base), status: 'active' }, signal)
}

type Asking = Readonly<Record<string, string>>

async function list(azure: Azure, asking: Asking, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const { client, path, place, asked } = azure
  const criteria = Object.fromEntries(Object.entries(asking).map(([name, value]) => [`searchCriteria.${name}`, value]))
  const found: HostedPull[] = []
  for (let page = 0; page < mostPages; page += 1) {
    const query = { ...criteria, $top: pageSize, $skip: page * pageSize }
    const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests`, query }, signal)
    if (isStatus(reply, 403, 404)) throw await explain(placeOf(azure), reply, asked.read, signal)
    const { value } = parseReply(reply, pageSchema, asked.read)
    found.push(...value.map((row) => toHostedPull(row, place)))
    if (value.length < pageSize) break
  }
  return found
}
