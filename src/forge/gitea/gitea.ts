// Shared by the calls to one repository on Gitea or Forgejo: client, path, and the remedy that a refusal names.

import type { ForgeClient } from '../client.ts'
import type { Asked } from '../errors.ts'
import type { Place } from '../explain.ts'
import { encodePath } from '../reply/shapes.ts'

export type GiteaPlace = {
  /** The address of the host's pages without a trailing slash, such as `https://codeberg.org`. */
  readonly webUrl: string
  /** `owner/name` */
  readonly path: string
  /** That of the fork that has the branches of jobs, if they are in one. */
  readonly fork?: string
}

export type Gitea = {
  readonly client: ForgeClient
  readonly place: GiteaPlace
  /** `/repos/owner/name` */
  readonly path: string
  /** By the right that a request needs. */
  readonly asked: Readonly<Record<Asked['right'], Asked>>
}

export function openGitea(client: ForgeClient, place: GiteaPlace): Gitea {
  const asked = (right: Asked['right']): Asked => ({
    name: 'Gitea',
    repository: `${new URL(place.webUrl).host}/${place.path}`,
    right,
    remedy: remedyOf(place, right),
  })
  const rights = { read: asked('read'), push: asked('push'), pullRequests: asked('pullRequests') }
  const all = { ...rights, statuses: asked('statuses') }
  return { client, place, path: `/repos/${encodePath(place.path)}`, asked: all }
}

function remedyOf(place: GiteaPlace, right: Asked['right']): string {
  if (right === 'read') return readRemedy(place)
  if (right !== 'statuses') return scopeRemedy(place)
  const where = `${place.webUrl}/user/settings/applications`
  return `Create a token with the permissions "repository: Read and Write" and "user: Read" at ${where}, for an account that may write to ${place.path}.`
}

/** The branch of a job as the repository names it: with the owner of the fork that it is in. */
export function headOf({ place: { fork } }: Gitea, branch: string): string {
  return fork === undefined ? branch : `${fork.split('/')[0] ?? ''}:${branch}`
}

/** The permissions of a token can't be changed, so a person has to create another one. */
export function scopeRemedy(place: GiteaPlace): string {
  return `${newToken(place)}.`
}

/** The first half of a sentence: the new token is entered then. `isReadOnly`: it need not do more than read. */
export function newToken({ webUrl }: GiteaPlace, _user: string | null = null, isReadOnly = false): string {
  const permissions = isReadOnly
    ? '"repository: Read" and "user: Read"'
    : '"repository: Read and Write", "issue: Read and Write" and "user: Read"'
  return `Create a token with the permissions ${permissions} at ${webUrl}/user/settings/applications`
}

export function readRemedy({ path }: GiteaPlace): string {
  return `Give the account of the token access to ${path}, or correct the address of the repository.`
}

export function roleRemedy({ webUrl, path }: GiteaPlace, account: string | null): string {
  const who = account ?? 'the account of the token'
  return `Give ${who} the permission "Write" at ${webUrl}/${path}/settings/collaboration.`
}

export function placeOf({ client, path }: Gitea): Place {
  return { client, path, account: '/user' }
}
