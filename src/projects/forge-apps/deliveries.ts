// Recognises what GitHub sends to the webhook of an App: only GitHub and this service know its secret. A delivery says that
// something happened in a repository, and nothing else of it is believed: Docent reads what is there now. So a delivery that
// is lost, late, doubled or sent again by somebody does no harm (docs/decisions/0026).
// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries

import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { Failure } from '../../lib/failure.ts'
import type { Db } from '../../postgres/types.ts'
import { type ForgeAppsContext, readWebhookSecret } from './forge-apps.ts'

export type Delivery = {
  /** The id that the App has here. */
  readonly appId: string
  readonly body: Uint8Array
  /** `sha256=` and 64 hexadecimal digits, as the header `X-Hub-Signature-256` has it. */
  readonly signature: string | undefined
}

/** The projects and sources of a repository, by their ids. */
export type Delivered = { readonly projects: readonly string[]; readonly sources: readonly string[] }

/**
 * Returns the projects and sources of the repository that the delivery is about. Throws `not_found` without the App, and
 * `unauthenticated` when the signature is not that of the body.
 */
export async function takeDelivery(context: ForgeAppsContext, delivery: Delivery): Promise<Delivered> {
  const secret = await readWebhookSecret(context, delivery.appId)
  if (secret === null)
    throw new Failure('unauthenticated', 'This service does not know the secret of the App: it was not created here.')
  const wanted = createHmac('sha256', secret).update(delivery.body).digest()
  const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(delivery.signature ?? '')?.[1] ?? '', 'hex')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new Failure('unauthenticated', 'The signature in `X-Hub-Signature-256` is not that of the body.')
  return findRepositories(context.db, delivery)
}

const eventSchema = z.object({ repository: z.object({ full_name: z.string().max(300) }) })

async function findRepositories(db: Db, { appId, body }: Delivery): Promise<Delivered> {
  const event = eventSchema.safeParse(parseJson(body))
  if (!event.success) return { projects: [], sources: [] }
  const path = event.data.repository.full_name.toLowerCase()
  const { rows } = await sql<{ id: string; isProject: boolean }>`/* forgeApps.repositoriesOf */
    select found.id, "isProject" from forge_apps, (
      select id, repository, true as "isProject" from projects
      union all select id, repository, false from sources) as found
    where forge_apps.id = ${appId} and lower(found.repository)
      in (lower(web_url) || '/' || ${path}::text, lower(web_url) || '/' || ${path}::text || '.git')`.execute(db)
  const idsOf = (isProject: boolean) => rows.filter((row) => row.isProject === isProject).map(({ id }) => id)
  return { projects: idsOf(true), sources: idsOf(false) }
}

/** GitHub sends a form if the hook is set up so. */
function parseJson(body: Uint8Array): unknown {
  const text = Buffer.from(body).toString('utf8')
  try {
    return JSON.parse(text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text)
  } catch {
    return undefined
  }
}
