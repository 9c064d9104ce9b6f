// The address of a repository says how to sign in at its host. The service has the last word: this only chooses
// the form and its advice.

import type { AccessCheck, Credential } from '../../../api/connections.ts'

export type Kind = Credential['kind']
type Forge = NonNullable<Credential['forge']>

export type Host = {
  /** `https://github.com`. Undefined: a folder of the machine of the service. */
  readonly origin: string | undefined
  readonly isSsh: boolean
  /** Undefined: not one of the hosts that everybody knows. */
  readonly forge: Forge | undefined
}

const known: Readonly<Record<string, Forge>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
  'bitbucket.org': 'bitbucket',
  'dev.azure.com': 'azure',
}

function forgeOf(hostname: string): Forge | undefined {
  return hostname.endsWith('.visualstudio.com') ? 'azure' : known[hostname]
}

export function hostOf(repository: string): Host {
  const ssh = /^ssh:\/\/(?:[^/@]+@)?([^/]+)/.exec(repository)?.[1] ?? /^[^/@\s]+@([^/:]+):/.exec(repository)?.[1]
  if (ssh !== undefined) return { origin: `ssh://${ssh}`, isSsh: true, forge: undefined }
  const url = URL.parse(repository)
  if (url === null || !/^https?:$/.test(url.protocol)) return { origin: undefined, isSsh: false, forge: undefined }
  return { origin: url.origin, isSsh: false, forge: forgeOf(url.hostname) }
}

/** `https://github.com/acme/docs.git` is `acme/docs`; for a name that nobody had to type. On Azure DevOps: project and repository. */
export function nameOf(repository: string): string {
  const path = repository
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  const { origin, forge } = hostOf(repository)
  if (forge === 'azure') return azureName(path)
  const parts = path.split(/[/:]/).filter((part) => part !== '')
  return parts.slice(origin === undefined ? -1 : -2).join('/')
}

function azureName(path: string): string {
  const parts = path.split('/').slice(3).map(decode)
  const at = parts.indexOf('_git')
  const names = at < 0 ? parts.slice(-1) : [...parts.slice(Math.max(0, at - 1), at), ...parts.slice(at + 1, at + 2)]
  return names.join('/')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export type TokenAdvice = {
  /** Where a token is created. */
  readonly url: string
  readonly link: string
  /** The rights that the token needs. */
  readonly needs: string
}

/** `toRead`: the rights that a token needs for reading alone. */
type Advice = TokenAdvice & { readonly toRead: string }

/** `repository`: its address. */
const advice: Readonly<Record<Forge, (origin: string, repository: string) => Advice>> = {
  github: (origin) => ({
    url: `${origin}/settings/personal-access-tokens/new`,
    link: 'Create a fine-grained token on GitHub',
    needs: 'for this repository only, with Contents: Read and write, and Pull requests: Read and write.',
    toRead: 'for this repository only, with Contents: Read-only.',
  }),
  gitlab: (origin) => ({
    url: `${origin}/-/user_settings/personal_access_tokens`,
    link: 'Create a token on GitLab',
    needs: 'with the scopes api and write_repository, and the role Developer.',
    toRead: 'with the scopes read_api and read_repository, and the role Reporter.',
  }),
  gitea: (origin) => ({
    url: `${origin}/user/settings/applications`,
    link: 'Create a token',
    needs: 'with repository: Read and write, user: Read, and issue: Read and write for labels.',
    toRead: 'with repository: Read, and user: Read.',
  }),
  bitbucket: (origin, repository) => ({
    url: `${origin}/${nameOf(repository)}/admin/access-tokens`,
    link: 'Create an access token of the repository',
    needs:
      'with Repositories: Write and Pull requests: Write. Or use an API token; app passwords do not work any more.',
    toRead: 'with Repositories: Read. Or use an API token; app passwords do not work any more.',
  }),
  azure: (origin, repository) => ({
    url: `${organizationOf(origin, repository)}/_usersSettings/tokens`,
    link: 'Create a personal access token on Azure DevOps',
    needs: 'with the scopes Code (Read & write), for an account that may contribute to the repository.',
    toRead: 'with the scope Code (Read), for an account that may read the repository.',
  }),
}

/** Its older addresses have the organization in the name of the host. */
function organizationOf(origin: string, repository: string): string {
  const [, organization = ''] = URL.parse(repository)?.pathname.split('/') ?? []
  return origin.endsWith('.visualstudio.com') ? origin : `${origin}/${organization}`
}

export function adviceFor(repository: string, isReadOnly = false): TokenAdvice | undefined {
  const { origin, forge } = hostOf(repository)
  if (origin === undefined || forge === undefined) return undefined
  const { url, link, needs, toRead } = advice[forge](origin, repository)
  return { url, link, needs: isReadOnly ? toRead : needs }
}

/** Whether jobs could work in a fork of the account: only on forges where the service makes one. */
export function offersFork({
  rights,
  credential,
  forge,
}: Pick<AccessCheck, 'credential' | 'forge' | 'rights'>): boolean {
  const hasForks = forge === 'github' || forge === 'gitlab' || forge === 'gitea'
  return hasForks && credential === 'token' && rights.read === 'yes' && rights.push === 'no'
}

/** The service ends a remedy with a command where one is needed; the form beside it does the same. */
export function withoutCommand(remedy: string): string {
  const [words = ''] = remedy.split(/(?:, then(?: run)?)?: docent /)
  return words.length === remedy.length ? remedy : `${words}.`
}
