// Stores this service's GitHub Apps, at most one per GitHub host. A project can use an installation of that App as its
// credential. The private key is stored encrypted and never shown.

import { z } from 'zod'
import {
  type AppApi,
  type AppDetails,
  createAppApi,
  type Installation,
  type OpenClient,
  type Permissions,
} from '../../forge/github/app-api.ts'
import { type AppIdentity, parsePrivateKey } from '../../forge/github/app-jwt.ts'
import type { AppSecrets } from '../../forge/github/manifest/manifest-code.ts'
import { appUrls, lackingOf, neededPermissions, readingPermissions } from '../../forge/github/manifest/manifest.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure, invalidInput } from '../../lib/failure.ts'
import { createId } from '../../lib/id.ts'
import type { ForgeAppRow } from '../../postgres/schema/secrets.ts'
import type { Db } from '../../postgres/types.ts'
import { type Secrets, SecretUnreadable } from '../../secrets/secrets.ts'
import { usualApiUrl } from '../places.ts'
import { findProjects, type ForgeApp, toForgeApp } from './forge-app.ts'
import { createAppCommand, setAppCommand } from './commands.ts'

export type ForgeAppsContext = {
  readonly db: Db
  readonly secrets: Secrets
  readonly clock: Clock
  /** The address of this service, without a trailing slash. */
  readonly publicUrl: string
  /** Normalises the address of a repository or throws `invalid_input`. Provided by the git engine. */
  readonly checkAddress: (address: string) => string
  readonly openClient: OpenClient
}

export type AppsContext = Pick<ForgeAppsContext, 'db' | 'secrets' | 'clock' | 'openClient'>

export type ForgeAppCheck = {
  /** The permissions that the App lacks, and how to grant each. */
  readonly missing: readonly { readonly permission: string; readonly remedy: string }[]
  readonly installations: readonly Installation[]
}

/** An App that exists on GitHub. */
export type ExistingApp = { readonly webUrl: string; readonly appId: number; readonly privateKey: string }

type AppToStore = {
  readonly id: string
  readonly webUrl: string
  readonly details: AppDetails
  readonly secrets: AppSecrets
}

const secretsSchema = z.object({
  privateKey: z.string(),
  webhookSecret: z.string().nullable(),
  clientId: z.string().nullable(),
  clientSecret: z.string().nullable(),
})

export async function listForgeApps(context: AppsContext): Promise<readonly ForgeApp[]> {
  const rows = await context.db.selectFrom('forge_apps').selectAll().orderBy('web_url').execute()
  const projects = await findProjects(context.db)
  return rows.map((row) => toForgeApp(row, problemOf(context, row), projects))
}

/** Deletes the App. Projects keep their installation ids, so they work again once the same App is stored. Throws `not_found`. */
export async function deleteForgeApp(db: Db, id: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('forge_apps').where('id', '=', id).executeTakeFirst()
  if (numDeletedRows === 0n) throw unknownApp()
}

/**
 * Stores an existing App after GitHub has accepted its key, and replaces the App on that host. If the App id is
 * unchanged, keeps the other stored secrets, provided they can be decrypted.
 */
export async function setForgeApp(
  context: ForgeAppsContext,
  given: ExistingApp,
  signal: AbortSignal,
): Promise<ForgeApp> {
  const webUrl = normaliseWebUrl(context, given.webUrl)
  const identity = { appId: given.appId, privateKey: parsePrivateKey(given.privateKey) }
  const details = await appApi(context, usualApiUrl('github', webUrl), identity).read(signal)
  const before = await context.db.selectFrom('forge_apps').selectAll().where('web_url', '=', webUrl).executeTakeFirst()
  const isSame = before?.app_id === details.appId && problemOf(context, before) === null
  const kept = isSame ? readSecrets(context, before) : undefined
  const secrets = { webhookSecret: null, clientId: null, clientSecret: null, ...kept, privateKey: given.privateKey }
  return storeForgeApp(context, { id: before?.id ?? createId('app'), webUrl, details, secrets })
}

/** Asks GitHub what the App may do and where it is installed. Throws `not_found`, and the errors of `AppApi`. */
export async function checkForgeApp(
  context: ForgeAppsContext,
  id: string,
  signal: AbortSignal,
): Promise<ForgeAppCheck> {
  const { api, row } = await openAppById(context, id)
  const { permissions } = await api.read(signal)
  const pageUrl = appUrls(row.web_url, row.slug).page
  const wanted: Permissions = { ...neededPermissions, ...readingPermissions }
  const missing = lackingOf(permissions, wanted).map((permission) => ({
    permission,
    remedy: `Give the App \`${permission}: ${wanted[permission]}\` in its settings (${pageUrl}, "Permissions & events"), then accept it in each installation.${effectOf(permission)}`,
  }))
  const installations = await api.installations(signal)
  const given = Object.entries(wanted).filter(([permission]) => !missing.some((one) => one.permission === permission))
  const unaccepted = installations.flatMap((one) =>
    lackingOf(one.permissions, Object.fromEntries(given)).map((permission) => ({
      permission,
      remedy: `Accept \`${permission}: ${wanted[permission]}\` for ${one.account} at ${one.settingsUrl}.${effectOf(permission)}`,
    })),
  )
  return { missing: [...missing, ...unaccepted], installations }
}

function effectOf(permission: string): string {
  return permission in readingPermissions ? ` Until then, the ${permission} of pull requests are not shown.` : ''
}

/**
 * Returns the App that has this installation, or undefined. If a look-up fails, tries the other Apps; throws the first
 * failure only if no App has the installation.
 */
export async function findInstallation(
  context: ForgeAppsContext,
  installationId: number,
  signal: AbortSignal,
): Promise<{ readonly app: ForgeApp; readonly installation: Installation } | undefined> {
  const failures: Failure[] = []
  for (const app of await listForgeApps(context)) {
    try {
      const { api } = await openAppById(context, app.id)
      const installation = await api.installation(installationId, signal)
      if (installation) return { app, installation }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failures.push(error)
    }
  }
  if (failures[0]) throw failures[0]
  return undefined
}

/**
 * Opens the App of a GitHub host, to mint installation tokens. Throws `repository_unauthorized` if the host has no App or
 * the key cannot be decrypted.
 */
export async function openAppOfHost(context: AppsContext, webUrl: string): Promise<{ api: AppApi; slug: string }> {
  const row = await context.db.selectFrom('forge_apps').selectAll().where('web_url', '=', webUrl).executeTakeFirst()
  if (row) return { api: appApi(context, row.api_url, identityOf(context, row)), slug: row.slug }
  const words = `This service has no GitHub App for ${webUrl}. Create one: ${createAppCommand({ webUrl })}`
  throw new Failure('repository_unauthorized', words)
}

/** Adds the App, or replaces the one of its host. */
export async function storeForgeApp({ db, secrets, clock }: ForgeAppsContext, app: AppToStore): Promise<ForgeApp> {
  const { appId, slug, name, owner } = app.details
  const values = {
    api_url: usualApiUrl('github', app.webUrl),
    app_id: appId,
    slug,
    name,
    owner,
    secret: secrets.encrypt('service', 'forge app', JSON.stringify(app.secrets)),
    updated_at: clock.now(),
  }
  const row = await db
    .insertInto('forge_apps')
    .values({ id: app.id, web_url: app.webUrl, created_at: clock.now(), ...values })
    .onConflict((conflict) => conflict.column('web_url').doUpdateSet({ id: app.id, ...values }))
    .returningAll()
    .executeTakeFirstOrThrow()
  return toForgeApp(row, null, await findProjects(db))
}

/** Returns the origin of a GitHub server's address. Throws `invalid_input`. */
export function normaliseWebUrl({ checkAddress }: Pick<ForgeAppsContext, 'checkAddress'>, text: string): string {
  const refuse = (message: string): never => {
    throw invalidInput('#/webUrl', message)
  }
  const url = URL.parse(text) ?? refuse('is not an address such as https://github.com')
  if (url.username !== '' || url.password !== '') refuse('contains a user or a password')
  if (!/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    refuse('is not the address of a GitHub server, such as https://github.com')
  // The host must pass the same checks as a repository's.
  checkAddress(`${url.origin}/owner/repository`)
  return url.origin
}

/** Null: the App was created elsewhere. Throws `not_found`. */
export async function readWebhookSecret(context: AppsContext, id: string): Promise<string | null> {
  return readSecrets(context, await readApp(context.db, id)).webhookSecret
}

/** Throws `not_found`, and `repository_unauthorized` when its key cannot be decrypted. */
export async function openAppById(context: AppsContext, id: string) {
  const row = await readApp(context.db, id)
  return { row, api: appApi(context, row.api_url, identityOf(context, row)) }
}

async function readApp(db: Db, id: string): Promise<ForgeAppRow> {
  const row = await db.selectFrom('forge_apps').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw unknownApp()
  return row
}

function appApi({ openClient, clock }: AppsContext, apiUrl: string, identity: AppIdentity): AppApi {
  return createAppApi({ apiUrl, identity, openClient, clock })
}

function identityOf(context: AppsContext, row: ForgeAppRow): AppIdentity {
  return { appId: row.app_id, privateKey: parsePrivateKey(readSecrets(context, row).privateKey) }
}

function readSecrets({ secrets }: AppsContext, row: ForgeAppRow): AppSecrets {
  try {
    return secretsSchema.parse(JSON.parse(secrets.decrypt('service', 'forge app', row.secret)))
  } catch (cause) {
    if (!(cause instanceof SecretUnreadable)) throw cause
    const words = `Docent cannot decrypt the private key of the GitHub App ${row.slug}. Find the key, or generate a new one at ${appUrls(row.web_url, row.slug).page}, then run`
    throw new Failure('repository_unauthorized', `${words}: ${setAppCommand(row.web_url, row.app_id)}`, { cause })
  }
}

function problemOf(context: AppsContext, row: ForgeAppRow): string | null {
  try {
    readSecrets(context, row)
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

function unknownApp(): Failure {
  return new Failure('not_found', 'There is no such forge app.')
}
