// Stores the credential of an owner, a project or a source: how the service signs in at the host of its repository. The
// secret is encrypted for the owner, and leaves this file only through `secretOf`. Contacts no host.

import { sql } from 'kysely'
import { Failure } from '../lib/failure.ts'
import type { Access, AccountFacts, ForgeKind, MissingRight } from '../forge/host.ts'
import type { KeyCredential } from '../git/types.ts'
import type { CredentialRow } from '../postgres/schema/secrets.ts'
import type { Db, Trx } from '../postgres/types.ts'
import { type Secrets, SecretUnreadable } from '../secrets/secrets.ts'
import { holdOwner, isSource } from './access/owners.ts'
import { hasOwnName, labelOf, type Named, setCommand, type SignIn, wordsOf } from './set-command.ts'

/**
 * `github_app`: an installation of a GitHub App of this service. `token`: a token of a forge. `basic`: user and password
 * for a host without an adapter. `ssh`: a private key, and the key that the host must have.
 */
export const credentialKinds = ['github_app', 'token', 'basic', 'ssh'] as const

type Addresses = { readonly webUrl: string; readonly apiUrl: string }

/** `webUrl`: the credential is only sent to its origin, and for a forge also to that of `apiUrl`. */
export type NewCredential =
  | (Addresses & { readonly kind: 'github_app'; readonly forge: 'github'; readonly installationId: number })
  | (Addresses & {
      readonly kind: 'token'
      readonly forge: ForgeKind
      readonly secret: string
      /** See `SignIn`. */
      readonly user?: string
    })
  | { readonly kind: 'basic'; readonly webUrl: string; readonly user: string; readonly secret: string }
  /** `webUrl`: `ssh://host`. */
  | { readonly kind: 'ssh'; readonly webUrl: string; readonly key: KeyCredential }

/** The results of the last check. `problem`: why it could not find all of it, as a sentence. */
export type Checked = Pick<Access, 'rights'> & {
  readonly missing: readonly Pick<MissingRight, 'right' | 'remedy'>[]
  readonly problem: string | null
  readonly facts?: AccountFacts | undefined
}

/** `probedAt`: when the right to open pull requests was last tried. */
export type StoredCheck = Checked & { readonly probedAt?: string | undefined }

export type StoredCredential = SignIn & {
  /** How commands name the owner. */
  readonly named: Named
  /** Encrypted; null for an installation. */
  readonly secret: string | null
  /** Encrypted; null: commits are not signed. */
  readonly signingKey: string | null
  readonly checked: StoredCheck | null
  readonly checkedAt: string | null
  readonly expiresAt: string | null
  /** Changes with every change of the credential, and with no check. */
  readonly updatedAt: string
}

export type CredentialsContext = { readonly db: Db; readonly secrets: Secrets }

const purpose = 'credential'

/** Replaces the credential of the owner, and forgets what was found about the one before. Throws `not_found`. */
export async function putCredential(
  { db, secrets }: CredentialsContext,
  ownerId: string,
  given: NewCredential,
): Promise<void> {
  const columns = {
    kind: given.kind,
    forge: 'forge' in given ? given.forge : null,
    web_url: given.webUrl,
    api_url: 'apiUrl' in given ? given.apiUrl : null,
    account: given.kind === 'basic' ? given.user : null,
    user_name: given.kind === 'token' ? (given.user ?? null) : null,
    secret: given.kind === 'github_app' ? null : secrets.encrypt(ownerId, purpose, textOf(given)),
    installation_id: given.kind === 'github_app' ? given.installationId : null,
    access: null,
    checked_at: null,
    expires_at: null,
    updated_at: new Date(),
  }
  await db.transaction().execute(async (trx) => {
    await holdOwner(trx, ownerId)
    const reference = isSource(ownerId) ? { source_id: ownerId } : { project_id: ownerId }
    await trx
      .insertInto('credentials')
      .values({ ...reference, ...columns, created_at: columns.updated_at })
      .onConflict((conflict) => conflict.column('owner').doUpdateSet({ ...columns, signing_key: keptKey }))
      .execute()
    await forgetCheck(trx, ownerId)
  })
}

/** The last check of a source was made with the credential before. */
async function forgetCheck(trx: Trx, ownerId: string): Promise<void> {
  if (isSource(ownerId)) await trx.updateTable('sources').set({ access: null }).where('id', '=', ownerId).execute()
}

/** A new token of the same host is most likely one of the same account, which knows the key. */
const keptKey = sql<string | null>`case when excluded.kind <> 'github_app' and credentials.web_url = excluded.web_url
  then credentials.signing_key end`

function textOf(given: Exclude<NewCredential, { kind: 'github_app' }>): string {
  return given.kind === 'ssh' ? JSON.stringify(given.key) : given.secret
}

/** Undefined: the owner has no credential. */
export async function readCredential(db: Db, ownerId: string): Promise<StoredCredential | undefined> {
  const row = await db
    .selectFrom('credentials')
    .leftJoin('sources', 'sources.id', 'credentials.source_id')
    .innerJoin('projects', (join) =>
      join.on('projects.id', '=', ({ fn }) => fn.coalesce('credentials.project_id', 'sources.project_id')),
    )
    .selectAll('credentials')
    .select(['projects.id', 'projects.name', hasOwnName.as('isUnique'), 'sources.name as source'])
    .where('owner', '=', ownerId)
    .executeTakeFirst()
  return row && toCredential(row, { project: labelOf(row), source: row.source })
}

/** Throws `not_found` when there is no credential. */
export async function deleteCredential(db: Db, ownerId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const query = trx.deleteFrom('credentials').where('owner', '=', ownerId).returning('owner')
    if (!(await query.executeTakeFirst())) throw noCredential(ownerId)
    await forgetCheck(trx, ownerId)
  })
}

export function noCredential(ownerId: string): Failure {
  return new Failure('not_found', `The ${isSource(ownerId) ? 'source' : 'project'} has no credential.`)
}

/** Stores what a check found, unless the credential has changed since `updatedAt`. */
export async function storeCheck(
  db: Db,
  { ownerId, updatedAt }: { readonly ownerId: string; readonly updatedAt: string },
  found: StoredCheck & { readonly account: string | null; readonly expiresAt: string | null },
): Promise<void> {
  const { account, expiresAt, rights, missing, problem, facts, probedAt } = found
  await db
    .updateTable('credentials')
    .set({
      access: JSON.stringify({ rights, missing, problem, facts, probedAt }),
      checked_at: new Date(),
      expires_at: expiresAt === null ? null : new Date(expiresAt),
      ...(account === null ? {} : { account }),
    })
    .where('owner', '=', ownerId)
    .where('updated_at', '=', new Date(updatedAt))
    .execute()
}

/** Throws `repository_unauthorized` when the key with which the service encrypted it is missing. */
export function secretOf(secrets: Secrets, ownerId: string, credential: StoredCredential): string {
  const { secret } = credential
  if (secret === null) throw new Failure('internal', 'An installation of a GitHub App has no secret of its own.')
  try {
    return secrets.decrypt(ownerId, purpose, secret)
  } catch (cause) {
    if (cause instanceof SecretUnreadable) throw unreadable(credential, cause)
    throw cause
  }
}

/** For the kind `ssh`. */
export function keyOf(secrets: Secrets, ownerId: string, credential: StoredCredential): KeyCredential {
  return JSON.parse(secretOf(secrets, ownerId, credential)) as KeyCredential
}

function unreadable(credential: StoredCredential, cause: SecretUnreadable): Failure {
  const { named } = credential
  const words = `The credential of ${wordsOf(named)} cannot be decrypted with the key of this service. Enter it again`
  return new Failure('repository_unauthorized', `${words}: ${setCommand(named, credential)}`, { cause })
}

/** Explains why the stored secret cannot be used, or returns null. */
export function secretProblem(secrets: Secrets, ownerId: string, credential: StoredCredential): string | null {
  if (credential.secret === null) return null
  try {
    secretOf(secrets, ownerId, credential)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

function toCredential(row: CredentialRow, named: Named): StoredCredential {
  if (row.web_url === null) {
    throw new Failure(
      'repository_unauthorized',
      `The credential of ${wordsOf(named)} is of a kind that this release cannot use.`,
    )
  }
  return {
    named,
    kind: row.kind,
    forge: row.forge,
    webUrl: row.web_url,
    apiUrl: row.api_url,
    account: row.account,
    user: row.user_name,
    installationId: row.installation_id,
    secret: row.secret,
    signingKey: row.signing_key,
    checked: row.access === null ? null : (JSON.parse(row.access) as StoredCheck),
    checkedAt: row.checked_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
  }
}
