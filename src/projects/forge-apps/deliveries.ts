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

/**
 * Returns the projects of the repository that the delivery is about. Throws `not_found` without the App, and
 * `unauthenticated` when the signature is not that of the body.
 */
export async function takeDelivery(context: ForgeAppsContext, delivery: Delivery): Promise<readonly string[]> {
  const secret = await readWebhookSecret(context, delivery.appId)
  if (secret === null)
    throw new Failure('unauthenticated', 'This service does not know the secret of the App: it was not created here.')
  const wanted = createHmac('sha256', secret).update(delivery.body).digest()
  const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(delivery.signature ?? '')?.[1] ?? '', 'hex')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new Failure('unauthenticated', 'The signature in `X-Hub-Signature-256` is not that of the body.')
  return findProjects(context.db, delivery)
}

const eventSchema = z.object({ repository: z.object({ full_name: z.string().max(300) }) })

async function findProjects(db: Db, { appId, body }: Delivery): Promise<readonly string[]> {
  const event = eventSchema.safeParse(parseJson(body))
  if (!event.success) return []
  const path = event.data.repository.full_name.toLowerCase()
  const { rows } = await sql<{ id: string }>`/* forgeApps.projectsOf */ select projects.id from projects
    join forge_apps on forge_apps.id = ${appId}
    where lower(projects.repository) in (lower(web_url) || '/' || ${path}::text, lower(web_url) || '/' || ${path}::text || '.git')`.execute(
    db,
  )
  return rows.map(({ id }) => id)
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
