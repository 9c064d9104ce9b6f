// Starts work in the background while the model works on its first turn: the first word of the model must not wait for it.

import type { Model } from '../../../agent/model/types.ts'
import type { Clock } from '../../../lib/clock.ts'

/** By then a request is on its way. */
const headStartMs = 1_000

/** Returns the model. `begin` is called a second after the first request was made, or with its response. */
export function beginAfterRequest(model: Model, begin: () => void, clock: Clock): Model {
  const beginSoon = async (responded: AbortSignal) => {
    await clock.sleep(headStartMs, responded)
    begin()
  }
  return {
    ...model,
    respond: async (request, signal) => {
      const responded = new AbortController()
      const begun = beginSoon(AbortSignal.any([signal, responded.signal]))
      try {
        return await model.respond(request, signal)
      } finally {
        responded.abort()
        await begun
      }
    },
  }
}
