// Watches whether the requests of the last hour came through proxies that the service does not trust. Then page views count
// one visitor for each proxy, and the limits on sign-in attempts hold for everybody together. Says so in the log, once an
// hour; `/readyz` has it for `docent doctor` and the dashboard.

import type { Clock } from '../../../lib/clock.ts'
import {
  createForwardedCount,
  describeForwarded,
  type ForwardedUse,
} from '../../../lib/observability/forwarded-count.ts'
import type { Log } from '../../../lib/observability/log.ts'

export type ForwardedWatch = {
  /** `address`: that of the client, as the settings say. `beyond`: the next one, which is not trusted. */
  readonly see: (address: string, beyond: string | undefined) => void
  readonly find: () => ForwardedUse | undefined
}

const hourMs = 3_600_000

export function createForwardedWatch(log: Pick<Log, 'warn'>, clock: Pick<Clock, 'now'>): ForwardedWatch {
  const now = () => clock.now().getTime()
  const state = {
    since: now(),
    count: createForwardedCount(),
    last: undefined as ForwardedUse | undefined,
    wasSaid: false,
  }
  const turn = () => {
    const age = now() - state.since
    if (age >= 0 && age < hourMs) return
    const last = age < 2 * hourMs ? state.count.find() : undefined
    Object.assign(state, { since: now(), count: createForwardedCount(), last, wasSaid: false })
  }
  return {
    see: (address, beyond) => {
      turn()
      state.count.add(address, beyond)
      if (state.wasSaid || beyond === undefined) return
      const use = state.count.find()
      if (use === undefined) return
      state.wasSaid = true
      log.warn({ ...use }, `${describeForwarded(use, 'requests')}: set DOCENT_TRUSTED_PROXIES if these are proxies`)
    },
    find: () => {
      turn()
      return state.count.find() ?? state.last
    },
  }
}
