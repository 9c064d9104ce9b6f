// Recognises what GitHub sends to the webhook of an App: only GitHub and this service know its secret. Nothing is made of a
// delivery yet; Docent polls.
// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries

import { createHmac, timingSafeEqual } from 'node:crypto'
import { Failure } from '../../lib/failure.ts'
import { type ForgeAppsContext, readWebhookSecret } from './forge-apps.ts'

export type Delivery = {
  /** The id that the App has here. */
  readonly appId: string
  readonly body: Uint8Array
  /** `sha256=` and 64 hexadecimal digits, as the header `X-Hub-Signature-256` has it. */
  readonly signature: string | undefined
}

/** Throws `not_found` without the App, and `unauthenticated` when the signature is not that of the body. */
export async function takeDelivery(context: ForgeAppsContext, delivery: Delivery): Promise<void> {
  const secret = await readWebhookSecret(context, delivery.appId)
  if (secret === null)
    throw new Failure('unauthenticated', 'This service does not know the secret of the App: it was not created here.')
  const wanted = createHmac('sha256', secret).update(delivery.body).digest()
  const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(delivery.signature ?? '')?.[1] ?? '', 'hex')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new Failure('unauthenticated', 'The signature in `X-Hub-Signature-256` is not that of the body.')
}
