// Shared by the calls to one repository on Bitbucket Cloud: client, path, the two kinds of tokens, and the remedy that a
// refusal names. Bitbucket Data Center has another API.

import type { ForgeClient } from '../client.ts'
import type { Asked } from '../errors.ts'
import type { Place } from '../explain.ts'
import { encodePath } from '../reply/shapes.ts'

export type BitbucketPlace = {
  /** The address of the host's pages without a trailing slash: `https://bitbucket.org`. */
  readonly webUrl: string
  /** `workspace/repository` */
  readonly path: string
}

export type Bitbucket = {
  readonly client: ForgeClient
  readonly place: BitbucketPlace
  /** `/repositories/workspace/repository` */
  readonly path: string
  /** The e-mail address of an API token, which acts for a person; null: an access token, which acts for itself. */
  readonly user: string | null
  /** By the right that a request needs. */
  readonly asked: Readonly<Record<Asked['right'], Asked>>
}

export function openBitbucket(client: ForgeClient, place: BitbucketPlace, user: string | null): Bitbucket {
  const asked = (right: Asked['right']): Asked => ({
    name: 'Bitbucket',
    repository: `${new URL(place.webUrl).host}/${place.path}`,
    right,
    // Bitbucket lets who may read a repository set statuses of its commits.
    remedy: right === 'read' || right === 'statuses' ? readRemedy(place, user) : `${newToken(place, user)}.`,
  })
  const rights = { read: asked('read'), push: asked('push'), pullRequests: asked('pullRequests') }
  const all = { ...rights, statuses: asked('statuses') }
  return { client, place, path: `/repositories/${encodePath(place.path)}`, user, asked: all }
}

const tokensPage = 'https://id.atlassian.com/manage-profile/security/api-tokens'

/**
 * The first half of a sentence: the new token is entered then. The scopes of a token can't be changed. `isReadOnly`: it need
 * not do more than read.
 */
export function newToken({ webUrl, path }: BitbucketPlace, user: string | null, isReadOnly = false): string {
  if (user !== null) {
    const all = ['read', 'write'].flatMap((may) => [`${may}:repository:bitbucket`, `${may}:pullrequest:bitbucket`])
    const scopes = isReadOnly ? ['read:repository:bitbucket'] : all
    return `Create an API token for Bitbucket with the scopes ${scopes.join(', ')} at ${tokensPage}`
  }
  const permissions = isReadOnly ? '"Repositories: Read"' : '"Repositories: Write" and "Pull requests: Write"'
  return `Create an access token with the permissions ${permissions} at ${webUrl}/${path}/admin/access-tokens`
}

/** How the credential may ask who may push. The first half of a sentence. */
export function adminRemedy({ webUrl, path }: BitbucketPlace, user: string | null): string {
  if (user !== null) return `Give the account ${user} the permission Admin at ${webUrl}/${path}/admin/permissions`
  const permissions = '"Repositories: Admin" and "Pull requests: Write"'
  return `Create an access token with the permissions ${permissions} at ${webUrl}/${path}/admin/access-tokens`
}

export function readRemedy({ path, webUrl }: BitbucketPlace, user: string | null): string {
  const how =
    user === null
      ? `Create an access token of ${path}`
      : `Let the account ${user} read ${path}: ${webUrl}/${path}/admin`
  return `${how}, or correct the address of the repository.`
}

/**
 * Why this cannot be a token of Bitbucket, as far as its first characters tell; `user`: as it was entered. Undefined: it
 * can be one.
 */
export function refuseToken(
  token: string,
  user: string | undefined,
): { readonly field: 'token' | 'user'; readonly message: string } | undefined {
  if (token.startsWith('ATBB')) {
    const words = 'This is an app password, which Bitbucket has not accepted since 9 June 2026.'
    return { field: 'token', message: `${words} Create an access token of the repository, or an API token.` }
  }
  if (token.startsWith('ATATT') && user === undefined) {
    const words = 'An API token needs the e-mail address of its Atlassian account: `--user EMAIL`, or `user` over HTTP.'
    return { field: 'user', message: `${words} An access token of the repository needs no address.` }
  }
  if (token.startsWith('ATCTT') && user !== undefined) {
    return {
      field: 'user',
      message: 'An access token of a repository, project or workspace needs no e-mail address: leave `user` out.',
    }
  }
  if (user === undefined || /^[^\s:@]+@[^\s:@]+$/.test(user)) return undefined
  return { field: 'user', message: '`user` must be the e-mail address of the Atlassian account of the API token.' }
}

/** An access token may read no account: the repository shows whether it works at all. */
export function placeOf({ client, path, user }: Bitbucket): Place {
  return { client, path, account: user === null ? path : '/user' }
}
