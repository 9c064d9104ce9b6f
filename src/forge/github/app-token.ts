// Mints tokens of a GitHub App for one repository of an installation, with only the rights that their use needs.
// Knows nothing about projects or the storage of the App. A failure names the missing right, and where to grant it.

import { abortable } from '../../lib/abortable.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { type Access, type Right, rights, type TokenUse } from '../host.ts'
import { appRemedy } from './github.ts'
import type { AppApi, Installation, Minted, Permissions } from './app-api.ts'
import { answeringPermissions, lackingOf, logPermissions, readingPermissions } from './manifest/manifest.ts'

/** `needed`: without these there is no token. `wanted`: a token has them where they were granted. */
type Purpose = { readonly needed: Permissions; readonly wanted: Permissions; readonly rights: readonly Right[] }

/** For jobs. Never `workflows`: a workflow would run before anyone reviews it. */
const forJobs: Purpose = {
  needed: { contents: 'write', pull_requests: 'write', metadata: 'read' },
  wanted: { ...readingPermissions, ...answeringPermissions, ...logPermissions },
  rights,
}
const forReading: Purpose = {
  needed: { contents: 'read', metadata: 'read' },
  wanted: { pull_requests: 'read', issues: 'read' },
  rights: ['read'],
}
/** It can do nothing else, and reads no file. */
const forStatuses: Purpose = { needed: { statuses: 'write', metadata: 'read' }, wanted: {}, rights: ['read'] }

const purposes: Readonly<Record<TokenUse, Purpose>> = { jobs: forJobs, reading: forReading, statuses: forStatuses }

function purposeOf({ use }: AppTarget): Purpose {
  return purposes[use]
}

export type InstallationToken = { readonly token: string; readonly expiresAt: Date }

export type AppTarget = {
  readonly installationId: number
  /** `https://github.com`, without a trailing slash. */
  readonly webUrl: string
  /** `owner/name` */
  readonly path: string
  readonly use: TokenUse
}

export type AppTokens = {
  /**
   * Asks GitHub for a token. Callers keep it, and ask again before it expires or after a 401. Throws
   * `repository_unauthorized`, `forge_right_missing`, `forge_unavailable` and `forge_rate_limited`.
   */
  mint(target: AppTarget, signal: AbortSignal): Promise<InstallationToken>
  /** Returns the rights that a token would have. Throws `forge_unavailable`, `forge_rate_limited` and `repository_unauthorized`. */
  access(target: AppTarget, signal: AbortSignal): Promise<Access>
}

type Options = {
  /** The App of the host, as it is now. Throws `repository_unauthorized` when the service has no App there. */
  readonly openApp: (webUrl: string) => Promise<{ readonly api: AppApi; readonly slug: string }>
  readonly clock: Clock
}

/**
 * A part of GitHub may not know a token for some seconds: it says 401, and the token is good a moment later. So a young
 * token that was refused is given again, after a pause that grows.
 */
const pausesMs = [500, 1_000, 2_000, 4_000]
const youngMs = 10_000
/** How often a caller repeats a refused request. */
export const tokenRepeats = pausesMs.length

type Given = InstallationToken & { readonly at: number; refusals: number }

export function createAppTokens(options: Options): AppTokens {
  const { clock } = options
  const pending = new Map<string, Promise<Given>>()
  const last = new Map<string, Given>()
  const fresh = async (target: AppTarget, key: string) => {
    const before = last.get(key)
    const age = clock.now().getTime() - (before?.at ?? 0)
    const pause = before && age >= 0 && age < youngMs ? pausesMs[before.refusals] : undefined
    if (before && pause !== undefined) {
      before.refusals += 1
      await clock.sleep(pause)
      return before
    }
    const { token, expiresAt } = await mintFor(options, target)
    const given = { token, expiresAt, at: clock.now().getTime(), refusals: 0 }
    last.set(key, given)
    return given
  }
  return {
    mint: (target, signal) => {
      const key = JSON.stringify([target.webUrl, target.installationId, target.path, target.use])
      const started = pending.get(key) ?? fresh(target, key).finally(() => pending.delete(key))
      pending.set(key, started)
      return abortable(started, signal)
    },
    access: (target, signal) => findAccess(options, target, signal),
  }
}

/** Callers share a request, so no caller can abort it; the client has a deadline. */
const never = new AbortController().signal

async function mintFor({ openApp }: Options, target: AppTarget) {
  const { api } = await openApp(target.webUrl)
  const { minted } = await mintGranted(api, target, never)
  if (minted.kind === 'minted' && isFor(minted, target)) return minted
  throw await explain(api, target, minted)
}

type Granted = { readonly minted: Minted; readonly installation?: Installation; readonly lacking: readonly string[] }

/**
 * An installation that has not accepted the permissions to read gets a token without them: GitHub refuses a wish that
 * goes beyond what was granted.
 */
async function mintGranted(api: AppApi, target: AppTarget, signal: AbortSignal): Promise<Granted> {
  const repository = target.path.split('/').at(-1) ?? ''
  const mint = (permissions: Permissions) => api.mint(target.installationId, { repository, permissions }, signal)
  const { needed, wanted } = purposeOf(target)
  const minted = await mint({ ...needed, ...wanted })
  if (minted.kind !== 'refused') return { minted, lacking: [] }
  const installation = await api.installation(target.installationId, signal)
  const lacking = installation ? lackingOf(installation.permissions, wanted) : []
  if (!installation || lacking.length === 0) return { minted, lacking: [] }
  const granted = Object.entries(wanted).filter(([name]) => !lacking.includes(name))
  return { minted: await mint({ ...needed, ...Object.fromEntries(granted) }), installation, lacking }
}

/** As GitHub names them on its pages. */
const pageNames: Readonly<Record<string, string>> = {
  checks: 'Checks: Read-only',
  statuses: 'Commit statuses: Read-only',
  issues: 'Issues: Read and write',
  actions: 'Actions: Read-only',
}

const effects: Readonly<Record<string, string>> = {
  issues: 'Comments on issues are not answered',
  actions: 'Logs of failed checks are not read',
}

function toOff({ installation, lacking }: Granted): readonly string[] {
  return lacking.map((name) => {
    const where = installation?.settingsUrl ?? 'the page of its installation'
    const remedy = `Give the GitHub App the permission "${pageNames[name] ?? name}" in its settings, then accept it at ${where}`
    return `${effects[name] ?? `The ${name} of pull requests are not shown`}. ${remedy}.`
  })
}

/** GitHub selects repositories by name only, and the account of the installation may have another one with that name. */
function isFor(minted: Minted, { path }: AppTarget): boolean {
  if (minted.kind !== 'minted') return false
  return minted.repositories?.some(({ name }) => name.toLowerCase() === path.toLowerCase()) ?? true
}

async function explain(api: AppApi, target: AppTarget, minted: Minted): Promise<Failure> {
  const installation = await api.installation(target.installationId, never)
  const { missing } = judge(installation, target)
  const first = missing.find(({ right }) => right === 'read') ?? missing[0]
  const lacking = installation ? lackingOf(installation.permissions, purposeOf(target).needed) : []
  if (first)
    return new Failure(first.right === 'read' ? 'repository_unauthorized' : 'forge_right_missing', first.remedy)
  if (installation && target.use === 'statuses' && lacking.length > 0)
    return new Failure('forge_right_missing', appRemedy('statuses', installation.settingsUrl))
  const says = minted.kind === 'minted' ? '' : ` GitHub says: ${minted.words}`
  return new Failure('repository_unauthorized', addRepository(installation, target) + says)
}

async function findAccess({ openApp }: Options, target: AppTarget, signal: AbortSignal): Promise<Access> {
  const { api, slug } = await openApp(target.webUrl)
  const granted = await mintGranted(api, target, signal)
  const { minted } = granted
  const account = `${slug}[bot]`
  if (minted.kind === 'minted' && isFor(minted, target)) {
    const isPrivate = minted.repositories?.[0]?.isPrivate
    const facts = { isPublic: isPrivate === undefined ? undefined : !isPrivate }
    // Nothing is made yet of what the other permissions of a token for reading allow.
    const off = target.use === 'jobs' ? toOff(granted) : []
    return { account, rights: rightsOf(target, []), missing: [], off, expiresAt: null, facts }
  }
  const installation = await api.installation(target.installationId, signal)
  const found = judge(installation, target)
  if (found.missing.length > 0) return { account, ...found, expiresAt: null }
  // The permissions suffice, so the installation does not include the repository.
  return { account, ...nothing(target, addRepository(installation, target)), expiresAt: null }
}

const needs: Readonly<Record<Right, { readonly permission: string; readonly levels: readonly string[] }>> = {
  read: { permission: 'contents', levels: ['read', 'write'] },
  push: { permission: 'contents', levels: ['write'] },
  pullRequests: { permission: 'pull_requests', levels: ['write'] },
}

/** Finds the rights that the installation itself lacks, apart from its repositories. */
function judge(installation: Installation | undefined, target: AppTarget): Pick<Access, 'rights' | 'missing'> {
  if (!installation || installation.isSuspended) {
    return nothing(
      target,
      installation
        ? `The installation of the GitHub App is suspended: unsuspend it at ${installation.settingsUrl}.`
        : `The GitHub App has no installation ${target.installationId}: install it again (docent github installations lists them).`,
    )
  }
  const { permissions, settingsUrl } = installation
  const missing = purposeOf(target)
    .rights.filter((right) => !needs[right].levels.includes(permissions[needs[right].permission] ?? 'none'))
    .map((right) => ({ right, remedy: appRemedy(right, settingsUrl) }))
  return { rights: rightsOf(target, missing), missing }
}

function nothing(target: AppTarget, remedy: string): Pick<Access, 'rights' | 'missing'> {
  const missing = purposeOf(target).rights.map((right) => ({ right, remedy }))
  return { rights: rightsOf(target, missing), missing }
}

function rightsOf(target: AppTarget, missing: Access['missing']): Access['rights'] {
  const asked = purposeOf(target).rights
  const has = (right: Right) => {
    if (!asked.includes(right)) return 'unknown'
    return missing.some((one) => one.right === right) ? 'no' : 'yes'
  }
  return { read: has('read'), push: has('push'), pullRequests: has('pullRequests') }
}

function addRepository(installation: Installation | undefined, { path, webUrl }: AppTarget): string {
  const where = installation?.settingsUrl ?? `${webUrl}/settings/installations`
  return `Add ${path} to the repositories of the GitHub App's installation at ${where}.`
}
