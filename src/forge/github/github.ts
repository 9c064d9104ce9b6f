// Shared by the calls to one repository on GitHub: client, path, and the remedy that a refusal names.

import type { ForgeClient } from '../client.ts'
import type { Asked } from '../errors.ts'
import type { GitHubRepository } from './pull.ts'

export type GitHub = {
  readonly client: ForgeClient
  readonly repository: GitHubRepository
  /** `/repos/owner/name` */
  readonly path: string
  /** By the right that a request needs. */
  readonly asked: Readonly<Record<Asked['right'], Asked>>
}

export type GitHubPlace = {
  /** The address of the host's pages without a trailing slash, such as `https://github.com`. */
  readonly webUrl: string
  /** `owner/name` */
  readonly path: string
  /** That of the fork that has the branches of jobs, if they are in one. */
  readonly fork?: string
}

/** Sent with every request. Without a version, GitHub chooses one. */
export const gitHubHeaders = { 'x-github-api-version': '2022-11-28', accept: 'application/vnd.github+json' } as const

export function openGitHub(client: ForgeClient, { webUrl, path, fork }: GitHubPlace, isApp: boolean): GitHub {
  const [owner = '', name = ''] = path.split('/')
  const place = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
  const asked = (right: Asked['right']): Asked => ({
    name: 'GitHub',
    repository: `${new URL(webUrl).host}/${path}`,
    right,
    remedy: isApp ? appRemedy(right) : tokenRemedy(webUrl, right),
  })
  const rights = { read: asked('read'), push: asked('push'), pullRequests: asked('pullRequests') }
  const all = { ...rights, statuses: asked('statuses') }
  return { client, repository: { webUrl, owner, name, fork }, path: place, asked: all }
}

const permissions: Readonly<Record<Asked['right'], string>> = {
  read: 'Contents: Read and write',
  push: 'Contents: Read and write',
  pullRequests: 'Pull requests: Read and write',
  statuses: 'Commit statuses: Read and write',
}

/** `where` is the page on which a person accepts the permission for the installation. */
export function appRemedy(right: Asked['right'], where = 'the page of its installation'): string {
  return `Give the GitHub App the permission "${permissions[right]}" in its settings, then accept it at ${where}.`
}

export function tokenRemedy(webUrl: string, right: Asked['right']): string {
  return `Give the token the permission "${permissions[right]}" at ${webUrl}/settings/personal-access-tokens.`
}

/** The first half of a sentence: the new token is entered then. `isReadOnly`: it need not do more than read. */
export function newToken({ webUrl, path }: GitHubPlace, _user: string | null = null, isReadOnly = false): string {
  const needed = isReadOnly ? '"Contents: Read-only"' : `"${permissions.push}" and "${permissions.pullRequests}"`
  return `Create a fine-grained token for ${path} with ${needed} at ${webUrl}/settings/personal-access-tokens/new`
}
