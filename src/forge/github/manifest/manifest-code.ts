// Exchanges the code that GitHub sends after a person created the App for the App and its private key. GitHub does this
// once for a code: after a lost response the key is lost too.

import { z } from 'zod'
import type { ForgeClient } from '../../client.ts'
import { type AppDetails, appSchema, toDetails } from '../app-api.ts'

export type AppSecrets = {
  /** PEM */
  readonly privateKey: string
  readonly webhookSecret: string | null
  readonly clientId: string | null
  readonly clientSecret: string | null
}

export type Converted =
  | {
      readonly kind: 'created'
      readonly details: AppDetails
      readonly secrets: AppSecrets
    }
  /** The App exists, but its key is lost. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused'; readonly words: string }

const createdSchema = appSchema.extend({
  pem: z.string().max(20_000),
  webhook_secret: z.string().max(1_000).nullish(),
  client_id: z.string().max(200).nullish(),
  client_secret: z.string().max(1_000).nullish(),
})

/** A browser that disconnects does not abort the exchange, because it works only once. The client has a deadline. */
const never = new AbortController().signal

/** Needs no credential. Never throws. */
export async function convertManifestCode(client: ForgeClient, code: string): Promise<Converted> {
  const path = `/app-manifests/${encodeURIComponent(code)}/conversions`
  const reply = await client.ask({ method: 'POST', path }, never)
  if (reply.kind === 'unknown_effect') return { kind: 'lost' }
  if (reply.kind === 'unavailable') return { kind: 'refused', words: `GitHub could not be reached: ${reply.reason}.` }
  if (reply.kind === 'moved') return { kind: 'refused', words: `GitHub redirects to ${reply.to}.` }
  if (reply.kind === 'limited' || reply.status >= 400) return { kind: 'refused', words: reply.words }
  const parsed = createdSchema.safeParse(reply.body)
  if (!parsed.success) return { kind: 'lost' }
  const { pem, webhook_secret = null, client_id = null, client_secret = null } = parsed.data
  const secrets = { privateKey: pem, webhookSecret: webhook_secret, clientId: client_id, clientSecret: client_secret }
  return { kind: 'created', details: toDetails(parsed.data), secrets }
}
