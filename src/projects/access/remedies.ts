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
import type { Owner } from './owners.ts'
import { knownForge } from '../../forge/links/known-forge.ts'
import { httpsOf, isSshOrigin, originOf, pathOf, type Place } from '../places.ts'
import { firstCommand, setCommand, wordsOf } from '../set-command.ts'

/** Descriptions of missing rights. */
export const lacks: Readonly<Record<Right, string>> = {
  read: 'may not read the repository',
  push: 'may not push branches',
  pullRequests: 'may not open pull requests',
}

export type Lack = {
  readonly right: Right
  readonly owner: Pick<Owner, 'kind' | 'named' | 'repository'>
  readonly credential: StoredCredential | undefined
  /** undefined without a forge. */
  readonly place: Place | undefined
  readonly git: Pick<RepositoryAccess, 'isRefused' | 'isOtherHost'>
}

type Where = Pick<Place, 'webUrl' | 'path'>

export function remedyFor({ right, owner, credential, place, git }: Lack): string {
  if (!credential) return enterFirst(owner)
  const { kind, account, forge } = credential
  if (git.isRefused && (kind === 'token' || kind === 'basic')) return renew(credential, place)
  if (git.isOtherHost) return confirmHost
  const isReadOnly = owner.kind === 'source'
  if (kind === 'ssh') {
    return `Enter the public part of the key at the host, as a deploy key that may ${isReadOnly ? 'read' : 'write'}.`
  }
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
  const { named, user } = credential
  const command = setCommand(named, credential)
  if (place) return `${newTokens[place.forge](place, user, named.source !== null)}, then: ${command}`
  return `Enter one that the host accepts: ${command}`
}

/** git may read what the API does not show: another forge runs there, or its API is elsewhere. */
export function findForge({ named: { project } }: StoredCredential, { apiUrl, path }: Place): string {
  const words = `The API at ${apiUrl} does not show ${path}, which git may read.`
  return `${words} If --forge or --api-url is wrong, leave it out: docent project credential set ${project} --token-file -`
}

function enterFirst({ kind, named, repository }: Lack['owner']): string {
  const origin = originOf(repository)
  const isReadOnly = kind === 'source'
  if (origin === undefined) return `Let the user of the service ${isReadOnly ? 'read' : 'write to'} the folder.`
  const forge = isSshOrigin(origin) ? undefined : knownForge(origin)
  const path = forge && pathOf(repository, origin)
  const command = firstCommand(named, origin)
  const web = isReadOnly ? undefined : httpsOf(repository)
  if (web !== undefined) {
    const change = `docent project update ${named.project} --repository ${web.address}`
    const words = `Over ssh, Docent keeps pull requests itself. For pull requests on ${forgeNames[web.forge]}, use https: ${change}`
    return `${words}. To stay with ssh, give the project a key: ${command}`
  }
  return forge && path
    ? `${newTokens[forge]({ webUrl: origin, path }, null, isReadOnly)}, then: ${command}`
    : `Give ${wordsOf(named)} a credential: ${command}`
}

type NewToken = (where: Where, user: string | null, isReadOnly: boolean) => string
const newTokens: Readonly<Record<ForgeKind, NewToken>> = {
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
