// The fork of a repository on GitHub, under a classic token of an account that may not push to the repository itself.
// A fine-grained token covers the repositories of one owner only, so it can neither make a fork nor propose from one.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import { assertFork, type ForkFacts, ignoreRefusal, visibilities } from '../reply/fork.ts'
import type { HostForks } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { branchName, encodePath, repositoryPath } from '../reply/shapes.ts'
import type { GitHub } from './github.ts'

const idSchema = z.object({ id: z.int().positive() })
const repositorySchema = idSchema.extend({
  full_name: repositoryPath,
  private: z.boolean(),
  visibility: z.enum(visibilities).optional(),
  default_branch: branchName,
  parent: idSchema.nullish(),
})
type Repository = z.infer<typeof repositorySchema>

export function createGitHubForks(github: GitHub): HostForks {
  const { client, path, asked, repository } = github
  const read = async (at: string, signal: AbortSignal) =>
    parseReply(await client.ask({ method: 'GET', path: at }, signal), repositorySchema, asked.read)
  return {
    make: async (signal) => {
      const reply = await client.ask(
        { method: 'POST', path: `${path}/forks`, body: { default_branch_only: true } },
        signal,
      )
      if (isStatus(reply, 403, 404)) throw new Failure('forge_right_missing', needsClassic(github))
      const made = parseReply(reply, repositorySchema, asked.read)
      const at = `/repos/${encodePath(made.full_name)}`
      // GitHub copies the repository after it has responded.
      const branch = await client.ask(
        { method: 'GET', path: `${at}/branches/${encodePath(made.default_branch)}` },
        signal,
      )
      return isStatus(branch, 200) ? made.full_name : undefined
    },
    check: async (fork, signal) => {
      const found = await read(`/repos/${encodePath(fork)}`, signal)
      assertFork(factsOf(await read(path, signal)), factsOf(found), asked.read)
    },
    sync: async (signal) => {
      const { fork } = repository
      if (fork === undefined) return
      const { default_branch: branch } = await read(path, signal)
      const request = {
        method: 'POST',
        path: `/repos/${encodePath(fork)}/merge-upstream`,
        body: { branch },
      } as const
      ignoreRefusal(await client.ask(request, signal), asked.push)
    },
  }
}

function factsOf(row: Repository): ForkFacts {
  const visibility = row.visibility ?? (row.private ? 'private' : 'public')
  return { id: row.id, parentId: row.parent?.id ?? null, visibility, path: row.full_name }
}

function needsClassic({ repository: { webUrl, owner, name } }: GitHub): string {
  const scope = '"public_repo" ("repo" for a private repository)'
  const words = `The token may not fork ${owner}/${name}: a fine-grained token never may.`
  return `${words} Create a classic token with the scope ${scope} for a machine account: ${webUrl}/settings/tokens/new.`
}
