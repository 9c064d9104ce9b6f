// Shared by the calls to one repository on Azure DevOps: client, paths, and the remedy that a refusal names. Its addresses
// are `https://dev.azure.com/organization/project/_git/repository`, and older ones of `*.visualstudio.com`.

import type { ForgeClient, ForgeRequest } from '../client.ts'
import type { Asked } from '../errors.ts'
import type { Place } from '../explain.ts'

export type AzurePlace = {
  /** The origin of the pages: `https://dev.azure.com`, `https://organization.visualstudio.com`. */
  readonly webUrl: string
  /** As the address of the repository has it, percent-encoded: `organization/project/_git/repository`. */
  readonly path: string
}

export type Azure = {
  readonly client: ForgeClient
  readonly place: AzurePlace
  readonly located: Located
  /** `/organization/project/_apis/git/repositories/repository` */
  readonly path: string
  /** By the right that a request needs. */
  readonly asked: Readonly<Record<Asked['right'], Asked>>
}

export type Located = {
  /** The start of paths of the API and the pages, with `/` first; empty where the host names the organization. Percent-encoded. */
  readonly root: string
  readonly project: string
  readonly repository: string
}

const version = '7.1'

/** Options of the client. With the header, most of its servers refuse with 401 and no page. */
export const azureOptions = { headers: { 'X-TFS-FedAuthRedirect': 'Suppress' }, hasSignInPages: true }
const notHere = 'a path with /_git/, such as https://dev.azure.com/organization/project/_git/repository'

/** `place`: one that `locate` knows. */
export function openAzure(client: ForgeClient, place: AzurePlace): Azure {
  const located = locate(place)
  if (!located) throw new Error(`a repository on Azure DevOps has ${notHere}`)
  const asked = (right: Asked['right']): Asked => ({
    name: 'Azure DevOps',
    repository: `${new URL(place.webUrl).host}/${place.path}`,
    right,
    remedy: remedyOf(place, right),
  })
  const rights = { read: asked('read'), push: asked('push'), pullRequests: asked('pullRequests') }
  const all = { ...rights, statuses: asked('statuses') }
  const path = `${listPath(located)}/${encodeURIComponent(located.repository)}`
  return { client: versioned(client), place, located, path, asked: all }
}

function remedyOf(place: AzurePlace, right: Asked['right']): string {
  if (right === 'read') return readRemedy(place)
  if (right !== 'statuses') return `${newToken(place)}.`
  const page = tokensPage(place)
  return `Create a personal access token with the scopes "Code (Read)" and "Code (Status)" at ${page}, for an account that may contribute to the repository.`
}

/** Undefined: no address of a repository on Azure DevOps. A repository may have the name of its project, and stand for it. */
export function locate({ webUrl, path }: AzurePlace): Located | undefined {
  const names = namesOf(path)
  const at = names.indexOf('_git')
  const repository = names[at + 1] ?? ''
  if (at < 0 || names.length !== at + 2 || names.includes('')) return undefined
  const before = names.slice(0, at)
  const roots = isOwnHost(webUrl) ? Number(before[0]?.toLowerCase() === 'defaultcollection') : 1
  if (before.length < roots || before.length > roots + 1) return undefined
  const root = before.slice(0, roots).map((name) => `/${encodeURIComponent(name)}`)
  return { root: root.join(''), project: before[roots] ?? repository, repository }
}

function namesOf(path: string): readonly string[] {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return []
  }
}

/** The organization is in the name of the host. */
function isOwnHost(webUrl: string): boolean {
  return new URL(webUrl).hostname.endsWith('.visualstudio.com')
}

function listPath({ root, project }: Located): string {
  return `${root}/${encodeURIComponent(project)}/_apis/git/repositories`
}

/** Every request names the version of the API; that of a part which is still a preview is its own. */
function versioned(client: ForgeClient): ForgeClient {
  const withVersion = <Request extends Pick<ForgeRequest, 'query'>>(request: Request): Request => {
    return { ...request, query: { 'api-version': version, ...request.query } }
  }
  return {
    ...client,
    ask: (request, signal) => client.ask(withVersion(request), signal),
    readEnd: (log, signal) => client.readEnd(withVersion(log), signal),
  }
}

/** The address of the organization's pages. */
export function organizationOf(place: AzurePlace): string {
  return `${place.webUrl}${isOwnHost(place.webUrl) ? '' : (locate(place)?.root ?? '')}`
}

/** The first half of a sentence: the new token is entered then. `isReadOnly`: it need not do more than read. */
export function newToken(place: AzurePlace, _user: string | null = null, isReadOnly = false): string {
  if (isReadOnly) {
    return `Create a personal access token with the scope "Code (Read)" at ${tokensPage(place)}, for an account that may read the repository`
  }
  return `Create a personal access token with the scopes "Code (Read & write)" at ${tokensPage(place)}, for an account that may contribute to the repository and to its pull requests`
}

function tokensPage(place: AzurePlace): string {
  return `${organizationOf(place)}/_usersSettings/tokens`
}

export function readRemedy(place: AzurePlace): string {
  const words = 'Let the account of the token read the repository, or correct the address of the repository'
  return `${words}: a renamed repository is at ${place.webUrl} under its new name.`
}

export function placeOf({ client, path, located }: Azure): Place {
  return { client, path, account: listPath(located) }
}

const heads = 'refs/heads/'

export function refOf(branch: string): string {
  return `${heads}${branch}`
}

export function branchOf(ref: string): string {
  return ref.startsWith(heads) ? ref.slice(heads.length) : ref
}
