// The fork of a repository on Gitea or Forgejo, in the account of the token.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import { assertFork, type ForkFacts, ignoreRefusal, nameTaken } from '../reply/fork.ts'
import type { HostForks } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { branchName, encodePath, repositoryPath, text } from '../reply/shapes.ts'
import { type Gitea, scopeRemedy } from './gitea.ts'

const idSchema = z.object({ id: z.int().positive() })
const repositorySchema = idSchema.extend({
  full_name: repositoryPath,
  private: z.boolean(),
  internal: z.boolean().optional(),
  default_branch: branchName,
  empty: z.boolean().optional(),
  parent: idSchema.nullish(),
})
type Repository = z.infer<typeof repositorySchema>
const userSchema = z.object({ login: text(300).min(1) })

export function createGiteaForks(gitea: Gitea): HostForks {
  const { client, path, place, asked } = gitea
  const at = (name: string) => `/repos/${encodePath(name)}`
  const read = async (from: string, signal: AbortSignal) =>
    parseReply(await client.ask({ method: 'GET', path: from }, signal), repositorySchema, asked.read)
  /** The account has a repository of this name: the fork, unless it was made from another. */
  const findOwn = async (signal: AbortSignal): Promise<Repository> => {
    const { login } = parseReply(await client.ask({ method: 'GET', path: '/user' }, signal), userSchema, asked.read)
    const [upstream, own] = [await read(path, signal), `${login}/${place.path.split('/').at(-1) ?? ''}`]
    const found = await read(at(own), signal)
    if (found.parent?.id !== upstream.id) throw nameTaken(own, asked.read)
    return found
  }
  return {
    make: async (signal) => {
      const reply = await client.ask({ method: 'POST', path: `${path}/forks`, body: {} }, signal)
      if (isStatus(reply, 403, 404)) throw new Failure('forge_right_missing', scopeRemedy(place))
      const made = isStatus(reply, 409) ? await findOwn(signal) : parseReply(reply, repositorySchema, asked.read)
      return made.empty === true ? undefined : made.full_name
    },
    check: async (fork, signal) => {
      const found = await read(at(fork), signal)
      assertFork(factsOf(await read(path, signal)), factsOf(found), asked.read)
    },
    sync: async (signal) => {
      const { fork } = place
      if (fork === undefined) return
      const { default_branch: branch } = await read(path, signal)
      const send = (name: string, body?: object) =>
        client.ask({ method: 'POST', path: `${at(fork)}/${name}`, ...(body ? { body } : {}) }, signal)
      const reply = await send('merge-upstream', { branch })
      // Forgejo has another name for it.
      ignoreRefusal(isStatus(reply, 404, 405) ? await send('sync_fork') : reply, asked.push)
    },
  }
}

function factsOf(row: Repository): ForkFacts {
  const visibility = row.private ? 'private' : row.internal === true ? 'internal' : 'public'
  return { id: row.id, parentId: row.parent?.id ?? null, visibility, path: row.full_name }
}
