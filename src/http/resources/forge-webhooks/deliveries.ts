// The addresses of webhooks. Anyone can send requests here: the sender is known by the secret of the webhook, before anything of the
// body is parsed.

import { hastenLook } from '../../../automations/positions/look.ts'
import { hastenPolls } from '../../../jobs/pulls/polls.ts'
import { Failure } from '../../../lib/failure.ts'
import { findReceiver, takeDelivery } from '../../../projects/forge-webhooks/deliveries.ts'
import type { App, AppDeps } from '../../context.ts'
import { describe } from '../../contract/operation.ts'
import { readBody } from '../../request/body.ts'
import { deliveryParams, deliveryRoute } from './contract.ts'

/** GitHub sends no more than 25 MB. */
const deliveryBody = { maxBytes: 25 * 1024 * 1024 }

export function addDeliveryAddress(app: App, deps: AppDeps): void {
  const context = deps.forgeApps
  // The bytes are judged as they were sent, so the body is read by hand.
  describe(app, deliveryRoute)
  app.post('/v1/hooks/:forge/:hookId', async (c) => {
    const params = deliveryParams.safeParse(c.req.param())
    if (!params.success) throw new Failure('not_found', 'There is no webhook at this address.')
    const receiver = await findReceiver(context, params.data.forge, params.data.hookId)
    const body = await readBody(c, deliveryBody)
    const hints = await takeDelivery(context, receiver, { body, header: (name) => c.req.header(name) })
    await hastenPolls(context.db, hints.projects)
    await hastenLook(context.db, hints.branches)
    return c.body(null, 202)
  })
}
