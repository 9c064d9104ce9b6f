// Handles a refusal by the host during a run or a check of a pull request: checks the rights again, so that the stored
// result of the credential is current, and adds the remedy to the failure.

import { Failure, type FailureCode } from '../../lib/failure.ts'
import { type Checked, readCredential, storeCheck } from '../credentials.ts'
import { type AccessContext, examineAccess } from './access.ts'

const refusals: readonly FailureCode[] = [
  'repository_unauthorized',
  'forge_right_missing',
  'repository_archived',
  'repository_moved',
]

/**
 * Returns the error for the caller to throw. A check that has found fault since the credential was entered stays, so a
 * host that refuses again and again is not asked each time. Never throws.
 */
export async function explainRefusal(
  context: AccessContext,
  projectId: string,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof Failure) || !refusals.includes(error.code) || signal.aborted) return error
  try {
    return await explain(context, projectId, error, signal)
  } catch {
    return error
  }
}

async function explain(context: AccessContext, projectId: string, error: Failure, signal: AbortSignal) {
  const credential = await readCredential(context.db, projectId)
  if (!credential) return error
  if (credential.checked && findsFault(credential.checked)) return withRemedy(error, credential.checked)
  const found = await examineAccess(context, projectId, signal)
  if (!findsFault(found)) {
    // Some rules take effect only when an action is tried.
    await storeCheck(context.db, { projectId, updatedAt: credential.updatedAt }, { ...found, problem: error.message })
    return error
  }
  return withRemedy(error, found)
}

function withRemedy(error: Failure, { missing: [first] }: Checked): Failure {
  const remedy = first?.remedy
  if (remedy === undefined || error.message.includes(remedy)) return error
  return new Failure(error.code, `${error.message} ${remedy}`, { cause: error })
}

function findsFault({ missing, problem }: Checked): boolean {
  return missing.length > 0 || problem !== null
}
