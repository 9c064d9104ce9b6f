// Where to grant a right that is missing, as a sentence for the person who can. Used when the forge itself says nothing
// better.

import type { ForgeKind, Right } from '../../forge/host.ts'
import type { StoredCredential } from '../credentials.ts'
import type { Place } from '../places.ts'

/** The words for a missing right. */
export const lacks: Readonly<Record<Right, string>> = {
  read: 'may not read the repository',
  push: 'may not push branches',
  pullRequests: 'may not open pull requests',
}

/** `place`: undefined without a forge. */
export function remedyFor(
  right: Right,
  credential: Pick<StoredCredential, 'kind' | 'account'> | undefined,
  place: Place | undefined,
): string {
  if (!credential) return 'Give the project a credential: docent project credential set.'
  if (credential.kind === 'ssh') return 'Give the key this right at the host of the repository.'
  if (!place) return `Give the user ${credential.account ?? ''} this right at the host of the repository.`
  const { webUrl, path } = place
  if (credential.kind === 'github_app') {
    const [owner = ''] = path.split('/')
    const where = `${webUrl}/settings/installations, or ${webUrl}/organizations/${owner}/settings/installations`
    return `Let the installation of the GitHub App cover ${path}, and accept the permissions that it asks for: ${where}.`
  }
  return remediesOfTokens[place.forge](right, place)
}

const remediesOfTokens: Readonly<Record<ForgeKind, (right: Right, place: Place) => string>> = {
  github: (right, { webUrl, path }) => {
    const grant = { read: '"Contents: Read"', push: '"Contents: Read and write"', pullRequests: pullsOfGitHub }[right]
    return `Give the token ${grant} for ${path}: ${webUrl}/settings/personal-access-tokens.`
  },
  gitlab: (right, { webUrl, path }) => {
    const role = right === 'read' ? 'Reporter' : 'Developer'
    return `Create a token with the role ${role} and the scopes api and write_repository: ${webUrl}/${path}/-/settings/access_tokens.`
  },
  gitea: (right, { webUrl, path }) => {
    const scope = right === 'read' ? 'read:repository' : 'write:repository'
    const rest = `and let its account write to the repository: ${webUrl}/${path}/settings/collaboration`
    return `Create a token with the scope ${scope} at ${webUrl}/user/settings/applications, ${rest}.`
  },
}

const pullsOfGitHub = '"Pull requests: Read and write"'
