// git over HTTP as the forges speak it: who may read and push, and their words when somebody may not.

import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { basename, join } from 'node:path'
import type { Answer, Backend } from '../git-server.ts'
import { hookRules } from './rules.ts'
import { type Token, type World, rulesFile } from './world.ts'

export type Presented = { readonly token: Token | undefined; readonly authorization: string; readonly user: string }

/** Returns the name of a request of git, or undefined for any other request. */
export function isGit(url: URL): string | undefined {
  const service = /\/(info\/refs|git-(?:upload|receive)-pack)$/.exec(url.pathname)?.[1]
  if (service === undefined) return undefined
  if (service !== 'info/refs') return service.replace('-', ' ')
  return `${(url.searchParams.get('service') ?? 'dumb').replace('-', ' ')} refs`
}

const words = {
  github: {
    realm: 'GitHub',
    denied: 'Write access to repository not granted.',
    archived: 'This repository was archived so it is read-only.',
    protection: 'GH006: Protected branch update failed for',
  },
  gitlab: {
    realm: 'GitLab',
    denied: 'You are not allowed to push code to this project.',
    archived: 'You are not allowed to push code to this project.',
    protection: 'GitLab: You are not allowed to push code to protected branches on this project:',
  },
  gitea: {
    realm: 'Gitea',
    denied: 'User permission denied for writing.',
    archived: 'This repo is archived. You can view files and clone it, but cannot push or open issues/pull-requests.',
    protection: 'Gitea: Not allowed to push to protected branch',
  },
  bitbucket: {
    realm: 'Bitbucket.org HTTP',
    denied: 'Your credentials lack one or more required privilege scopes.',
    archived: '',
    protection: 'Permission denied to update branch',
  },
  azure: {
    realm: 'https://dev.azure.com/',
    denied: 'TF401027: You need the Git GenericContribute permission to perform this action.',
    archived: 'TF401019: The Git repository does not exist or you do not have permissions.',
    protection: 'TF402455: Pushes to this branch are not permitted; you must use a pull request to update this branch.',
  },
} as const

export async function serveGitRequest(
  world: World,
  backend: Backend,
  request: IncomingMessage,
  presented: Presented,
): Promise<Answer> {
  const refusal = refusalOf(world, request, presented)
  if (refusal) {
    request.resume()
    return refusal
  }
  setRules(world)
  const { name, path } = split(request)
  const directory = name === world.fork?.path ? world.fork.directory : world.remote.directory
  return await backend.run(request, `/${basename(directory)}${path}`)
}

/** `/acme/docs.git/info/refs` as `acme/docs` and `/info/refs`. */
function split(request: IncomingMessage): { readonly name: string; readonly path: string; readonly isPush: boolean } {
  const url = new URL(request.url ?? '/', 'http://loopback')
  const at = url.pathname.search(/\/(info\/refs|git-(?:upload|receive)-pack)$/)
  const name = decodeURIComponent(url.pathname.slice(1, at)).replace(/\.git$/, '')
  return { name, path: url.pathname.slice(at), isPush: `${url.pathname}${url.search}`.includes('git-receive-pack') }
}

function refusalOf(world: World, request: IncomingMessage, presented: Presented): Answer | undefined {
  const { authorization } = presented
  const token = world.kind === 'bitbucket' ? withItsUser(presented) : presented.token
  const { name, path, isPush } = split(request)
  const { switches } = world
  const { realm, denied, archived } = words[world.kind]
  const challenge = { 'WWW-Authenticate': `Basic realm="${realm}"` }
  if (!token && (switches.isPrivate || isPush || authorization !== '')) {
    return answer(401, 'HTTP Basic: Access denied. Invalid username or token.', challenge)
  }
  // Azure DevOps forgets former names.
  if (world.formerPaths.has(name) && world.kind !== 'azure') {
    const { search } = new URL(request.url ?? '/', 'http://loopback')
    return answer(301, '', { Location: `http://${request.headers.host}/${world.path}.git${path}${search}` })
  }
  if (name === world.fork?.path) {
    return !isPush || token?.login === name.split('/')[0] ? undefined : answer(403, denied)
  }
  if (name !== world.path || switches.isDeleted) return answer(404, 'Repository not found.')
  if (token && !token.rights.has('read')) return answer(404, 'Repository not found.')
  if (isPush && !token?.rights.has('push')) return answer(switches.hidesForbidden ? 404 : 403, denied)
  return isPush && switches.isArchived ? answer(403, archived) : undefined
}

/** Bitbucket accepts a token only with the user of its kind. */
function withItsUser({ token, user }: Presented): Token | undefined {
  const wanted = token?.email == null ? 'x-token-auth' : 'x-bitbucket-api-token-auth'
  return user === wanted ? token : undefined
}

function answer(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'Content-Type': 'text/plain', ...headers }, body: Buffer.from(text) }
}

/** The hook reads its rules from a file. */
function setRules({ remote, switches, kind }: World): void {
  const protection = `protection='${words[kind].protection}'`
  const workflows = `workflows=${kind === 'github' ? 'refused' : 'allowed'}`
  const globs = [...switches.protected, ...(switches.rules.closed ? [switches.rules.closed] : [])]
  const own = [protection, workflows, `protected='${globs.join(' ')}'`, ''].join('\n')
  const rules = own + hookRules(kind, switches.rules)
  if (applied.get(switches) === rules) return
  applied.set(switches, rules)
  writeFileSync(join(remote.directory, rulesFile), rules)
}

const applied = new WeakMap<object, string>()
