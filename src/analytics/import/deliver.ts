// Sends batches to the service, several at a time. Retries temporary failures (no response, 429, 503) with the same
// batch; its ids make a repetition harmless. A position is reported only when everything before it is stored: a batch
// that is sent alone reports its own end, any other the end of the acknowledged batches.

import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { type AddressUse, ownVisitor } from './address/address-use.ts'
import type { Batch } from './batch.ts'
import type { ImportPort, SendResponse } from './port.ts'
import type { Tally } from './tally.ts'

/** Batches sent at once share an insert, which costs less than many inserts. */
const inFlight = 12
const attempts = 9
const firstWaitMs = 500
const longestWaitMs = 30_000
const longestAskedMs = 300_000

export type Delivery = {
  /** Waits until it may send the batch. Throws the failure of an earlier batch. */
  add(batch: Batch): Promise<void>
  /** Waits until all batches are acknowledged. Throws the failure of an earlier batch. */
  drain(): Promise<void>
  /** Everything before this position is stored. */
  position(): number
}

export type DeliveryContext = {
  readonly port: ImportPort
  readonly importId: string
  readonly clock: Clock
  /** Stops waiting; batches already sent continue. */
  readonly stop: AbortSignal
  /** Called with the counts of each acknowledged batch. */
  readonly tally: Tally
  readonly addresses?: AddressUse | undefined
  readonly onWait: (failure: Failure, ms: number) => void
}

export function createDelivery(context: DeliveryContext, start: number): Delivery {
  const order: { readonly end: number; isStored: boolean }[] = []
  const underway = new Set<Promise<void>>()
  const state: { position: number; failure: unknown } = { position: start, failure: undefined }
  const check = () => {
    if (state.failure !== undefined) throw state.failure
  }
  const deliver = async (batch: Batch, isAlone: boolean) => {
    const place = { end: batch.end, isStored: false }
    order.push(place)
    if (batch.views.rows() > 0) {
      count(context, batch, await send(context, batch, () => (isAlone ? batch.end : state.position)))
    }
    context.tally.add(batch.rejected)
    place.isStored = true
    while (order[0]?.isStored) state.position = order.shift()?.end ?? state.position
  }
  return {
    add: async (batch) => {
      while (underway.size >= inFlight && state.failure === undefined) await Promise.race(underway)
      check()
      const sent: Promise<void> = deliver(batch, underway.size === 0)
        .catch((error: unknown) => void (state.failure ??= error))
        .finally(() => underway.delete(sent))
      underway.add(sent)
    },
    drain: async () => {
      await Promise.all(underway)
      check()
    },
    position: () => state.position,
  }
}

function count({ tally, addresses }: DeliveryContext, { views, lines, beyond }: Batch, response: SendResponse): void {
  const rejected = response.rejected.filter(({ index }) => index < views.rows())
  for (const { index, reason } of rejected) tally.reject(reason, lines[index] ?? '')
  tally.accept(views.rows() - rejected.length)
  if (addresses === undefined) return
  const left = new Set(rejected.map(({ index }) => index))
  for (let row = 0; row < views.rows(); row += 1) {
    if (left.has(row)) continue
    const view = views.at(row)
    addresses.add(view.visitorId === undefined ? view.address : ownVisitor, beyond[row], view)
  }
}

async function send(context: DeliveryContext, batch: Batch, positionOf: () => number): Promise<SendResponse> {
  const columns = batch.views.encode()
  return tryAgain(context, () => context.port.send(context.importId, positionOf(), columns))
}

/** Retries `work`. Throws the last failure if it is permanent, if `stop` is aborted, or after the last attempt. */
export async function tryAgain<T>(
  { clock, stop, onWait }: Pick<DeliveryContext, 'clock' | 'stop' | 'onWait'>,
  ask: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Failure) || !error.meaning.retry || attempt === attempts || stop.aborted) throw error
      const ms = waitMs(error, attempt)
      onWait(error, ms)
      await clock.sleep(ms, stop)
      if (stop.aborted) throw error
    }
  }
}

function waitMs({ retryAfter }: Failure, attempt: number): number {
  if (retryAfter !== undefined) return Math.min(retryAfter * 1_000, longestAskedMs)
  return Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs)
}
