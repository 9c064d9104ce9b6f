// Finds out whether a token may read one repository on Azure DevOps. No response names the scopes of a token or what its
// account may do, so the rest stays unknown until git's own probe, or a first write. Creates nothing.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import { archived } from '../explain.ts'
import { type Access, type KnownRights, rights } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import { readAccount } from './activity/account.ts'
import { type Azure, newToken, readRemedy } from './azure.ts'

const repositorySchema = z.object({
  id: text(100),
  name: text(500),
  isDisabled: z.boolean().optional(),
  project: z.object({ visibility: text(40).optional() }).optional(),
})

const unnamed = { account: null, expiresAt: null }

export async function findAccess(azure: Azure, known: KnownRights, signal: AbortSignal): Promise<Access> {
  const { client, path, place, located, asked } = azure
  const reply = await client.ask({ method: 'GET', path }, signal)
  if (isStatus(reply, 403, 404)) {
    const none = { read: 'no', push: 'no', pullRequests: 'no' } as const
    // 403: the token lacks the scope. 404: its account does not see the repository.
    const missing = isStatus(reply, 403)
      ? rights.map((right) => ({ right, remedy: `${newToken(place)}.`, needsNewToken: true as const }))
      : rights.map((right) => ({ right, remedy: readRemedy(place) }))
    return { ...unnamed, rights: none, missing }
  }
  const row = parseReply(reply, repositorySchema, asked.read)
  if (row.isDisabled === true) throw archived(asked.read)
  const names = [row.name, row.id].map((name) => name.toLowerCase())
  if (!names.includes(located.repository.toLowerCase())) {
    const words = `${asked.read.repository} is ${row.name} now: set its new address in the project.`
    throw new Failure('repository_moved', words)
  }
  const visibility = row.project?.visibility
  const facts = { isPublic: visibility === undefined ? undefined : visibility === 'public' }
  return {
    account: (await readAccount(azure, signal))?.name ?? null,
    expiresAt: null,
    facts,
    rights: { read: 'yes', push: 'unknown', pullRequests: known.pullRequests ?? 'unknown' },
    missing: [],
  }
}
