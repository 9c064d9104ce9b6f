// The address of a repository says how to sign in at its host. The service has the last word: this only chooses
// the form and its advice.

import type { Credential } from '../../../api/connections.ts'

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
}

export function hostOf(repository: string): Host {
  const ssh = /^ssh:\/\/(?:[^/@]+@)?([^/]+)/.exec(repository)?.[1] ?? /^[^/@\s]+@([^/:]+):/.exec(repository)?.[1]
  if (ssh !== undefined) return { origin: `ssh://${ssh}`, isSsh: true, forge: undefined }
  const url = URL.parse(repository)
  if (url === null || !/^https?:$/.test(url.protocol)) return { origin: undefined, isSsh: false, forge: undefined }
  return { origin: url.origin, isSsh: false, forge: known[url.hostname] }
}

/** `https://github.com/acme/docs.git` is `acme/docs`; for a name that nobody had to type. */
export function nameOf(repository: string): string {
  const path = repository
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  const parts = path.split(/[/:]/).filter((part) => part !== '')
  return parts.slice(hostOf(repository).origin === undefined ? -1 : -2).join('/')
}

export type TokenAdvice = {
  /** Where a token is created. */
  readonly url: string
  readonly link: string
  /** The rights that the token needs. */
  readonly needs: string
}

/** `name`: of the repository, as `nameOf` finds it. */
const advice: Readonly<Record<Forge, (origin: string, name: string) => TokenAdvice>> = {
  github: (origin) => ({
    url: `${origin}/settings/personal-access-tokens/new`,
    link: 'Create a fine-grained token on GitHub',
    needs: 'for this repository only, with Contents: Read and write, and Pull requests: Read and write.',
  }),
  gitlab: (origin) => ({
    url: `${origin}/-/user_settings/personal_access_tokens`,
    link: 'Create a token on GitLab',
    needs: 'with the scopes api and write_repository, and the role Developer.',
  }),
  gitea: (origin) => ({
    url: `${origin}/user/settings/applications`,
    link: 'Create a token',
    needs: 'with repository: Read and write, user: Read, and issue: Read and write for labels.',
  }),
  bitbucket: (origin, name) => ({
    url: `${origin}/${name}/admin/access-tokens`,
    link: 'Create an access token of the repository',
    needs:
      'with Repositories: Write and Pull requests: Write. Or use an API token; app passwords do not work any more.',
  }),
}

export function adviceFor(repository: string): TokenAdvice | undefined {
  const { origin, forge } = hostOf(repository)
  return origin === undefined || forge === undefined ? undefined : advice[forge](origin, nameOf(repository))
}

/** The service ends a remedy with a command where one is needed; the form beside it does the same. */
export function withoutCommand(remedy: string): string {
  const [words = ''] = remedy.split(/(?:, then(?: run)?)?: docent /)
  return words.length === remedy.length ? remedy : `${words}.`
}
