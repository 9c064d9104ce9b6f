// The fork of a project on GitLab, in the namespace of the token's account.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import { assertFork, type ForkFacts, ignoreRefusal, nameTaken, visibilities } from '../reply/fork.ts'
import type { HostForks } from '../host.ts'
import { isStatus, parseReply } from '../parse.ts'
import { branchName, repositoryPath, text } from '../reply/shapes.ts'
import { type GitLab, projectPath } from './gitlab.ts'

const projectSchema = z.object({
  id: z.int().positive(),
  path_with_namespace: repositoryPath,
  visibility: z.enum(visibilities),
  default_branch: branchName.nullish(),
  forked_from_project: z.object({ id: z.int().positive() }).nullish(),
  import_status: text(50).optional(),
})
type Project = z.infer<typeof projectSchema>

const syncMutation =
  'mutation($path: ID!, $branch: String!) { projectSyncFork(input: { projectPath: $path, targetBranch: $branch }) { errors } }'

export function createGitLabForks(gitlab: GitLab): HostForks {
  const { client, project, asked } = gitlab
  const read = async (path: string, signal: AbortSignal) =>
    parseReply(await client.ask({ method: 'GET', path }, signal), projectSchema, asked.read)
  const findOwn = async (signal: AbortSignal): Promise<Project | undefined> => {
    const request = { method: 'GET', path: `${project}/forks`, query: { owned: 'true', per_page: 1 } } as const
    return parseReply(await client.ask(request, signal), z.array(projectSchema), asked.read)[0]
  }
  const make = async (signal: AbortSignal): Promise<Project> => {
    const reply = await client.ask({ method: 'POST', path: `${project}/fork`, body: {} }, signal)
    if (isStatus(reply, 409)) throw nameTaken(gitlab.path.split('/').at(-1) ?? '', asked.read)
    if (isStatus(reply, 401, 403, 404)) throw new Failure('forge_right_missing', needsAccount(gitlab))
    return parseReply(reply, projectSchema, asked.read)
  }
  return {
    make: async (signal) => {
      const found = (await findOwn(signal)) ?? (await make(signal))
      const isReady = ['finished', 'none', undefined].includes(found.import_status)
      return isReady ? found.path_with_namespace : undefined
    },
    check: async (fork, signal) => {
      const found = await read(projectPath(fork), signal)
      assertFork(factsOf(await read(project, signal)), factsOf(found), asked.read)
    },
    sync: async (signal) => {
      const { fork } = gitlab
      if (fork === undefined) return
      const { default_branch: branch } = await read(project, signal)
      const path = client.basePath.replace(/\/v4$/, '/graphql')
      const body = { query: syncMutation, variables: { path: fork, branch } }
      ignoreRefusal(await client.ask({ method: 'POST', path, isFromOrigin: true, body }, signal), asked.push)
    },
  }
}

function factsOf(row: Project): ForkFacts {
  const { id, visibility, path_with_namespace: path, forked_from_project: parent } = row
  return { id, parentId: parent?.id ?? null, visibility, path }
}

function needsAccount({ webUrl, path }: GitLab): string {
  const where = `${webUrl}/-/user_settings/personal_access_tokens`
  return `The token may not fork ${path}. Create a personal token with the scope "api" for a machine account: ${where}.`
}
