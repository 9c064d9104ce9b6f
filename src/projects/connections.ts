// Connects a project with the host of its repository: the forge's API, and the credential that git sends. Everything is
// read from the database at each request, so a credential that was replaced counts at once, in every process. Tokens of
// a GitHub App are kept in memory until ten minutes before they expire.

import type { ForgeHost, ForgeKind, TokenSource } from '../forge/host.ts'
import type { CredentialRequest, GitCredential } from '../git/types.ts'
import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import type { ProjectRow } from '../postgres/schema.ts'
import type { Db } from '../postgres/types.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { keyOf, readCredential, secretOf, type StoredCredential } from './credentials.ts'
import { gitUserOf, originOf, pathOf, type Place } from './places.ts'
import { firstCommand, type SignIn } from './set-command.ts'

export type Installation = {
  readonly installationId: number
  readonly webUrl: string
  /** The repository to which the token is limited, such as `acme/docs`. */
  readonly path: string
}
export type MintedToken = { readonly token: string; readonly expiresAt: Date }

/** `account`: null if it is not known. */
type SignedIn = Pick<SignIn, 'installationId' | 'user'> & { readonly account: string | null }

export type ConnectionsContext = {
  readonly db: Db
  readonly secrets: Secrets
  readonly clock: Pick<Clock, 'now'>
  readonly openHost: (place: Place, token: TokenSource, signedIn: SignedIn) => ForgeHost
  /** Asks the GitHub App of this host for a token of the installation. */
  readonly mintToken: (installation: Installation, signal: AbortSignal) => Promise<MintedToken>
}

export type Connection = {
  /** null: the project has no credential. */
  readonly kind: StoredCredential['kind'] | null
  readonly forge: ForgeKind | null
  /** Undefined: pull requests are Docent's own. */
  readonly host: ForgeHost | undefined
  /** Git sends it to the origin of the repository. `isRefused`: the host refused the one before. */
  readonly credential: (isRefused: boolean, signal: AbortSignal) => Promise<GitCredential | undefined>
}

export type Connections = {
  /**
   * Contacts no host. Throws `not_found` for an unknown project, and `repository_unauthorized` when the repository is
   * not at the host for which the credential was entered.
   */
  of(projectId: string, signal: AbortSignal): Promise<Connection>
  /** For the git engine, whose repositories have the ids of their projects. Another origin gets nothing. */
  credentialOf(ask: CredentialRequest, signal: AbortSignal): Promise<GitCredential | undefined>
}

/** A token with less time left is replaced, so that a token does not expire in the middle of a step. */
const leastMsLeft = 600_000

export function createConnections(context: ConnectionsContext): Connections {
  const tokens = new Map<string, Kept>()
  const git = async (projectId: string, isRefused: boolean, signal: AbortSignal) => {
    const access = await readAccess(context.db, projectId)
    return access && gitCredential(context, tokens, { ...access, isRefused }, signal)
  }
  return {
    of: async (projectId, signal) => {
      signal.throwIfAborted()
      const access = await readAccess(context.db, projectId)
      if (!access) return { kind: null, forge: null, host: undefined, credential: () => Promise.resolve(undefined) }
      const { kind, forge } = access.credential
      const token: TokenSource = async (isRefused, signal) => {
        const now = (await readAccess(context.db, projectId)) ?? replaced()
        const { apiUrl, user } = access.credential
        if (now.credential.apiUrl !== apiUrl || now.credential.user !== user) replaced()
        return tokenOf(context, tokens, { ...now, isRefused }, signal)
      }
      const host = access.place && context.openHost(access.place, token, access.credential)
      return { kind, forge, host, credential: (isRefused, signal) => git(projectId, isRefused, signal) }
    },
    credentialOf: async ({ id, origin, isRefused }, signal) => {
      const access = await readAccess(context.db, id)
      if (access?.origin !== origin) return undefined
      return gitCredential(context, tokens, { ...access, isRefused }, signal)
    },
  }
}

/** `version`: a token of another credential or repository is never used. */
type Kept = MintedToken & { readonly version: string }

type ProjectAccess = {
  readonly projectId: string
  readonly origin: string
  readonly credential: StoredCredential
  /** Undefined: a host without an adapter. */
  readonly place: Place | undefined
}
type Ask = ProjectAccess & { readonly isRefused: boolean }

/** Undefined: no credential. */
async function readAccess(db: Db, projectId: string): Promise<ProjectAccess | undefined> {
  const project = await db
    .selectFrom('projects')
    .select(['repository', 'fork'])
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (!project) throw new Failure('not_found', 'There is no such project.')
  const credential = await readCredential(db, projectId)
  if (!credential) return undefined
  const origin = originOf(project.repository)
  if (origin === undefined || origin !== originOf(`${credential.webUrl}/`)) throw elsewhere(credential, origin)
  return { projectId, origin, credential, place: placeOf(credential, project) }
}

function placeOf(
  credential: StoredCredential,
  { repository, fork }: Pick<ProjectRow, 'fork' | 'repository'>,
): Place | undefined {
  const { forge, webUrl, apiUrl } = credential
  if (forge === null || apiUrl === null) return undefined
  const path = pathOf(repository, webUrl)
  if (path === undefined) throw elsewhere(credential, originOf(repository))
  const forkPath = fork === null ? undefined : pathOf(fork, webUrl)
  return { forge, webUrl, apiUrl, path, ...(forkPath === undefined ? {} : { fork: forkPath }) }
}

async function gitCredential(
  context: ConnectionsContext,
  tokens: Map<string, Kept>,
  ask: Ask,
  signal: AbortSignal,
): Promise<GitCredential> {
  const { kind, forge, account, user } = ask.credential
  if (kind === 'ssh') return keyOf(context.secrets, ask.projectId, ask.credential)
  const username = forge === null ? (account ?? '') : gitUserOf(forge, user)
  const password = await tokenOf(context, tokens, ask, signal)
  // Minted now, or given again after a pause: see `createAppTokens`.
  return kind === 'github_app' && ask.isRefused ? { username, password, isYoung: true } : { username, password }
}

async function tokenOf(
  { secrets, clock, mintToken }: ConnectionsContext,
  tokens: Map<string, Kept>,
  { projectId, credential, place, isRefused }: Ask,
  signal: AbortSignal,
): Promise<string> {
  const { installationId, updatedAt, webUrl } = credential
  if (installationId === null || !place) return secretOf(secrets, projectId, credential)
  const version = `${updatedAt} ${place.path}`
  const kept = tokens.get(projectId)
  const isGood = kept?.version === version && kept.expiresAt.getTime() - clock.now().getTime() >= leastMsLeft
  if (kept && isGood && !isRefused) return kept.token
  const minted = await mintToken({ installationId, webUrl, path: place.path }, signal)
  tokens.set(projectId, { ...minted, version })
  return minted.token
}

function elsewhere({ webUrl, project }: StoredCredential, origin: string | undefined): Failure {
  const words = `The credential of the project is for ${webUrl}, and the repository is elsewhere.`
  if (origin === undefined) return new Failure('repository_unauthorized', `${words} Delete it: ${removal(project)}`)
  return new Failure('repository_unauthorized', `${words} Enter the one of its host: ${firstCommand(project, origin)}`)
}

function removal(project: string): string {
  return `docent project credential delete ${project}`
}

function replaced(): never {
  throw new Failure('repository_unauthorized', 'The credential of the project was replaced or deleted meanwhile.')
}
