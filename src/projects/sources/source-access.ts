// Finds out whether the service may read a source, under the credential of the source or without one. Nothing else is asked of
// the host: a source is never written. The result is stored with the source, and with its credential.

import { sql } from 'kysely'
import type { Access, ForgeHost, ForgeKind, MissingRight } from '../../forge/host.ts'
import type { RepositoryAccess } from '../../git/types.ts'
import { Failure, toFailure } from '../../lib/failure.ts'
import { type Checked, readCredential, storeCheck, type StoredCredential } from '../credentials.ts'
import { readSourceOwner, type SourceOwner } from '../access/owners.ts'
import { pathOf, type Place } from '../places.ts'
import type { AccessContext } from '../access/find-access.ts'
import { remedyFor } from '../access/remedies.ts'
import { passingRefusal } from '../access/second-opinion.ts'

/** The results of a check of a source. */
export type SourceAccess = {
  readonly read: Access['rights']['read']
  /** null: the host does not name it. */
  readonly account: string | null
  readonly forge: ForgeKind | null
  /** The kind of the credential that was used; null: the source has no credential. */
  readonly credential: StoredCredential['kind'] | null
  /** At most one: the right to read. */
  readonly missing: readonly Pick<MissingRight, 'right' | 'remedy'>[]
  /** Why it cannot be read, or could not be checked, as a sentence. */
  readonly problem: string | null
  readonly expiresAt: string | null
  /** The branch that is read; null if it could not be found. */
  readonly base: { readonly branch: string; readonly commit: string } | null
  readonly checkedAt: string
}

type Subject = { readonly owner: SourceOwner; readonly credential: StoredCredential | undefined }
type Found = Omit<SourceAccess, 'base' | 'checkedAt' | 'credential' | 'forge'>

const deadlineMs = 20_000

/**
 * Checks the right to read and the branch, and stores the result. An obstacle to the check is part of it, as is a host that
 * does not respond within 20 seconds. Throws `not_found`, and the reason of `signal`.
 */
export async function examineSource(
  context: AccessContext,
  sourceId: string,
  signal: AbortSignal,
): Promise<SourceAccess> {
  const subject = await readSubject(context, sourceId)
  const access = await inspect(context, subject, signal)
  await keep(context, subject, access)
  return access
}

/** As `examineSource`, and stores nothing. */
export async function inspectSource(
  context: AccessContext,
  sourceId: string,
  signal: AbortSignal,
): Promise<SourceAccess> {
  return await inspect(context, await readSubject(context, sourceId), signal)
}

async function readSubject({ db }: AccessContext, sourceId: string): Promise<Subject> {
  return { owner: await readSourceOwner(db, sourceId), credential: await readCredential(db, sourceId) }
}

async function inspect(context: AccessContext, subject: Subject, signal: AbortSignal): Promise<SourceAccess> {
  const deadline = AbortSignal.timeout(deadlineMs)
  const both = AbortSignal.any([signal, deadline])
  const { credential } = subject
  const shared = {
    forge: credential?.forge ?? null,
    credential: credential?.kind ?? null,
    checkedAt: context.clock.now().toISOString(),
  }
  try {
    const found = await findRead(context, subject, both)
    const based = found.read === 'yes' ? await findBase(context, subject.owner, both) : noBase
    return { ...shared, ...found, ...based, problem: found.problem ?? based.problem }
  } catch (error) {
    signal.throwIfAborted()
    const problem = deadline.aborted ? 'The host did not respond within 20 seconds.' : toFailure(error).message
    return { ...shared, ...unknown, ...noBase, problem }
  }
}

const unknown = { read: 'unknown', account: null, missing: [], expiresAt: null } as const
const noBase = { base: null, problem: null } as const

/** Throws what git and the forge throw when they cannot say. */
async function findRead(context: AccessContext, subject: Subject, signal: AbortSignal): Promise<Found> {
  const { owner, credential } = subject
  const { host } = await context.connections.of(owner.id, signal)
  // If the App cannot mint a token, git has nothing to sign in with.
  const app = credential?.kind === 'github_app' ? await ask(host, signal) : undefined
  if (app && app.rights.read === 'no') {
    const missing = app.missing.flatMap(({ right, remedy }) => (right === 'read' ? [{ right, remedy }] : []))
    return { read: 'no', account: app.account, missing, problem: null, expiresAt: null }
  }
  const git = await context.git.source(owner.id, owner.repository).probeRead(signal)
  if (git.read === 'no') return await refuse(subject, { git, host }, signal)
  const { account, expiresAt } = app ?? (await findAccount(host, signal))
  return { read: 'yes', account, missing: [], problem: null, expiresAt }
}

/** The right to open pull requests is not probed if it is known: nothing is asked that only a write shows. */
function ask(host: ForgeHost | undefined, signal: AbortSignal): Promise<Access> | undefined {
  return host?.access({ pullRequests: 'yes' }, signal)
}

type Refused = { readonly git: RepositoryAccess; readonly host: ForgeHost | undefined }

/** A host may refuse git while it is overloaded: if the API of the forge shows the repository, that passes. */
async function refuse({ owner, credential }: Subject, { git, host }: Refused, signal: AbortSignal): Promise<Found> {
  if (credential && git.isUnexplained && (await isShown(host, signal))) throw passingRefusal(git)
  const place = placeOf(owner, credential)
  const remedy = remedyFor({ right: 'read', owner, credential, place, git })
  return { ...unknown, read: 'no', missing: [{ right: 'read', remedy }], problem: git.detail }
}

async function isShown(host: ForgeHost | undefined, signal: AbortSignal): Promise<boolean> {
  try {
    return (await ask(host, signal))?.rights.read === 'yes'
  } catch (error) {
    // It refuses the credential, too.
    if (error instanceof Failure && error.code === 'repository_unauthorized') return false
    throw error
  }
}

/** Whose token it is, and until when, as far as the forge says. A token for git alone may not ask. */
async function findAccount(
  host: ForgeHost | undefined,
  signal: AbortSignal,
): Promise<Pick<Access, 'account' | 'expiresAt'>> {
  try {
    return (await ask(host, signal)) ?? unknown
  } catch (error) {
    if (error instanceof Failure) return unknown
    throw error
  }
}

async function findBase(
  context: AccessContext,
  { id, repository, branch }: SourceOwner,
  signal: AbortSignal,
): Promise<Pick<SourceAccess, 'base' | 'problem'>> {
  const found = await context.git.source(id, repository).probe(branch, signal)
  if (found.branch !== null && found.commit !== null) {
    return { base: { branch: found.branch, commit: found.commit }, problem: null }
  }
  const missing = branch === null ? 'has no default branch yet' : `has no branch ${branch}`
  return { base: null, problem: `The repository ${missing}: push a first commit, or change the branch of the source.` }
}

function placeOf({ repository }: SourceOwner, credential: StoredCredential | undefined): Place | undefined {
  if (!credential?.forge || credential.apiUrl === null) return undefined
  const { forge, webUrl, apiUrl } = credential
  const path = pathOf(repository, webUrl)
  return path === undefined ? undefined : { forge, webUrl, apiUrl, path }
}

/** Nothing is stored with a source or a credential that changed meanwhile. */
async function keep({ db }: AccessContext, { owner, credential }: Subject, access: SourceAccess): Promise<void> {
  const used = credential ? new Date(credential.updatedAt) : null
  await db
    .updateTable('sources')
    .set({ access: JSON.stringify(access) })
    .where('id', '=', owner.id)
    .where('repository', '=', owner.repository)
    .where('branch', 'is not distinct from', owner.branch)
    .where(sql<boolean>`(select updated_at from credentials where owner = sources.id) is not distinct from ${used}`)
    .execute()
  if (!credential) return
  const { read, missing, problem, account, expiresAt } = access
  const rights = { read, push: 'unknown', pullRequests: 'unknown' } as const satisfies Checked['rights']
  const found = { rights, missing, problem, account, expiresAt }
  await storeCheck(db, { ownerId: owner.id, updatedAt: credential.updatedAt }, found)
}
