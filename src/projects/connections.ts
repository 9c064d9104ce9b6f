// Connects a project or a source with the host of its repository: the forge's API, and the credential that git sends. All is
// read from the database at each request, so a credential that was replaced counts at once, in every process. Tokens of
// a GitHub App are kept in memory until ten minutes before they expire.

import type { ForgeHost, ForgeKind, TokenSource, TokenUse } from '../forge/host.ts'
import type { CredentialRequest, GitCredential } from '../git/types.ts'
import type { Clock } from '../lib/clock.ts'
import { Failure } from '../lib/failure.ts'
import type { Db } from '../postgres/types.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { keyOf, readCredential, secretOf, type StoredCredential } from './credentials.ts'
import { type Owner, readOwner } from './access/owners.ts'
import { gitUserOf, originOf, pathOf, type Place } from './places.ts'
import { deleteCommand, firstCommand, type SignIn, wordsOf } from './set-command.ts'

export type Installation = {
  readonly installationId: number
  readonly webUrl: string
  /** The repository to which the token is limited, such as `acme/docs`. */
  readonly path: string
  readonly use: TokenUse
}
export type MintedToken = { readonly token: string; readonly expiresAt: Date }

/** `account`: null if it is not known. */
type SignedIn = Pick<SignIn, 'installationId' | 'user'> & {
  readonly account: string | null
  readonly use: TokenUse
}

export type ConnectionsContext = {
  readonly db: Db
  readonly secrets: Secrets
  readonly clock: Pick<Clock, 'now'>
  readonly openHost: (place: Place, token: TokenSource, signedIn: SignedIn) => ForgeHost
  /** Asks the GitHub App of this host for a token of the installation. */
  readonly mintToken: (installation: Installation, signal: AbortSignal) => Promise<MintedToken>
}

export type Connection = {
  /** null: the owner has no credential. */
  readonly kind: StoredCredential['kind'] | null
  readonly forge: ForgeKind | null
  /** Undefined: pull requests are Docent's own. */
  readonly host: ForgeHost | undefined
  /** Git sends it to the origin of the repository. `isRefused`: the host refused the one before. */
  readonly credential: (isRefused: boolean, signal: AbortSignal) => Promise<GitCredential | undefined>
}

export type Connections = {
  /**
   * Contacts no host. Throws `not_found` for an unknown owner, and `repository_unauthorized` when the repository is
   * not at the host for which the credential was entered.
   */
  of(ownerId: string, signal: AbortSignal): Promise<Connection>
  /**
   * Sets statuses of commits in the repository of the owner, with a token of a GitHub App that can do nothing else. Undefined: no
   * credential, or a host without an adapter. Throws as `of`.
   */
  statusesOf(ownerId: string, signal: AbortSignal): Promise<Pick<ForgeHost, 'setStatus'> | undefined>
  /** For the git engine, whose repositories have the ids of their owners. Another origin gets nothing. */
  credentialOf(ask: CredentialRequest, signal: AbortSignal): Promise<GitCredential | undefined>
}

/** A token with less time left is replaced, so that a token does not expire in the middle of a step. */
const leastMsLeft = 600_000

export function createConnections(context: ConnectionsContext): Connections {
  const tokens = new Map<string, Kept>()
  const git = async (ownerId: string, isRefused: boolean, signal: AbortSignal) => {
    const access = await readAccess(context.db, ownerId)
    return access && gitCredential(context, tokens, { ...access, isRefused }, signal)
  }
  const openHost = (access: OwnerAccess, use: TokenUse) => {
    const token: TokenSource = async (isRefused, signal) => {
      const now = (await readAccess(context.db, access.ownerId)) ?? replaced(access)
      const { apiUrl, user } = access.credential
      if (now.credential.apiUrl !== apiUrl || now.credential.user !== user) replaced(access)
      return tokenOf(context, tokens, { ...now, use, isRefused }, signal)
    }
    return access.place && context.openHost(access.place, token, { ...access.credential, use })
  }
  return {
    of: async (ownerId, signal) => {
      signal.throwIfAborted()
      const access = await readAccess(context.db, ownerId)
      if (!access) return { kind: null, forge: null, host: undefined, credential: () => Promise.resolve(undefined) }
      const { kind, forge } = access.credential
      const host = openHost(access, access.use)
      return { kind, forge, host, credential: (isRefused, signal) => git(ownerId, isRefused, signal) }
    },
    statusesOf: async (ownerId, signal) => {
      signal.throwIfAborted()
      const access = await readAccess(context.db, ownerId)
      return access && openHost(access, 'statuses')
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

type OwnerAccess = {
  readonly ownerId: string
  /** Files of a source are never written. */
  readonly use: TokenUse
  readonly origin: string
  readonly credential: StoredCredential
  /** Undefined: a host without an adapter. */
  readonly place: Place | undefined
}
type Ask = OwnerAccess & { readonly isRefused: boolean }

/** Undefined: no credential. */
async function readAccess(db: Db, ownerId: string): Promise<OwnerAccess | undefined> {
  const owner = await readOwner(db, ownerId)
  const credential = await readCredential(db, ownerId)
  if (!credential) return undefined
  const origin = originOf(owner.repository)
  if (origin === undefined || origin !== originOf(`${credential.webUrl}/`)) throw elsewhere(credential, origin)
  return {
    ownerId,
    use: owner.kind === 'source' ? 'reading' : 'jobs',
    origin,
    credential,
    place: placeOf(credential, owner),
  }
}

function placeOf(
  credential: StoredCredential,
  { repository, fork }: Pick<Owner, 'fork' | 'repository'>,
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
  if (kind === 'ssh') return keyOf(context.secrets, ask.ownerId, ask.credential)
  const username = forge === null ? (account ?? '') : gitUserOf(forge, user)
  const password = await tokenOf(context, tokens, ask, signal)
  // Minted now, or given again after a pause: see `createAppTokens`.
  return kind === 'github_app' && ask.isRefused ? { username, password, isYoung: true } : { username, password }
}

async function tokenOf(
  { secrets, clock, mintToken }: ConnectionsContext,
  tokens: Map<string, Kept>,
  { ownerId, use, credential, place, isRefused }: Ask,
  signal: AbortSignal,
): Promise<string> {
  const { installationId, updatedAt, webUrl } = credential
  if (installationId === null || !place) return secretOf(secrets, ownerId, credential)
  const version = `${updatedAt} ${place.path}`
  const key = `${use} ${ownerId}`
  const kept = tokens.get(key)
  const isGood = kept?.version === version && kept.expiresAt.getTime() - clock.now().getTime() >= leastMsLeft
  if (kept && isGood && !isRefused) return kept.token
  const minted = await mintToken({ installationId, webUrl, path: place.path, use }, signal)
  tokens.set(key, { ...minted, version })
  return minted.token
}

function elsewhere({ webUrl, named }: StoredCredential, origin: string | undefined): Failure {
  const words = `The credential of ${wordsOf(named)} is for ${webUrl}, and the repository is elsewhere.`
  if (origin === undefined) return new Failure('repository_unauthorized', `${words} Delete it: ${deleteCommand(named)}`)
  return new Failure('repository_unauthorized', `${words} Enter the one of its host: ${firstCommand(named, origin)}`)
}

function replaced({ credential }: OwnerAccess): never {
  const whose = wordsOf(credential.named)
  throw new Failure('repository_unauthorized', `The credential of ${whose} was replaced or deleted meanwhile.`)
}
