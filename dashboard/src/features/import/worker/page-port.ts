// The operations of the service, asked for through the page.

import type { ImportPort, SendResponse } from '../../../../../src/analytics/import/port.ts'
import { Failure, type FailureCode, failures } from '../../../../../src/lib/failure.ts'
import type { Call, News, Order, Refusal } from '../protocol.ts'

type Response = Extract<Order, { kind: 'response' | 'refusal' }>

export type PagePort = ImportPort & { readonly settle: (response: Response) => void }

/** The logs of one port share their visitors. */
export function createPagePort(tell: (news: News) => void): PagePort {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  const state: { calls: number; group: string | undefined } = { calls: 0, group: undefined }
  const ask = async <Result>(call: Call): Promise<Result> => {
    const id = (state.calls += 1)
    const asked = Promise.withResolvers<unknown>()
    open.set(id, asked)
    tell({ kind: 'call', id, call })
    return (await asked.promise) as Result
  }
  return {
    begin: async (log) => {
      const shared = state.group === undefined ? {} : { group: state.group }
      type Begun = Awaited<ReturnType<ImportPort['begin']>> & { readonly group: string }
      const begun = await ask<Begun>({ operation: 'begin', log: { ...log, ...shared } })
      state.group ??= begun.group
      return begun
    },
    send: (importId, position, columns) => ask<SendResponse>({ operation: 'send', importId, position, columns }),
    finish: async (importId, automated) => void (await ask<unknown>({ operation: 'finish', importId, automated })),
    settle: (response) => {
      const asked = open.get(response.id)
      open.delete(response.id)
      if (response.kind === 'response') asked?.resolve(response.result)
      else asked?.reject(toFailure(response.refusal))
    },
  }
}

/** A code that this build does not know is not tried again. */
function toFailure({ code, message, retryAfter }: Refusal): Failure {
  const known = code === 'unreachable' ? 'unavailable' : code
  const wait = retryAfter === undefined ? {} : { retryAfter }
  return new Failure(Object.hasOwn(failures, known) ? (known as FailureCode) : 'invalid_input', message, wait)
}
