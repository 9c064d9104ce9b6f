// Shares connections among projects. A connection goes to the project with the fewest running queries, then to the query
// that has waited longest. One project gets all connections except one, so the first query of another one never waits for
// its long ones.

import { Failure } from '../lib/failure.ts'

export type Pool<Connection> = {
  /** Throws `unavailable` after the pool's time, and the reason of `signal`. The caller gives the connection back. */
  readonly take: (project: string, signal?: AbortSignal) => Promise<Connection>
  readonly give: (project: string, connection: Connection) => void
}

type Waiting<Connection> = { readonly project: string; readonly receive: (connection: Connection) => void }

export function createPool<Connection>(connections: readonly Connection[], waitMs: number): Pool<Connection> {
  const free = [...connections]
  const running = new Map<string, number>()
  const waiting = new Set<Waiting<Connection>>()
  const most = Math.max(1, connections.length - 1)
  const countOf = (project: string) => running.get(project) ?? 0
  const begin = (project: string) => running.set(project, countOf(project) + 1)
  const take = async (project: string, signal?: AbortSignal): Promise<Connection> => {
    const connection = countOf(project) < most ? free.pop() : undefined
    if (connection) {
      begin(project)
      return connection
    }
    const timeout = AbortSignal.timeout(waitMs)
    const cancelled = signal ? AbortSignal.any([signal, timeout]) : timeout
    const { promise, resolve, reject } = Promise.withResolvers<Connection>()
    const giveUp = () => {
      waiting.delete(own)
      reject(signal?.aborted ? signal.reason : busy())
    }
    const receive = (given: Connection) => {
      cancelled.removeEventListener('abort', giveUp)
      resolve(given)
    }
    const own = { project, receive }
    waiting.add(own)
    if (cancelled.aborted) giveUp()
    else cancelled.addEventListener('abort', giveUp, { once: true })
    return promise
  }
  const give = (project: string, connection: Connection) => {
    const left = countOf(project) - 1
    if (left > 0) running.set(project, left)
    else running.delete(project)
    const next = findNext(
      [...waiting].filter((one) => countOf(one.project) < most),
      countOf,
    )
    if (!next) {
      free.push(connection)
      return
    }
    waiting.delete(next)
    begin(next.project)
    next.receive(connection)
  }
  return { take, give }
}

/** The first of those with the fewest running queries: a set keeps the order in which they came. */
function findNext<W extends { readonly project: string }>(
  waiting: readonly W[],
  countOf: (project: string) => number,
): W | undefined {
  return waiting.reduce<W | undefined>(
    (best, one) => (best && countOf(best.project) <= countOf(one.project) ? best : one),
    undefined,
  )
}

function busy(): Failure {
  return new Failure('unavailable', 'Too many queries are running. Send the request again later.', { retryAfter: 10 })
}
