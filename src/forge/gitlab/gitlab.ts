// Shared by the calls to one project on GitLab: client, path, and the remedy that a refusal names.

import type { ForgeClient } from '../client.ts'
import type { Asked } from '../errors.ts'
import type { Right } from '../host.ts'

export type GitLabPlace = {
  /** The address of the host's pages without a trailing slash, such as `https://gitlab.com`. */
  readonly webUrl: string
  /** With its groups, such as `acme/web/docs`. */
  readonly path: string
}

export type GitLab = GitLabPlace & {
  readonly client: ForgeClient
  /** `/projects/acme%2Fdocs` */
  readonly project: string
  /** By the right that a request needs. */
  readonly asked: Readonly<Record<Right, Asked>>
}

export function openGitLab(client: ForgeClient, place: GitLabPlace): GitLab {
  const asked = (right: Right): Asked => ({
    name: 'GitLab',
    repository: `${new URL(place.webUrl).host}/${place.path}`,
    right,
    remedy: tokenRemedy(place, right),
  })
  const all = { read: asked('read'), push: asked('push'), pullRequests: asked('pullRequests') }
  return { ...place, client, project: `/projects/${encodeURIComponent(place.path)}`, asked: all }
}

/** The scopes of a token can't be changed, so a person has to create another one. */
export function tokenRemedy(place: GitLabPlace, right: Right): string {
  if (right === 'read') return `Give the token access to ${place.path}, or correct the address of the repository.`
  return `${newToken(place)}.`
}

/** The first half of a sentence: the new token is entered then. */
export function newToken({ webUrl, path }: GitLabPlace): string {
  const rights = 'the role "Developer" and the scopes "api" and "write_repository"'
  return `Create a token with ${rights} at ${webUrl}/${path}/-/settings/access_tokens`
}
