// Finds out the rights of a token on one repository on Bitbucket, from the scopes that it reports with each response. An
// API token can do no more than its account, whose role git's own probe finds out. Creates nothing.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import type { Reply } from '../client.ts'
import { refuseMoved } from '../explain.ts'
import { type Access, rights, type Right } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import { readAccount } from './activity/account.ts'
import { mayAskAboutOthers } from './activity/permission.ts'
import { adminRemedy, type Bitbucket, newToken, readRemedy } from './bitbucket.ts'

const repositorySchema = z.object({ full_name: text(500), is_private: z.boolean().optional() })

type Granted = Access['rights'][Right]

export async function findAccess(bitbucket: Bitbucket, signal: AbortSignal): Promise<Access> {
  const { client, path, place, user, asked } = bitbucket
  const reply = await client.ask({ method: 'GET', path }, signal)
  refuseMoved(reply, asked.read)
  if (isStatus(reply, 403)) return refused(bitbucket, { read: 'no', push: 'no', pullRequests: 'no' }, true)
  if (isStatus(reply, 404)) return refused(bitbucket, { read: 'no', push: 'no', pullRequests: 'no' }, false)
  const row = parseReply(reply, repositorySchema, asked.read)
  if (row.full_name.toLowerCase() !== place.path.toLowerCase()) throw renamed(asked.read.repository, row.full_name)
  const scopes = scopesOf(reply)
  const may = (what: 'repository' | 'pullrequest'): Granted =>
    scopes === undefined ? 'unknown' : grantOf(scopes, what)
  const found = {
    read: 'yes',
    push: may('repository'),
    pullRequests: may('pullrequest'),
  } as const
  const account = user === null ? null : ((await readAccount(bitbucket, signal))?.name ?? null)
  const isPublic = row.is_private === undefined ? undefined : !row.is_private
  // An API token signs in with the address of its account.
  const facts = { isPublic, emails: user === null ? [] : [user] }
  const off = await toOff(bitbucket, scopes, signal)
  return { ...refused(bitbucket, found, true), account: account ?? user, facts, off }
}

/** To write. A scope of an access token contains the lesser ones; those of an API token contain no other. */
function grantOf(scopes: ReadonlySet<string>, what: 'repository' | 'pullrequest'): 'yes' | 'no' {
  const isAccess = ['write', 'admin'].some((may) => scopes.has(`${what}:${may}`))
  const isApi = ['read', 'write'].every((may) => scopes.has(`${may}:${what}:bitbucket`))
  return isAccess || isApi ? 'yes' : 'no'
}

/** Undefined: Bitbucket did not report them. */
function scopesOf(reply: Reply): ReadonlySet<string> | undefined {
  const header = reply.kind === 'response' ? reply.headers['x-oauth-scopes'] : undefined
  return header === undefined ? undefined : new Set(String(header).split(/[\s,]+/))
}

async function toOff(
  bitbucket: Bitbucket,
  scopes: ReadonlySet<string> | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (scopes?.has('repository:admin') === true || (await mayAskAboutOthers(bitbucket, signal))) return []
  const words = 'Comments that call Docent do nothing: Bitbucket says who may push only to an administrator'
  return [`${words}. ${adminRemedy(bitbucket.place, bitbucket.user)}.`]
}

function refused({ place, user }: Bitbucket, found: Access['rights'], isScope: boolean): Access {
  const renewed = isScope ? ({ needsNewToken: true } as const) : {}
  const remedy = isScope ? `${newToken(place, user)}.` : readRemedy(place, user)
  const missing = rights.filter((right) => found[right] === 'no').map((right) => ({ right, remedy, ...renewed }))
  return { account: user, rights: found, missing, expiresAt: null }
}

function renamed(repository: string, now: string): Failure {
  const words = `${repository} is ${now} now: set its new address in the project.`
  return new Failure('repository_moved', words)
}
