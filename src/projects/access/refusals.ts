// Handles a refusal by the host during a run or a check of a pull request: checks the rights again, so that the stored
// result of the credential is current, and adds the remedy to the failure.

import { isHttpRefusal } from '../../git/transport/errors.ts'
import { violationsOf } from '../../lib/push-rules/rule-violations.ts'
import { judgedOf } from './dry-publish.ts'
import { readSubject } from './find-access.ts'
import { keepLearned, toRule } from './learned.ts'
import { Failure, type FailureCode } from '../../lib/failure.ts'
import { type Checked, readCredential, storeCheck } from '../credentials.ts'
import { type AccessContext, recheckAccess } from './access.ts'

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
  await learn(context, projectId, error, signal).catch(() => undefined)
  if (!(error instanceof Failure) || !refusals.includes(error.code) || signal.aborted) return error
  try {
    return await explain(context, projectId, error, signal)
  } catch {
    return error
  }
}

/** Keeps the rules by which the host refused a push. */
async function learn(context: AccessContext, projectId: string, error: unknown, signal: AbortSignal): Promise<void> {
  const violations = violationsOf(error)
  if (violations.length === 0) return
  const { owner, credential } = await readSubject(context, projectId)
  const { host } = await context.connections.of(projectId, signal)
  const judged = judgedOf({
    columns: owner.columns,
    service: context.git.identity,
    host,
    hasKey: Boolean(credential?.signingKey),
  })
  const rules = violations.map((violation) => toRule(violation, judged)).filter((rule) => rule !== undefined)
  await keepLearned(context.db, projectId, rules)
}

async function explain(context: AccessContext, projectId: string, error: Failure, signal: AbortSignal) {
  const credential = await readCredential(context.db, projectId)
  if (!credential) return error
  const mayPass = isHttpRefusal(error)
  const { checked } = credential
  if (checked && findsFault(checked) && !(mayPass && checked.missing.length === 0)) return withRemedy(error, checked)
  const found = await recheck(context, projectId, signal)
  if (found instanceof Failure) return mayPass ? found : error
  if (findsFault(found)) return withRemedy(error, found)
  if (mayPass) return new Failure('repository_unreachable', `${passed} ${error.message}`, { cause: error })
  // Some rules take effect only when an action is tried.
  await storeCheck(
    context.db,
    { ownerId: projectId, updatedAt: credential.updatedAt },
    { ...found, problem: error.message },
  )
  return error
}

const passed = 'The host refused git for a moment, and a check finds that the credential has all rights.'

/** Returns a failure that may pass. */
async function recheck(context: AccessContext, projectId: string, signal: AbortSignal) {
  return await recheckAccess(context, projectId, signal).catch((error: unknown) => {
    if (error instanceof Failure && error.mayRetry) return error
    throw error
  })
}

function withRemedy(error: Failure, { missing: [first] }: Checked): Failure {
  const remedy = first?.remedy
  if (remedy === undefined || error.message.includes(remedy)) return error
  return new Failure(error.code, `${error.message} ${remedy}`, { cause: error })
}

function findsFault({ missing, problem }: Checked): boolean {
  return missing.length > 0 || problem !== null
}
