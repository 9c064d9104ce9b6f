// Azure DevOps has no ETags, and slows a caller down before it refuses: a response that worked may ask to wait
// (`Retry-After`), or say that nothing is left (`X-RateLimit-Remaining: 0`). No request is sent to that organization until then.

import type { Clock } from '../../lib/clock.ts'
import type { ForgeClient, Reply } from '../client.ts'
import { waitOf } from '../../lib/outbound/retry-after.ts'

/** `organization`: whose requests share the budget. */
export type Budget = (client: ForgeClient, organization: string) => ForgeClient

/** One for the process. */
export function createBudget(clock: Pick<Clock, 'now'>): Budget {
  const pauses = new Map<string, number>()
  return (client, organization) => ({
    ...client,
    ask: async (request, signal) => {
      const left = (pauses.get(organization) ?? 0) - clock.now().getTime()
      if (left > 0) return { kind: 'limited', retryAfter: Math.ceil(left / 1000), words: '' }
      pauses.delete(organization)
      const reply = await client.ask(request, signal)
      const now = clock.now().getTime()
      const seconds = pauseAfter(reply, now)
      if (seconds !== undefined) pauses.set(organization, now + seconds * 1000)
      return reply
    },
  })
}

function pauseAfter(reply: Reply, now: number): number | undefined {
  if (reply.kind === 'limited') return reply.retryAfter
  if (reply.kind !== 'response') return undefined
  const { headers } = reply
  const asks = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
  return asks ? waitOf(headers, now) : undefined
}
