// Whether an account may push to a repository on Bitbucket. Only an administrator of the repository may ask about others.

import { z } from 'zod'
import { isStatus, parseReply } from '../../parse.ts'
import { encodePath, text } from '../../reply/shapes.ts'
import type { Bitbucket } from '../bitbucket.ts'

const pageSize = 50
const mostPages = 40

const permission = text(50)
const listSchema = z.object({
  values: z.array(z.object({ permission, user: z.object({ uuid: text(100) }).nullish() })).max(1_000),
  next: text(4_000).nullish(),
})
const oneSchema = z.object({ permission })

/** `uuid`: of the account, in braces. Null: the credential may not ask. */
export async function mayWrite(bitbucket: Bitbucket, uuid: string, signal: AbortSignal): Promise<boolean | null> {
  const { asked } = bitbucket
  for (let page = 1; page <= mostPages; page += 1) {
    const reply = await askForWriters(bitbucket, { pagelen: pageSize, page }, signal)
    if (isRefused(reply)) return (await isNamed(bitbucket, uuid, signal)) ? true : null
    const { values, next } = parseReply(reply, listSchema, asked.read)
    const found = values.find(({ user }) => user?.uuid === uuid)
    if (found) return writes(found.permission)
    if (next == null) return false
  }
  return null
}

/** Whether the credential may ask about others. */
export async function mayAskAboutOthers(bitbucket: Bitbucket, signal: AbortSignal): Promise<boolean> {
  return !isRefused(await askForWriters(bitbucket, { pagelen: 1, page: 1 }, signal))
}

/** The highest permission of each account, by groups and projects, too. The filter is the one that Bitbucket documents. */
function askForWriters({ client, place }: Bitbucket, paging: { pagelen: number; page: number }, signal: AbortSignal) {
  const [workspace = '', repository = ''] = place.path.split('/')
  const path = `/workspaces/${encodePath(workspace)}/permissions/repositories/${encodePath(repository)}`
  return client.ask({ method: 'GET', path, query: { q: 'permission>"read"', ...paging } }, signal)
}

function isRefused(reply: Parameters<typeof isStatus>[0]): boolean {
  return isStatus(reply, 401, 403, 404)
}

/** Does the repository itself name the account as one that may write? The token of a repository may ask only this. */
async function isNamed({ client, path, asked }: Bitbucket, uuid: string, signal: AbortSignal): Promise<boolean> {
  const place = `${path}/permissions-config/users/${encodeURIComponent(uuid)}`
  const reply = await client.ask({ method: 'GET', path: place }, signal)
  return !isRefused(reply) && writes(parseReply(reply, oneSchema, asked.read).permission)
}

function writes(given: string): boolean {
  return given === 'write' || given === 'admin'
}
