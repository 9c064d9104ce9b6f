// A host also refuses git with 401 or 403 while it is overloaded or restarted. Before a credential is blamed for that, the API
// of the forge is asked: only if it agrees is the refusal the last word.

import type { Access, ForgeHost, KnownRights } from '../../forge/host.ts'
import type { RepositoryAccess } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'

/** A refusal of a right or of the credential, and not of an archived repository. */
export function mayBeDoubted({ code }: RepositoryAccess): boolean {
  return code === 'repository_unauthorized' || code === 'forge_right_missing'
}

/** Returns undefined if the API refuses the credential that git's host refused, too. */
export async function askForge(
  host: ForgeHost | undefined,
  { git, known }: { readonly git: RepositoryAccess; readonly known: KnownRights },
  signal: AbortSignal,
): Promise<Access | undefined> {
  try {
    return await host?.access(known, signal)
  } catch (error) {
    const agrees = error instanceof Failure && error.code === 'repository_unauthorized' && git.code === error.code
    if (agrees) return undefined
    throw error
  }
}

/** GitHub's API does not show the rights of a fine-grained token: there, words of git's host that name a right decide. */
export function contradicts({ rights }: Access, git: RepositoryAccess): boolean {
  if (rights.read !== 'yes') return false
  return rights.push === 'yes' || (rights.push === 'unknown' && git.isUnexplained === true)
}

/** May be tried again. */
export function passingRefusal({ detail }: RepositoryAccess): Failure {
  const message = 'The host refuses git, and its API says that the credential has the right. This usually passes.'
  return new Failure('repository_unreachable', `${message} Git was answered: ${detail}`)
}
