// Where the repository of a project is on its forge, worked out from addresses alone: origin, base address of the API,
// path. Contacts nothing. A folder of this machine is on no host.

import { type ForgeKind, forgeKinds } from '../forge/host.ts'
import { knownForge } from '../forge/links/known-forge.ts'

/** `git`: a host without an adapter. */
export const forgeNames = [...forgeKinds, 'git'] as const

/** A repository on a forge. Addresses have no trailing slash. */
export type Place = {
  readonly forge: ForgeKind
  /** The base address of the forge's pages, such as `https://github.com`. */
  readonly webUrl: string
  readonly apiUrl: string
  /** The path of the repository without `.git`, such as `acme/docs`; groups of GitLab make it longer. */
  readonly path: string
  /** The path of the fork that has the branches of jobs, if they are in one. */
  readonly fork?: string
}

/**
 * Returns `https://host` or `ssh://host`, with the port if it is not the default; undefined for a folder of this machine.
 * `repository`: in the normal form of the git engine.
 */
export function originOf(repository: string): string | undefined {
  const url = URL.parse(repository)
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin
  // The user belongs to the address, and not to the origin.
  const host = url?.protocol === 'ssh:' ? url.host : /^[^/@]+@([^/:]+):/.exec(repository)?.[1]
  return host === undefined ? undefined : `${sshScheme}${host}`
}

const sshScheme = 'ssh://'

export function isSshOrigin(origin: string): boolean {
  return origin.startsWith(sshScheme)
}

const apiPaths: Readonly<Record<ForgeKind, string>> = {
  github: '/api/v3',
  gitlab: '/api/v4',
  gitea: '/api/v1',
  bitbucket: '/2.0',
  // Below the organization, which is a part of the repository's path.
  azure: '',
}

/** The same repository over https, if it is given over ssh and everybody knows the forge of its host. */
export function httpsOf(repository: string): { readonly address: string; readonly forge: ForgeKind } | undefined {
  const origin = originOf(repository)
  if (origin === undefined || !isSshOrigin(origin)) return undefined
  const { hostname } = new URL(origin)
  const [, project, name] = azureOverSsh.exec(repository) ?? []
  if (project && name) return { address: `https://dev.azure.com/${project}/_git/${name}`, forge: 'azure' }
  const forge = knownForge(`https://${hostname}`)
  const path = /^(?:ssh:\/\/[^/]+\/|[^/]+:)(.+)$/.exec(repository)?.[1]
  // Azure DevOps has other hosts for ssh.
  return forge && forge !== 'azure' && path ? { address: `https://${hostname}/${path}`, forge } : undefined
}

const azureOverSsh =
  /^(?:ssh:\/\/)?[^/@]+@(?:ssh\.dev\.azure\.com|vs-ssh\.visualstudio\.com)[:/]v3\/([^/]+\/[^/]+)\/([^/]+)$/

/** The usual base address of the API of a forge whose pages are at the root of this origin. */
export function usualApiUrl(forge: ForgeKind, origin: string): string {
  const { hostname } = new URL(origin)
  // GitHub's own hosts have one for the API.
  if (forge === 'github' && (hostname === 'github.com' || hostname.endsWith('.ghe.com')))
    return `https://api.${hostname}`
  if (hostname === 'bitbucket.org') return `https://api.${hostname}${apiPaths.bitbucket}`
  return `${origin}${apiPaths[forge]}`
}

/** The base address of the pages: a forge below a path, such as `https://example.com/gitlab`, has its API there, too. */
export function webUrlOf(forge: ForgeKind, apiUrl: string, origin: string): string {
  const suffix = apiPaths[forge]
  return apiUrl.startsWith(`${origin}/`) && apiUrl.endsWith(suffix)
    ? apiUrl.slice(0, apiUrl.length - suffix.length)
    : origin
}

/** Returns the path of the repository below `webUrl`, or undefined if it is not there. */
export function pathOf(repository: string, webUrl: string): string | undefined {
  if (!repository.startsWith(`${webUrl}/`)) return undefined
  const path = repository
    .slice(webUrl.length + 1)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  return path === '' ? undefined : path
}

const gitUsers: Readonly<Record<ForgeKind, (user: string | null) => string>> = {
  github: () => 'x-access-token',
  gitlab: () => 'oauth2',
  gitea: () => 'docent',
  bitbucket: (user) => (user === null ? 'x-token-auth' : 'x-bitbucket-api-token-auth'),
  // It takes any.
  azure: () => 'docent',
}

/** The user name with which git sends a token; `user`: of the token, where the forge asks for one. */
export function gitUserOf(forge: ForgeKind, user: string | null): string {
  return gitUsers[forge](user)
}
