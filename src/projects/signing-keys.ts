// The key with which the service signs the commits of a project: made here, encrypted like the credential that it belongs to,
// and never shown. People enter its public half at the forge, for the account of the credential.

import { createSigningKey, fingerprintOf, publicLineOf, signContent } from '../git/write/ssh-signature.ts'
import type { ForgeKind } from '../forge/host.ts'
import { Failure } from '../lib/failure.ts'
import type { Db } from '../postgres/types.ts'
import { type Secrets, SecretUnreadable } from '../secrets/secrets.ts'
import { type CredentialsContext, noCredential, type StoredCredential } from './credentials.ts'

export type SigningKey = {
  /** As the forge takes it: `ssh-ed25519 AAAA… docent`. */
  readonly publicKey: string
  readonly fingerprint: string
  /** Where to enter it; null: the host has no such page. */
  readonly page: string | null
}

const purpose = 'signing key'

/** Keeps the key that there is. Throws `not_found` without a credential, and `forge_refused` for a GitHub App. */
export async function makeSigningKey({ db, secrets }: CredentialsContext, projectId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('credentials')
      .select(['kind', 'signing_key'])
      .where('project_id', '=', projectId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw noCredential(projectId)
    if (row.kind === 'github_app') {
      throw new Failure('forge_refused', 'GitHub signs the commits of a GitHub App itself: it needs no key.')
    }
    if (row.signing_key !== null) return
    const set = { signing_key: secrets.encrypt(projectId, purpose, createSigningKey()) }
    await trx.updateTable('credentials').set(set).where('project_id', '=', projectId).execute()
  })
}

/** Succeeds without a key. Throws `not_found` without a credential. */
export async function deleteSigningKey(db: Db, projectId: string): Promise<void> {
  const query = db.updateTable('credentials').set({ signing_key: null }).where('project_id', '=', projectId)
  if (!(await query.returning('project_id').executeTakeFirst())) throw noCredential(projectId)
}

/** Returns the signature; undefined if the project has no key. Throws `repository_unauthorized` for a key that is lost. */
export async function signForProject(
  context: CredentialsContext,
  projectId: string,
  content: Uint8Array,
): Promise<string | undefined> {
  const key = await readKey(context, projectId)
  return key === undefined ? undefined : signContent(key, content)
}

/**
 * Signs the text with which Gitea and Forgejo ask for a proof that the owner of an account has the private half: they
 * verify no commit before. Throws `not_found` without a key.
 */
export async function proveSigningKey(context: CredentialsContext, projectId: string, text: string): Promise<string> {
  const key = await readKey(context, projectId)
  if (key === undefined) throw new Failure('not_found', 'The commits of the project are not signed.')
  return signContent(key, Buffer.from(text), 'gitea')
}

async function readKey({ db, secrets }: CredentialsContext, projectId: string): Promise<string | undefined> {
  const query = db.selectFrom('credentials').select('signing_key').where('project_id', '=', projectId)
  const key = (await query.executeTakeFirst())?.signing_key ?? null
  return key === null ? undefined : open(secrets, projectId, key)
}

/** Returns null without a key, or if it cannot be decrypted. */
export function showSigningKey(
  secrets: Secrets,
  projectId: string,
  { signingKey, forge, webUrl }: StoredCredential,
): SigningKey | null {
  if (signingKey === null) return null
  try {
    const key = open(secrets, projectId, signingKey)
    const path = forge === null ? null : pages[forge]
    const page = path === null ? null : `${webUrl}${path}`
    return { publicKey: publicLineOf(key, 'docent'), fingerprint: fingerprintOf(key), page }
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** On GitHub the key type is to be "Signing Key", on GitLab the usage "Signing". */
const pages: Readonly<Record<ForgeKind, string | null>> = {
  github: '/settings/ssh/new',
  gitlab: '/-/user_settings/ssh_keys',
  gitea: '/user/settings/keys',
  bitbucket: '/account/settings/ssh-keys/',
  // It verifies no signatures.
  azure: null,
}

function open(secrets: Secrets, projectId: string, value: string): string {
  try {
    return secrets.decrypt(projectId, purpose, value)
  } catch (cause) {
    if (!(cause instanceof SecretUnreadable)) throw cause
    const words = 'The signing key of the project cannot be decrypted with the key of this service. Make another'
    throw new Failure('repository_unauthorized', `${words}: docent project credential sign ${projectId} --new`, {
      cause,
    })
  }
}
