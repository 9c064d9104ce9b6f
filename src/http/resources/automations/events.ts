// The addresses of automations with the trigger `event`. Anyone can send requests here: the sender is known by a key, or by the
// signature over the bytes of the body, before anything of the body is read.

import { findForKey, findSigned } from '../../../automations/events/senders.ts'
import { boundPayload } from '../../../automations/events/payload.ts'
import { takeEvent } from '../../../automations/runs/by-event.ts'
import { invalidInput } from '../../../lib/failure.ts'
import { isMessageId } from '../../../lib/outbound/standard-webhooks.ts'
import { type RateLimit, readLimit } from '../../../requests/rate-limits.ts'
import type { App, AppDeps } from '../../context.ts'
import { describe } from '../../contract/operation.ts'
import { decodeText, readBody, refuseDeep } from '../../request/body.ts'
import { createCallers } from '../../request/callers.ts'
import { withRateLimitHeaders } from '../../response/rate-limit-headers.ts'
import { receiveEventRoute } from './contract.ts'

const eventBody = { maxBytes: 1024 * 1024, types: ['application/json'] }

export function addEventAddress(app: App, deps: AppDeps): void {
  const { jobs: context, limits, redactor } = deps
  const senders = { db: context.db, secrets: deps.access.secrets }
  const callers = createCallers(deps)
  const limit: RateLimit = { name: 'creates', quota: limits.createsPerHour }
  describe(app, receiveEventRoute)
  app.post('/v1/events/:automationId', async (c) => {
    const id = receiveEventRoute.request.params.shape.automationId.safeParse(c.req.param('automationId')).data
    const eventId = c.req.header('webhook-id')
    // A request with a key is judged by the key alone. Cookies do not count: a page elsewhere could send them.
    const principal = c.req.header('Authorization') === undefined ? undefined : await callers.find(c)
    const body = await readBody(c, eventBody)
    const automation = principal
      ? await findForKey(context.db, id, principal)
      : await findSigned(
          senders,
          id,
          {
            id: eventId,
            timestamp: c.req.header('webhook-timestamp'),
            signature: c.req.header('webhook-signature'),
            body,
          },
          context.clock.now(),
        )
    if (eventId !== undefined && !isMessageId(eventId)) {
      throw invalidInput('#/header/webhook-id', 'must have 1 to 200 visible ASCII characters without a full stop')
    }
    const event = {
      automation,
      eventId: eventId ?? null,
      name: principal?.name ?? null,
      data: boundPayload(parseJson(body), redactor.hide),
    }
    const { value, replayed } = await withRateLimitHeaders(
      c,
      () => readLimit(context.db, limit, automation.project_id),
      () => takeEvent(context, event, limit),
    )
    if (replayed) c.header('Idempotency-Replayed', 'true')
    return c.json(value, 202)
  })
}

/** Throws `invalid_input`. */
function parseJson(body: Uint8Array): unknown {
  if (body.byteLength === 0) throw invalidInput('#', 'is missing')
  const text = decodeText(body)
  refuseDeep(text)
  try {
    return JSON.parse(text)
  } catch {
    throw invalidInput('#', 'is not JSON')
  }
}
