// Reads the lists of Bitbucket. Each page names the next one by its address, which has to be one of the same API.

import { z } from 'zod'
import type { ForgeRequest, Reply } from '../client.ts'
import { unreadable } from '../errors.ts'
import { explain, refuseMoved } from '../explain.ts'
import type { HostedPull } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import { type Bitbucket, placeOf } from './bitbucket.ts'
import { pullSchema, toHostedPull } from './pull.ts'

/** The largest page of pull requests. */
const pageSize = 50
const mostPages = 40

const pageSchema = z.object({ values: z.array(pullSchema), next: text(4_000).optional() })

const allStates = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']

/** The pull requests of a branch, without those of forks. `state`: default all. */
export async function listPulls(
  bitbucket: Bitbucket,
  branch: string,
  { state = allStates, signal }: { readonly state?: readonly string[]; readonly signal: AbortSignal },
): Promise<readonly HostedPull[]> {
  const found = await list(bitbucket, { q: `source.branch.name = ${JSON.stringify(branch)}`, state }, signal)
  return found.filter((pull) => pull.isOwn && pull.head.branch === branch)
}

/** The open ones that are to be merged into the branch, also those of forks. */
export async function listOnto(
  bitbucket: Bitbucket,
  base: string,
  signal: AbortSignal,
): Promise<readonly HostedPull[]> {
  return list(bitbucket, { q: `destination.branch.name = ${JSON.stringify(base)}`, state: ['OPEN'] }, signal)
}

type Asking = { readonly q: string; readonly state: readonly string[] }

async function list(bitbucket: Bitbucket, asking: Asking, signal: AbortSignal): Promise<readonly HostedPull[]> {
  const { client, path, place, asked } = bitbucket
  const found: HostedPull[] = []
  const query = { ...asking, pagelen: pageSize }
  let request: ForgeRequest | undefined = { method: 'GET', path: `${path}/pullrequests`, query }
  for (let page = 1; page <= mostPages && request; page += 1) {
    const reply: Reply = await client.ask(request, signal)
    if (isStatus(reply, 403, 404)) throw await explain(placeOf(bitbucket), reply, asked.read, signal)
    refuseMoved(reply, asked.read)
    const { values, next } = parseReply(reply, pageSchema, asked.read)
    found.push(...values.map((row) => toHostedPull(row, place)))
    request = next === undefined ? undefined : requestOf(bitbucket, next)
  }
  return found
}

function requestOf({ client, asked }: Bitbucket, next: string): ForgeRequest {
  const url = URL.parse(next)
  const start = `${client.basePath}/`
  if (url?.origin !== client.origin || !url.pathname.startsWith(start)) throw unreadable(asked.read)
  const path = url.pathname.slice(client.basePath.length)
  const names = new Set(url.searchParams.keys())
  const query = Object.fromEntries([...names].map((name) => [name, url.searchParams.getAll(name)]))
  return { method: 'GET', path, query }
}
