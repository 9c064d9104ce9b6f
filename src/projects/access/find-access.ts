// Asks git's host and the forge for the rights of a project's credential, and words what is missing.

import {
  type Access,
  type AccountFacts,
  type ForgeHost,
  type ForgeKind,
  type KnownRights,
  type Right,
  rights as allRights,
} from '../../forge/host.ts'
import type { Git, RepositoryAccess } from '../../git/types.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import type { Connections } from '../connections.ts'
import { type Checked, type CredentialsContext, readCredential, type StoredCredential } from '../credentials.ts'
import { pathOf, type Place } from '../places.ts'
import { type ProjectOwner, readProjectOwner } from './owners.ts'
import type { PublishReport } from './dry-publish.ts'
import { findForge, remedyFor, renew } from './remedies.ts'
import { askForge, contradicts, mayBeDoubted, passingRefusal } from './second-opinion.ts'

export type AccessContext = CredentialsContext & {
  readonly connections: Connections
  readonly git: Pick<Git, 'identity' | 'repository' | 'source'>
  readonly clock: Pick<Clock, 'now'>
}

/** The results of a check. */
export type AccessReport = Omit<Checked, 'facts'> &
  Pick<Access, 'account' | 'expiresAt'> & {
    /** null: pull requests are Docent's own. */
    readonly forge: ForgeKind | null
    /** The kind of the credential that was used; null: the project has no credential. */
    readonly credential: StoredCredential['kind'] | null
    /** As `Access.off`. */
    readonly off: readonly string[]
    /** Whether the rules of the repository let a job push. */
    readonly rules: PublishReport
    /** The branch that jobs start from; null if it could not be read. */
    readonly base: { readonly branch: string; readonly commit: string } | null
  }

export type Subject = {
  readonly owner: ProjectOwner
  readonly credential: StoredCredential | undefined
  /** Rights that need not be probed by a write. */
  readonly known: KnownRights
}

/** Throws `not_found`. */
export async function readSubject({ db }: Pick<AccessContext, 'db'>, projectId: string): Promise<Subject> {
  const owner = await readProjectOwner(db, projectId)
  return { owner, credential: await readCredential(db, projectId), known: {} }
}

/** `code` is the error code of a run that needs the refused right. */
export type Findings = {
  readonly report: Omit<AccessReport, 'base' | 'credential' | 'rules'>
  readonly code: RepositoryAccess['code']
  readonly facts: AccountFacts | undefined
}

/** Throws what git and the forge throw when they cannot say. */
export async function findAccess(context: AccessContext, subject: Subject, signal: AbortSignal): Promise<Findings> {
  const { owner, credential, known } = subject
  const { id, repository, fork } = owner
  const { host } = await context.connections.of(id, signal)
  const forge = host ? (credential?.forge ?? null) : null
  // If the App cannot mint a token, git has nothing to sign in with.
  const app = credential?.kind === 'github_app' ? await host?.access(known, signal) : undefined
  if (app && app.missing.length > 0) {
    const missing = app.missing.map(({ right, remedy }) => ({ right, remedy }))
    const { account, rights, expiresAt } = app
    const report = { account, rights, expiresAt, missing, off: [], forge, problem: null }
    return { report, code: null, facts: undefined }
  }
  const probe = () => context.git.repository(id, repository, fork).probeAccess(signal)
  const first = await probe()
  const isDoubtful = credential !== undefined && mayBeDoubted(first)
  const git = isDoubtful && !host ? await probe() : first
  if (git.read === 'yes') await checkFork(subject, host, signal)
  const hosted = app ?? (git.read === 'yes' || isDoubtful ? await askForge(host, { git, known }, signal) : undefined)
  if (isDoubtful && hosted && contradicts(hosted, git)) throw passingRefusal(git)
  const push = git.push === 'unknown' ? (hosted?.rights.push ?? git.push) : git.push
  const rights = { read: git.read, push, pullRequests: pullRights(host, hosted) }
  const missing = findMissing(subject, { rights, hosted, git, mayFork: host?.forks !== undefined && fork === null })
  // If only a right is missing, the remedy explains it better.
  const problem = git.code === null || git.code === 'forge_right_missing' ? null : git.detail
  const { account = null, expiresAt = null, off = [], facts } = hosted ?? {}
  return { report: { account, rights, missing, off, problem, expiresAt, forge }, code: git.code, facts }
}

/** The fork is asked about each time: its owner may change who can see it. */
async function checkFork(
  { owner: { fork }, credential }: Subject,
  host: ForgeHost | undefined,
  signal: AbortSignal,
): Promise<void> {
  const path = fork === null ? undefined : pathOf(fork, credential?.webUrl ?? '')
  if (fork === null) return
  if (!host?.forks || path === undefined) throw new Failure('forge_right_missing', unusableFork(fork))
  await host.forks.check(path, signal)
}

function unusableFork(fork: string): string {
  return `The credential of the project cannot be used with its fork ${fork}. Enter a token, or leave the fork.`
}

type Found = Pick<Access, 'rights'> & {
  readonly hosted: Access | undefined
  readonly git: RepositoryAccess
  readonly mayFork: boolean
}

function findMissing(subject: Subject, found: Found): AccessReport['missing'] {
  const { rights, mayFork } = found
  const isForkable = mayFork && rights.read === 'yes'
  return missingRights(subject, found).map(({ right, remedy }) => ({
    right,
    remedy: right === 'push' && isForkable ? orFork(remedy, subject.owner.named.project) : remedy,
  }))
}

/** A remedy ends with a full stop, or with a command. */
function orFork(remedy: string, project: string): string {
  return `${remedy}${remedy.endsWith('.') ? ' Or' : '; or'} work in a fork: docent project fork ${project}`
}

function missingRights(subject: Subject, { rights, hosted, git }: Found): AccessReport['missing'] {
  const place = placeOf(subject)
  return allRights.flatMap((right) => {
    if (rights[right] !== 'no') return []
    const said = hosted?.missing.find((one) => one.right === right)
    const isHidden = hosted?.rights.read === 'no' && rights.read === 'yes'
    if (place && subject.credential && isHidden) return [{ right, remedy: findForge(subject.credential, place) }]
    if (!said) return [{ right, remedy: remedyFor({ ...subject, right, place, git }) }]
    const needsNew = said.needsNewToken && subject.credential
    return [{ right, remedy: needsNew ? renew(needsNew, place) : said.remedy }]
  })
}

/** Docent's own pull requests need no right. */
function pullRights(host: ForgeHost | undefined, hosted: Access | undefined): Access['rights'][Right] {
  if (!host) return 'yes'
  return hosted?.rights.pullRequests ?? 'unknown'
}

function placeOf({ credential, owner: { repository } }: Subject): Place | undefined {
  if (!credential?.forge || credential.apiUrl === null) return undefined
  const { forge, webUrl, apiUrl } = credential
  const path = pathOf(repository, webUrl)
  return path === undefined ? undefined : { forge, webUrl, apiUrl, path }
}
