// Notes requests whose X-Forwarded-For is not used, because their connection comes from no trusted proxy. Behind such a proxy
// all clients share one address: one of them uses up the attempts to sign in of everybody. Anyone can send the header, so
// memory is bounded, and the log has it once a day at most.

import type { Clock } from '../../../lib/clock.ts'
import { createForwardedWatch, type ForwardedWatch } from './forwarded-watch.ts'
import type { Log } from '../../../lib/observability/log.ts'

export type UnusedForwards = ForwardedWatch & {
  /** `peer`: the address of the connection. `client`: the last address in the header. */
  note(peer: string, client: string): void
  counts(): ForwardCounts
}

export type ForwardCounts = {
  readonly requests: number
  /** At most 1,000 are counted. */
  readonly peers: number
  /** At most 10,000 are counted. */
  readonly clients: number
  /** The first of the peers. */
  readonly examples: readonly string[]
}

const mostPeers = 1_000
const mostClients = 10_000
const mostExamples = 3
const betweenLinesMs = 86_400_000

export function createUnusedForwards({ log, clock }: { readonly log: Log; readonly clock: Clock }): UnusedForwards {
  const peers = new Set<string>()
  const clients = new Set<string>()
  const state = { requests: 0, loggedAt: Number.NEGATIVE_INFINITY }
  const counts = (): ForwardCounts => {
    const examples = [...peers].slice(0, mostExamples)
    return { requests: state.requests, peers: peers.size, clients: clients.size, examples }
  }
  return {
    ...createForwardedWatch(log, clock),
    counts,
    note: (peer, client) => {
      state.requests += 1
      if (peers.size < mostPeers) peers.add(peer)
      if (clients.size < mostClients) clients.add(client)
      const now = clock.now().getTime()
      if (now - state.loggedAt < betweenLinesMs) return
      state.loggedAt = now
      log.warn(
        { forwarded: counts() },
        'requests carry X-Forwarded-For, which is not used: if they come from your proxy, set DOCENT_TRUSTED_PROXIES',
      )
    },
  }
}
