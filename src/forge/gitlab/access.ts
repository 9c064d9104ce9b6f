// Finds out the rights of a token on one project on GitLab: from the scopes of the token, the role of its account, and the
// features that the project has turned off. Creates nothing.

import { z } from 'zod'
import { archived, refuseMoved } from '../explain.ts'
import { type Access, rights, type Right } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import { type GitLab, tokenRemedy } from './gitlab.ts'

const tokenSchema = z.object({
  scopes: z.array(text(100)).max(100),
  /** A day; the token stops working when it begins. */
  expires_at: z.iso.date().nullable(),
})
const address = text(300).nullish()
const userSchema = z.object({
  id: z.int().positive(),
  username: text(300).min(1),
  email: address,
  commit_email: address,
  public_email: address,
})
const levelSchema = z.object({ access_level: z.int() })
const projectSchema = z.object({
  archived: z.boolean().optional(),
  visibility: text(100).optional(),
  merge_requests_enabled: z.boolean().optional(),
  permissions: z.object({ project_access: levelSchema.nullable(), group_access: levelSchema.nullable() }).optional(),
})

const developer = 30

type Granted = Access['rights'][Right]

export async function findAccess(gitlab: GitLab, signal: AbortSignal): Promise<Access> {
  const { client, project, asked } = gitlab
  const token = await readToken(gitlab, signal)
  const user = await readUser(gitlab, signal)
  const known = { account: user?.username ?? null, expiresAt: token?.expiresAt ?? null }
  const reply = await client.ask({ method: 'GET', path: project }, signal)
  refuseMoved(reply, asked.read)
  if (isStatus(reply, 404)) return { ...known, ...resultOf(gitlab, { read: 'no', push: 'no', pullRequests: 'no' }) }
  // A token that can only push may not ask for the project.
  if (isStatus(reply, 403))
    return { ...known, ...resultOf(gitlab, { read: 'unknown', push: 'unknown', pullRequests: 'no' }) }
  const row = parseReply(reply, projectSchema, asked.read)
  if (row.archived === true) throw archived(asked.read)
  const level = levelOf(row) ?? (await memberLevel(gitlab, user?.id, signal))
  const may = (needed: number, ...scopes: readonly string[]): Granted => {
    if (token && !scopes.some((scope) => token.scopes.includes(scope))) return 'no'
    if (level === undefined) return 'unknown'
    if (level < needed) return 'no'
    return token ? 'yes' : 'unknown'
  }
  const isOff = row.merge_requests_enabled === false
  // Everybody who can see the project may propose from a fork.
  const pullRequests = isOff ? 'no' : may(gitlab.fork === undefined ? developer : 0, 'api')
  const emails = [user?.email, user?.commit_email, user?.public_email].flatMap((one) => one || [])
  const isPublic = row.visibility === undefined ? undefined : row.visibility === 'public'
  const rights = { read: 'yes', push: may(developer, 'api', 'write_repository'), pullRequests } as const
  const found = { ...resultOf(gitlab, rights), facts: { isPublic, emails: [...new Set(emails)] } }
  return isOff ? { ...known, ...found, missing: found.missing.map(switchedOff(gitlab)) } : { ...known, ...found }
}

type Found = { readonly scopes: readonly string[]; readonly expiresAt: string | null }

/** Returns undefined if this GitLab is too old to report it, or if the token may not read it. */
async function readToken({ client, asked }: GitLab, signal: AbortSignal): Promise<Found | undefined> {
  const reply = await client.ask({ method: 'GET', path: '/personal_access_tokens/self' }, signal)
  if (isStatus(reply, 400, 403, 404)) return undefined
  const { scopes, expires_at: day } = parseReply(reply, tokenSchema, asked.read)
  return { scopes, expiresAt: day === null ? null : `${day}T00:00:00.000Z` }
}

async function readUser({ client, asked }: GitLab, signal: AbortSignal) {
  const reply = await client.ask({ method: 'GET', path: '/user' }, signal)
  return isStatus(reply, 403, 404) ? undefined : parseReply(reply, userSchema, asked.read)
}

/** Returns undefined if GitLab does not report it, as for a member through an invited group. */
function levelOf({ permissions }: z.infer<typeof projectSchema>): number | undefined {
  const levels = [permissions?.project_access, permissions?.group_access].flatMap((one) => one?.access_level ?? [])
  return levels.length === 0 ? undefined : Math.max(...levels)
}

async function memberLevel({ client, project, asked }: GitLab, id: number | undefined, signal: AbortSignal) {
  if (id === undefined) return undefined
  const reply = await client.ask({ method: 'GET', path: `${project}/members/all/${id}` }, signal)
  if (isStatus(reply, 404)) return 0
  return isStatus(reply, 403) ? undefined : parseReply(reply, levelSchema, asked.read).access_level
}

function resultOf(gitlab: GitLab, found: Access['rights']): Pick<Access, 'rights' | 'missing'> {
  const missing = rights.filter((right) => found[right] === 'no')
  // The whole project is hidden: one cause, whatever the right.
  const of = (right: Right) => tokenRemedy(gitlab, found.read === 'no' ? 'read' : right)
  const renewed = found.read === 'no' ? {} : ({ needsNewToken: true } as const)
  return { rights: found, missing: missing.map((right) => ({ right, remedy: of(right), ...renewed })) }
}

function switchedOff({ webUrl, path }: GitLab) {
  const remedy = `Turn on merge requests at ${webUrl}/${path}/edit (Settings > General > Visibility).`
  return (one: Access['missing'][number]) => (one.right === 'pullRequests' ? { right: one.right, remedy } : one)
}
