// Shared by the calls to one project on GitLab: client, path, and the remedy that a refusal names.

import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import type { ForgeClient } from '../client.ts'
import type { Asked } from '../errors.ts'
import { parseReply } from '../parse.ts'

export type GitLabPlace = {
  /** The address of the host's pages without a trailing slash, such as `https://gitlab.com`. */
  readonly webUrl: string
  /** With its groups, such as `acme/web/docs`. */
  readonly path: string
  /** That of the fork that has the branches of jobs, if they are in one. */
  readonly fork?: string
}

export type GitLab = GitLabPlace & {
  readonly client: ForgeClient
  /** The numbers that GitLab has for the project and its fork; undefined if the branches of jobs are in the project. */
  readonly ids: (signal: AbortSignal) => Promise<ForkIds | undefined>
  /** `/projects/acme%2Fdocs` */
  readonly project: string
  /** By the right that a request needs. */
  readonly asked: Readonly<Record<Asked['right'], Asked>>
}

export function openGitLab(client: ForgeClient, place: GitLabPlace): GitLab {
  const asked = (right: Asked['right']): Asked => ({
    name: 'GitLab',
    repository: `${new URL(place.webUrl).host}/${place.path}`,
    right,
    remedy: tokenRemedy(place, right),
  })
  const rights = { read: asked('read'), push: asked('push'), pullRequests: asked('pullRequests') }
  const all = { ...rights, statuses: asked('statuses') }
  const ids = createForkIds(client, place, all.read)
  return { ...place, client, ids, project: projectPath(place.path), asked: all }
}

export function projectPath(path: string): string {
  return `/projects/${encodeURIComponent(path)}`
}

export type ForkIds = { readonly project: number; readonly fork: number }

const forkSchema = z.object({
  id: z.int().positive(),
  forked_from_project: z.object({ id: z.int().positive() }).nullish(),
})

/** Asks once. Throws `forge_right_missing` if it is no fork. */
function createForkIds(client: ForgeClient, { fork }: GitLabPlace, asked: Asked): GitLab['ids'] {
  let known: ForkIds | undefined
  return async (signal) => {
    if (fork === undefined || known) return known
    const reply = await client.ask({ method: 'GET', path: projectPath(fork) }, signal)
    const { id, forked_from_project: parent } = parseReply(reply, forkSchema, asked)
    if (!parent) throw new Failure('forge_right_missing', `${fork} is no fork.`)
    known = { project: parent.id, fork: id }
    return known
  }
}

/** The scopes of a token can't be changed, so a person has to create another one. */
export function tokenRemedy(place: GitLabPlace, right: Asked['right']): string {
  if (right === 'read') return `Give the token access to ${place.path}, or correct the address of the repository.`
  if (right !== 'statuses') return `${newToken(place)}.`
  return `Create a token with the role "Developer" and the scope "api" at ${tokensPage(place)}.`
}

/** The first half of a sentence: the new token is entered then. `isReadOnly`: it need not do more than read. */
export function newToken(place: GitLabPlace, _user: string | null = null, isReadOnly = false): string {
  const rights = isReadOnly
    ? 'the role "Reporter" and the scopes "read_api" and "read_repository"'
    : 'the role "Developer" and the scopes "api" and "write_repository"'
  return `Create a token with ${rights} at ${tokensPage(place)}`
}

function tokensPage({ webUrl, path }: GitLabPlace): string {
  return `${webUrl}/${path}/-/settings/access_tokens`
}
