// Creates the GitHub App of this service from a manifest: begin → a page here that sends the manifest to GitHub →
// GitHub sends the person back with a code → the code is exchanged, once, for the App and its private key.

import { convertManifestCode } from '../../forge/github/manifest/manifest-code.ts'
import { createManifest, newAppUrl } from '../../forge/github/manifest/manifest.ts'
import { Failure } from '../../lib/failure.ts'
import { createAppCommand } from './commands.ts'
import { addState, readState, takeState, type WantedApp } from './states.ts'
import type { ForgeApp } from './forge-app.ts'
import { normaliseWebUrl, type ForgeAppsContext, storeForgeApp } from './forge-apps.ts'
import { usualApiUrl } from '../places.ts'

export type NewForgeApp = { readonly webUrl: string; readonly organization: string | null; readonly name: string }

export type BegunForgeApp = {
  /** The id that the App gets here when it was created. */
  readonly id: string
  /** The page on which a person continues; it can be used for an hour. */
  readonly openUrl: string
  readonly expiresAt: string
}

export type ManifestForm = {
  /** Where the browser sends the manifest. */
  readonly action: string
  readonly webUrl: string
  readonly manifest: string
  readonly name: string
}

/** Throws `invalid_input` if the host already has an App. */
export async function beginForgeApp(context: ForgeAppsContext, wanted: NewForgeApp): Promise<BegunForgeApp> {
  const { db, clock, publicUrl } = context
  const webUrl = normaliseWebUrl(context, wanted.webUrl)
  const existing = await db
    .selectFrom('forge_apps')
    .select(['id', 'slug'])
    .where('web_url', '=', webUrl)
    .executeTakeFirst()
  if (existing) {
    const words = `The App ${existing.slug} serves ${webUrl} already. Delete it first`
    throw new Failure('invalid_input', `${words}: docent github delete-app ${existing.id}`)
  }
  const { state, id, expiresAt } = await addState(db, { ...wanted, webUrl }, clock.now())
  return { id, openUrl: `${publicUrl}/github/new?state=${state}`, expiresAt: expiresAt.toISOString() }
}

/** Returns the form that the page sends to GitHub. It can be shown several times. Throws `not_found`. */
export async function readManifestForm(
  { db, clock, publicUrl }: ForgeAppsContext,
  state: string,
): Promise<ManifestForm> {
  const { id, name, webUrl, organization } = await readState(db, state, clock.now())
  const manifest = JSON.stringify(createManifest({ name, id, publicUrl }))
  return { action: newAppUrl(webUrl, organization, state), webUrl, manifest, name }
}

/** Ends the flow. Throws `not_found` for an invalid state. After any other error, the person has to start again. */
export async function finishForgeApp(
  context: ForgeAppsContext,
  given: { readonly code: string; readonly state: string },
): Promise<ForgeApp> {
  const wanted = await takeState(context.db, given.state, context.clock.now())
  const { webUrl, id } = wanted
  const client = context.openClient(usualApiUrl('github', webUrl), undefined)
  const created = await convertManifestCode(client, given.code)
  if (created.kind === 'lost') throw new Failure('forge_unavailable', lostWords(wanted))
  if (created.kind === 'refused') {
    throw new Failure(
      'forge_refused',
      `GitHub did not accept the code: ${created.words} Begin again with \`${createAppCommand(wanted)}\`.`,
    )
  }
  return storeForgeApp(context, { id, webUrl, ...created })
}

/** GitHub sends the private key only once, so an App whose key was lost is useless. */
function lostWords(wanted: WantedApp): string {
  const { webUrl, organization, name } = wanted
  const owner = organization === null ? '' : `/organizations/${encodeURIComponent(organization)}`
  const where = `${webUrl}${owner}/settings/apps`
  return `GitHub's response with the private key was lost, and GitHub gives it only once. Delete the App (its name was to be "${name}") at ${where}, then begin again with \`${createAppCommand(wanted)}\`.`
}
