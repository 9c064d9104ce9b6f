// Finds out the rights of a personal token on one repository. GitHub reports the scopes of a classic token. Of a fine-grained
// one it reports only the rights of the person, so this tests the right to open pull requests with one that cannot be opened.
// Git tests pushing; here it stays unknown.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import type { Reply } from '../client.ts'
import { failureOf } from '../errors.ts'
import { type Access, type KnownRights, rights } from '../host.ts'
import { parseReply } from '../parse.ts'
import { pullNumber } from '../reply/shapes.ts'
import { type GitHub, tokenRemedy } from './github.ts'

const repositorySchema = z.object({
  archived: z.boolean().optional(),
  private: z.boolean().optional(),
  default_branch: z.string().max(1_000),
  permissions: z.object({ push: z.boolean() }).optional(),
})
const userSchema = z.object({
  login: z.string().min(1).max(200),
  id: z.int().positive(),
  /** Null: it is not public. */
  email: z.string().max(300).nullish(),
})

/** No branch can have this name. */
const impossibleBranch = 'docent..rights'

export async function findTokenAccess(github: GitHub, known: KnownRights, signal: AbortSignal): Promise<Access> {
  const { client, path, asked, repository } = github
  const reply = await client.ask({ method: 'GET', path }, signal)
  if (reply.kind === 'response' && reply.movedTo !== null) {
    throw new Failure('repository_moved', `${asked.read.repository} was renamed or moved: set its new address.`)
  }
  const expiresAt = expiryOf(reply)
  const user = await findUser(github, signal)
  const account = user?.login ?? null
  if (reply.kind === 'response' && reply.status === 404) return { account, ...nothing(github), expiresAt }
  const row = parseReply(reply, repositorySchema, asked.read)
  const { archived, default_branch: base, permissions, private: isPrivate } = row
  if (archived === true) {
    throw new Failure('repository_archived', `${asked.read.repository} is archived, so nothing can be pushed to it.`)
  }
  const lacksRole = permissions?.push === false
  const isScoped = hasScope(reply, row)
  const isKnown = isScoped || known.pullRequests === 'yes'
  const pulls = isKnown ? may : await probePulls(github, base, signal)
  const { webUrl, owner, name } = repository
  const people = `give ${account ?? 'the account of the token'} the role "Write" at ${webUrl}/${owner}/${name}/settings/access`
  const role = `${tokenRemedy(webUrl, 'push')} If it has that, ${people}.`
  const missing = [
    ...(lacksRole ? [{ right: 'push' as const, remedy: role }] : []),
    ...(pulls.has === 'no' ? [{ right: 'pullRequests' as const, remedy: pulls.remedy }] : []),
  ]
  return {
    account,
    rights: { read: 'yes', push: lacksRole ? 'no' : isScoped ? 'yes' : 'unknown', pullRequests: pulls.has },
    missing,
    expiresAt,
    facts: { isPublic: isPrivate === undefined ? undefined : !isPrivate, emails: emailsOf(user, webUrl) },
  }
}

/** The public one, and those that GitHub gives to every account. */
function emailsOf(user: z.infer<typeof userSchema> | undefined, webUrl: string): readonly string[] {
  if (!user) return []
  const { login, id, email } = user
  const host = `users.noreply.${new URL(webUrl).host}`
  return [...(email ? [email] : []), `${id}+${login}@${host}`, `${login}@${host}`]
}

function nothing({ repository: { webUrl, owner, name } }: GitHub): Pick<Access, 'rights' | 'missing'> {
  const where = `${webUrl}/settings/personal-access-tokens`
  const remedy = `Give the token access to ${owner}/${name} at ${where}, or correct the address of the repository.`
  const missing = rights.map((right) => ({ right, remedy }))
  return { rights: { read: 'no', push: 'no', pullRequests: 'no' }, missing }
}

/** 403, or 404 for a private repository, means no right. 422 means that GitHub checked the branch, so the right exists. */
async function probePulls(github: GitHub, base: string, signal: AbortSignal) {
  const { client, path, asked, repository } = github
  const body = { head: impossibleBranch, base, title: 'Docent: may pull requests be opened?', draft: true }
  const reply = await client.ask({ method: 'POST', path: `${path}/pulls`, body }, signal)
  const status = reply.kind === 'response' ? reply.status : 0
  if (status === 422) return may
  if (status === 201) {
    await closeProbe(github, reply, signal)
    return may
  }
  if (status !== 403 && status !== 404) throw failureOf(reply, asked.pullRequests)
  const remedy = tokenRemedy(repository.webUrl, 'pullRequests') + neededOf(reply)
  return { has: 'no', remedy } as const
}

const may = { has: 'yes', remedy: '' } as const

/** A server that imitates GitHub does not check the branch. */
async function closeProbe({ client, path, asked }: GitHub, reply: Reply, signal: AbortSignal): Promise<void> {
  const { number } = parseReply(reply, z.object({ number: pullNumber }), asked.pullRequests)
  await client.ask({ method: 'PATCH', path: `${path}/pulls/${number}`, body: { state: 'closed' } }, signal)
}

/** Only classic tokens have scopes. */
function hasScope(reply: Reply, { private: isPrivate }: z.infer<typeof repositorySchema>): boolean {
  const header = reply.kind === 'response' ? reply.headers['x-oauth-scopes'] : undefined
  const scopes = typeof header === 'string' ? header.split(',').map((scope) => scope.trim()) : []
  return scopes.includes('repo') || (isPrivate === false && scopes.includes('public_repo'))
}

/** Returns the permissions that GitHub names, and drops everything that is not a permission. */
function neededOf(reply: Reply): string {
  const header = reply.kind === 'response' ? reply.headers['x-accepted-github-permissions'] : undefined
  const needed = typeof header === 'string' ? header.match(/\b[a-z_]{1,40}=(?:read|write|admin)\b/g) : null
  return needed ? ` GitHub wants \`${needed.join(', ')}\`.` : ''
}

async function findUser({ client, asked }: GitHub, signal: AbortSignal) {
  const reply = await client.ask({ method: 'GET', path: '/user' }, signal)
  if (reply.kind === 'response' && (reply.status === 403 || reply.status === 404)) return undefined
  return parseReply(reply, userSchema, asked.read)
}

/** `2027-01-01 00:00:00 UTC`, or with an offset; null: the token never expires. */
function expiryOf(reply: Reply): string | null {
  const header = reply.kind === 'response' ? reply.headers['github-authentication-token-expiration'] : undefined
  const time = typeof header === 'string' ? Date.parse(header) : Number.NaN
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
