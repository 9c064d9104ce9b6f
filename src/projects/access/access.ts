// Finds out what the service may do with the repository of a project: git checks whether it may read and push, the forge
// whether it may open pull requests. Used when a credential or an address changes, by `docent doctor`, and at the start of
// each run, before the model costs anything.

import { type Access, type AccountFacts, type KnownRights, rights as allRights } from '../../forge/host.ts'
import { commitSettingsOf, type PublicationColumns, pullSettingsOf, signOffProblem } from '../../forge/publication.ts'
import type { Repository } from '../../git/types.ts'
import { Failure, toFailure } from '../../lib/failure.ts'
import {
  type Checked,
  type CredentialsContext,
  readCredential,
  secretProblem,
  storeCheck,
  type StoredCredential,
} from '../credentials.ts'
import { type SigningKey, showSigningKey } from '../signing-keys.ts'
import { dryPublish, nothingJudged, type PublishReport, requirePublishable } from './dry-publish.ts'
import {
  type AccessContext,
  type AccessReport,
  findAccess,
  type Findings,
  readSubject,
  type Subject,
} from './find-access.ts'
import { lacks } from './remedies.ts'

export type { AccessContext, AccessReport } from './find-access.ts'

/** A credential with the result of the last check. Contains no secret. For a source, only the right to read is checked. */
export type CredentialReport = Pick<StoredCredential, 'forge' | 'webUrl' | 'apiUrl' | 'account' | 'installationId'> & {
  readonly kind: StoredCredential['kind']
  /** null until the first check. */
  readonly rights: Access['rights'] | null
  readonly missing: Checked['missing']
  /** Why it cannot be used, or not be checked whole, as a sentence; null: nothing is known against it. */
  readonly problem: string | null
  readonly expiresAt: string | null
  readonly checkedAt: string | null
  readonly updatedAt: string
  /** The public half of the key that signs commits; null: they are not signed. */
  readonly signingKey: SigningKey | null
}

const deadlineMs = 20_000
const unknown = { read: 'unknown', push: 'unknown', pullRequests: 'unknown' } as const

/** Contacts no host. Returns undefined if the owner has no credential. */
export async function reportCredential(
  { db, secrets }: CredentialsContext,
  ownerId: string,
): Promise<CredentialReport | undefined> {
  const credential = await readCredential(db, ownerId)
  if (!credential) return undefined
  const { kind, forge, webUrl, apiUrl, account, installationId, checked, expiresAt, checkedAt, updatedAt } = credential
  const lost = secretProblem(secrets, ownerId, credential)
  return {
    kind,
    forge,
    webUrl,
    apiUrl,
    account,
    installationId,
    // The last check says nothing any more when the secret is lost.
    rights: lost === null ? (checked?.rights ?? null) : null,
    missing: lost === null ? (checked?.missing ?? []) : [],
    problem: lost ?? checked?.problem ?? null,
    expiresAt,
    checkedAt,
    updatedAt,
    signingKey: showSigningKey(secrets, ownerId, credential),
  }
}

/** Like `inspectAccess`, but stores the result with the credential. */
export async function examineAccess(
  context: AccessContext,
  projectId: string,
  signal: AbortSignal,
): Promise<AccessReport> {
  const subject = await readSubject(context, projectId)
  const { report, facts } = await inspect(context, subject, signal)
  await keep(context, subject, { ...report, facts })
  return report
}

/** After a refusal: like `examineAccess`, but throws what may pass, and does not store it. */
export async function recheckAccess(
  context: AccessContext,
  projectId: string,
  signal: AbortSignal,
): Promise<Findings['report']> {
  const subject = await readSubject(context, projectId)
  const both = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const { report } = await findAccess(context, subject, both).catch((error: unknown) => {
    if (error instanceof Failure && !error.mayRetry) return { report: nothingFound(subject, error.message) }
    throw error
  })
  await keep(context, subject, report)
  return report
}

/**
 * Checks the rights and the base branch. An obstacle to the check is part of the result, as is a host that does not
 * respond within 20 seconds. Throws `not_found`, and the reason of `signal`.
 */
export async function inspectAccess(
  context: AccessContext,
  projectId: string,
  signal: AbortSignal,
): Promise<AccessReport> {
  return (await inspect(context, await readSubject(context, projectId), signal)).report
}

type Inspected = { readonly report: AccessReport; readonly facts: AccountFacts | undefined }

async function inspect(context: AccessContext, subject: Subject, signal: AbortSignal): Promise<Inspected> {
  const deadline = AbortSignal.timeout(deadlineMs)
  const both = AbortSignal.any([signal, deadline])
  const credential = subject.credential?.kind ?? null
  const find = async () => {
    const { report, facts } = await findAccess(context, subject, both)
    const found = report.rights.read === 'no' ? unread : await findMore(context, subject, report, both)
    return { report: { ...report, credential, ...found }, facts }
  }
  return find().catch((error: unknown) => {
    signal.throwIfAborted()
    const problem = deadline.aborted ? 'The host did not respond within 20 seconds.' : toFailure(error).message
    return { report: { ...nothingFound(subject, problem), credential, ...unread }, facts: undefined }
  })
}

function nothingFound({ credential }: Subject, problem: string): Findings['report'] {
  const forge = credential?.forge ?? null
  return { account: null, rights: unknown, missing: [], off: [], expiresAt: null, forge, problem }
}

const unread = { base: null, rules: nothingJudged } as const

async function findMore(
  context: AccessContext,
  subject: Subject,
  report: Findings['report'],
  signal: AbortSignal,
): Promise<Pick<AccessReport, 'base' | 'problem' | 'rules'>> {
  const [based, rules] = await Promise.all([
    findBase(context, subject, report, signal),
    judgePublish(context, subject, signal),
  ])
  return { ...based, rules }
}

async function judgePublish(
  { db, connections, git }: AccessContext,
  { owner: { id: projectId, fork, columns }, credential }: Subject,
  signal: AbortSignal,
): Promise<PublishReport> {
  const { host } = await connections.of(projectId, signal)
  const hasKey = Boolean(credential?.signingKey)
  // The rules of the repository are not those of its fork, which the forge does not show.
  const shown = fork === null ? host : undefined
  return await dryPublish(db, { projectId, columns, service: git.identity, host: shown, hasKey }, signal)
}

async function findBase(
  context: AccessContext,
  { owner: { id, repository, fork, branch, columns } }: Subject,
  { problem }: Findings['report'],
  signal: AbortSignal,
): Promise<Pick<AccessReport, 'base' | 'problem'>> {
  const opened = context.git.repository(id, repository, fork)
  const [found, blocked] = await Promise.all([opened.probe(branch, signal), findBlocker(opened, columns, signal)])
  if (found.branch !== null && found.commit !== null) {
    return { base: { branch: found.branch, commit: found.commit }, problem: problem ?? blocked }
  }
  const missing = branch === null ? 'has no default branch yet' : `has no branch ${branch}`
  const words = `The repository ${missing}: push a first commit, or change the base branch of the project.`
  return { base: null, problem: problem ?? words }
}

/** A branch like `docent`, beside which no branch of a job can exist. */
async function findBlocker(
  repository: Repository,
  columns: PublicationColumns,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await repository.refuseBlocked(`${pullSettingsOf(columns).branchPrefix}job`, signal)
    return null
  } catch (error) {
    if (error instanceof Failure && error.code === 'forge_refused') return error.message
    throw error
  }
}

/**
 * For the start of a run; stores what it finds with the credential. Throws `repository_unauthorized`,
 * `repository_archived` and `forge_right_missing` with the right and its remedy, and what git and the forge throw when
 * they cannot say.
 */
export async function requireAccess(context: AccessContext, projectId: string, signal: AbortSignal): Promise<void> {
  const read = await readSubject(context, projectId)
  const subject = { ...read, known: recentlyFound(context, read) }
  const { report, code, facts } = await findAccess(context, subject, signal).catch(async (error: unknown) => {
    const isRefusal = error instanceof Failure && !error.meaning.retry
    if (isRefusal) await keep(context, subject, nothingFound(subject, error.message))
    throw error
  })
  await keep(context, subject, { ...report, facts })
  requireRights(subject, report, code)
  refuseSignOff(context, subject, { ...report, facts })
  requirePublishable(await judgePublish(context, subject, signal))
}

function requireRights({ credential }: Subject, report: Findings['report'], code: Findings['code']): void {
  const { rights, missing, problem } = report
  const lacking = allRights.find((right) => rights[right] === 'no')
  if (lacking === undefined) return
  const who = credential ? 'The credential of the project' : 'The service has no credential and'
  const remedy = missing.find(({ right }) => right === lacking)?.remedy ?? ''
  const itsCode = code ?? (lacking === 'read' ? 'repository_unauthorized' : 'forge_right_missing')
  throw new Failure(itsCode, `${problem ?? `${who} ${lacks[lacking]}.`} ${remedy}`)
}

/** Throws `forge_refused` if commits would be signed off in another name than that of the account that pushes them. */
function refuseSignOff(
  { git: { identity } }: AccessContext,
  { owner: { named, columns }, credential }: Subject,
  { account, facts }: Pick<Findings['report'], 'account'> & Pick<Findings, 'facts'>,
): void {
  const { signOff, author } = commitSettingsOf(columns)
  if (!signOff) return
  const kind = credential?.kind ?? null
  const problem = signOffProblem({ author: author ?? identity, kind, account, emails: facts?.emails })
  if (problem === null) return
  const remedy = `docent project update ${named.project} --sign-off no, or --commit-author 'NAME <E-MAIL>'`
  throw new Failure('forge_refused', `Commits can't be signed off: ${problem}. Change it: ${remedy}`)
}

/** A probe is a failed request to create something, of which hosts take few: one a day is enough for runs. */
const probeMs = 86_400_000

function recentlyFound({ clock }: AccessContext, { credential }: Subject): KnownRights {
  const { probedAt = null, rights } = credential?.checked ?? {}
  const age = probedAt === null ? Infinity : clock.now().getTime() - Date.parse(probedAt)
  return rights?.pullRequests === 'yes' && age >= 0 && age < probeMs ? { pullRequests: 'yes' } : {}
}

async function keep(
  { db, clock }: AccessContext,
  { owner, credential, known }: Subject,
  found: Findings['report'] & Pick<Checked, 'facts'>,
) {
  if (!credential) return
  const probedAt = known.pullRequests === 'yes' ? credential.checked?.probedAt : clock.now().toISOString()
  await storeCheck(db, { ownerId: owner.id, updatedAt: credential.updatedAt }, { ...found, probedAt })
}
