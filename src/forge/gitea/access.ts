// Finds out the rights of a token on one repository on Gitea. Gitea reports the rights of the account, not of the token, so
// this requests a pull request of a branch into itself: everybody is refused that, and it creates nothing.

import { z } from 'zod'
import { failureOf } from '../errors.ts'
import { archived, refuseMoved } from '../explain.ts'
import { type Access, type KnownRights, rights, type Right } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { branchName, pullNumber, text } from '../reply/shapes.ts'
import { type Gitea, type GiteaPlace, readRemedy, roleRemedy, scopeRemedy } from './gitea.ts'

const repositorySchema = z.object({
  archived: z.boolean().optional(),
  private: z.boolean().optional(),
  internal: z.boolean().optional(),
  default_branch: branchName,
  has_pull_requests: z.boolean().optional(),
  permissions: z.object({ push: z.boolean() }).optional(),
})
const userSchema = z.object({ login: text(300).min(1), email: text(300).nullish() })

export async function findAccess(gitea: Gitea, known: KnownRights, signal: AbortSignal): Promise<Access> {
  const { client, path, place, asked } = gitea
  const user = await readUser(gitea, signal)
  const account = user?.login ?? null
  const reply = await client.ask({ method: 'GET', path }, signal)
  refuseMoved(reply, asked.read)
  if (isStatus(reply, 403)) return nothing(account, scopeRemedy(place), renewed)
  if (isStatus(reply, 404)) return nothing(account, readRemedy(place))
  const row = parseReply(reply, repositorySchema, asked.read)
  if (row.archived === true) throw archived(asked.read)
  const mayWrite = known.pullRequests === 'yes' || (await mayWriteWith(gitea, row.default_branch || 'main', signal))
  const isWriter = row.permissions?.push ?? true
  const missing: Access['missing'][number][] = []
  const lacks = (right: Right, remedy: string, renewed: { readonly needsNewToken?: true } = {}): 'no' => {
    missing.push({ right, remedy, ...renewed })
    return 'no'
  }
  // The scope that the token lacks is the one that git needs, too; git's own probe has the last word.
  const push = isWriter ? (mayWrite ? 'yes' : 'unknown') : lacks('push', roleRemedy(place, account))
  const facts = {
    isPublic: row.private === undefined ? undefined : !row.private && row.internal !== true,
    emails: user?.email ? [user.email] : [],
  }
  const isOff = row.has_pull_requests === false
  const pullRequests = isOff
    ? lacks('pullRequests', switchOn(place))
    : mayWrite
      ? 'yes'
      : lacks('pullRequests', scopeRemedy(place), renewed)
  return { account, rights: { read: 'yes', push, pullRequests }, missing, expiresAt: null, facts }
}

const renewed = { needsNewToken: true } as const

function switchOn({ webUrl, path }: GiteaPlace): string {
  return `Turn on pull requests at ${webUrl}/${path}/settings.`
}

/**
 * 422 means that the request was examined. 404 means that the host hides what it forbids. A server that imitates Gitea may
 * create the pull request: it is closed.
 */
async function mayWriteWith({ client, path, asked }: Gitea, base: string, signal: AbortSignal): Promise<boolean> {
  const body = { head: base, base, title: 'Docent: may pull requests be opened?' }
  const reply = await client.ask({ method: 'POST', path: `${path}/pulls`, body }, signal)
  if (isStatus(reply, 409, 422)) return true
  if (isStatus(reply, 403, 404)) return false
  if (isStatus(reply, 201)) {
    const { number } = parseReply(reply, z.object({ number: pullNumber }), asked.pullRequests)
    await client.ask({ method: 'PATCH', path: `${path}/pulls/${number}`, body: { state: 'closed' } }, signal)
    return true
  }
  throw failureOf(reply, asked.pullRequests)
}

async function readUser({ client, asked }: Gitea, signal: AbortSignal) {
  const reply = await client.ask({ method: 'GET', path: '/user' }, signal)
  return isStatus(reply, 403, 404) ? undefined : parseReply(reply, userSchema, asked.read)
}

function nothing(account: string | null, remedy: string, more: { readonly needsNewToken?: true } = {}): Access {
  const missing = rights.map((right) => ({ right, remedy, ...more }))
  return { account, rights: { read: 'no', push: 'no', pullRequests: 'no' }, missing, expiresAt: null }
}
