// Remedies for a missing right, as sentences for a person. A sentence ends with a command if one is needed. Used if the
// forge itself has no better message.

import { forgeNames } from '../../forge/forge.ts'
import { newToken as newTokenOfAzure } from '../../forge/azure/azure.ts'
import { newToken as newTokenOfBitbucket } from '../../forge/bitbucket/bitbucket.ts'
import { newToken as newTokenOfGitea } from '../../forge/gitea/gitea.ts'
import { newToken as newTokenOfGitHub } from '../../forge/github/github.ts'
import { newToken as newTokenOfGitLab } from '../../forge/gitlab/gitlab.ts'
import type { ForgeKind, Right } from '../../forge/host.ts'
import type { RepositoryAccess } from '../../git/types.ts'
import type { StoredCredential } from '../credentials.ts'
import { httpsOf, isSshOrigin, knownForge, originOf, pathOf, type Place } from '../places.ts'
import { firstCommand, setCommand } from '../set-command.ts'

/** Descriptions of missing rights. */
export const lacks: Readonly<Record<Right, string>> = {
  read: 'may not read the repository',
  push: 'may not push branches',
  pullRequests: 'may not open pull requests',
}

export type Lack = {
  readonly right: Right
  /** How commands name the project. */
  readonly project: string
  readonly repository: string
  readonly credential: StoredCredential | undefined
  /** undefined without a forge. */
  readonly place: Place | undefined
  readonly git: Pick<RepositoryAccess, 'isRefused' | 'isOtherHost'>
}

type Where = Pick<Place, 'webUrl' | 'path'>

export function remedyFor({ right, project, repository, credential, place, git }: Lack): string {
  if (!credential) return enterFirst(project, repository)
  const { kind, account, forge } = credential
  if (git.isRefused && (kind === 'token' || kind === 'basic')) return renew(credential, place)
  if (git.isOtherHost) return confirmHost
  if (kind === 'ssh') return 'Enter the public part of the key at the host, as a deploy key that may write.'
  if (!place || forge === null) return `Give the user ${account ?? ''} this right at the host of the repository.`
  const { webUrl, path } = place
  if (kind === 'github_app') {
    const [owner = ''] = path.split('/')
    const where = `${webUrl}/settings/installations, or ${webUrl}/organizations/${owner}/settings/installations`
    return `Let the installation of the GitHub App cover ${path}, and accept the permissions that it asks for: ${where}.`
  }
  return forge === 'github' ? grantOnGitHub(right, place) : renew(credential, place)
}

const confirmHost =
  'Compare this key with the one that the host publishes. If they are the same, enter it as the new key of the host.'

/** The remedy for a token that cannot be changed or was refused: replace it with a new one. */
export function renew(credential: StoredCredential, place: Place | undefined): string {
  const command = setCommand(credential.project, credential)
  if (place) return `${newTokens[place.forge](place, credential.user)}, then: ${command}`
  return `Enter one that the host accepts: ${command}`
}

/** git may read what the API does not show: another forge runs there, or its API is elsewhere. */
export function findForge({ project }: StoredCredential, { apiUrl, path }: Place): string {
  const words = `The API at ${apiUrl} does not show ${path}, which git may read.`
  return `${words} If --forge or --api-url is wrong, leave it out: docent project credential set ${project} --token-file -`
}

function enterFirst(project: string, repository: string): string {
  const origin = originOf(repository)
  if (origin === undefined) return 'Let the user of the service write to the folder.'
  const forge = isSshOrigin(origin) ? undefined : knownForge(origin)
  const path = forge && pathOf(repository, origin)
  const command = firstCommand(project, origin)
  const web = httpsOf(repository)
  if (web !== undefined) {
    const change = `docent project update ${project} --repository ${web.address}`
    const words = `Over ssh, Docent keeps pull requests itself. For pull requests on ${forgeNames[web.forge]}, use https: ${change}`
    return `${words}. To stay with ssh, give the project a key: ${command}`
  }
  return forge && path
    ? `${newTokens[forge]({ webUrl: origin, path }, null)}, then: ${command}`
    : `Give the project a credential: ${command}`
}

const newTokens: Readonly<Record<ForgeKind, (where: Where, user: string | null) => string>> = {
  github: newTokenOfGitHub,
  gitlab: newTokenOfGitLab,
  gitea: newTokenOfGitea,
  bitbucket: newTokenOfBitbucket,
  azure: newTokenOfAzure,
}

/** The permissions of a fine-grained token can be changed. */
function grantOnGitHub(right: Right, { webUrl, path }: Where): string {
  const permission = { read: 'Contents: Read', push: 'Contents: Read and write', pullRequests: pulls }[right]
  return `Give the token "${permission}" for ${path}: ${webUrl}/settings/personal-access-tokens.`
}

const pulls = 'Pull requests: Read and write'
