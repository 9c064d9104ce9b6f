// Shares connections among projects. A connection goes to the project with the fewest running queries, within it to the asker
// with the fewest, then to the query that has waited longest. One project gets all connections except one, so the first
// query of another one never waits for its long ones. The first query of an asker waits for one query of the others at most.

import { Failure } from '../lib/failure.ts'

/** Undefined asker: the service itself. */
export type Party = { readonly project: string; readonly asker: string | undefined }

export type Pool<Connection> = {
  /** Throws `unavailable` after the pool's time, and the reason of `signal`. The caller gives the connection back. */
  readonly take: (party: Party, signal?: AbortSignal) => Promise<Connection>
  readonly give: (party: Party, connection: Connection) => void
}

type Waiting<Connection> = { readonly party: Party; readonly receive: (connection: Connection) => void }

export function createPool<Connection>(connections: readonly Connection[], waitMs: number): Pool<Connection> {
  const free = [...connections]
  const running: Party[] = []
  const waiting = new Set<Waiting<Connection>>()
  const most = Math.max(1, connections.length - 1)
  const mayBegin = (party: Party) => countOf(running, party) < most
  const take = async (party: Party, signal?: AbortSignal): Promise<Connection> => {
    const connection = mayBegin(party) ? free.pop() : undefined
    if (connection) {
      running.push(party)
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
    const own = { party, receive }
    waiting.add(own)
    if (cancelled.aborted) giveUp()
    else cancelled.addEventListener('abort', giveUp, { once: true })
    return promise
  }
  const give = (party: Party, connection: Connection) => {
    running.splice(running.indexOf(party), 1)
    const next = findNext(
      [...waiting].filter((one) => mayBegin(one.party)),
      running,
    )
    if (!next) {
      free.push(connection)
      return
    }
    waiting.delete(next)
    running.push(next.party)
    next.receive(connection)
  }
  return { take, give }
}

/** The first of those with the fewest running queries: a set keeps the order in which they came. */
function findNext<W extends { readonly party: Party }>(
  waiting: readonly W[],
  running: readonly Party[],
): W | undefined {
  const ranked = waiting.map((one) => ({
    one,
    ofProject: countOf(running, one.party),
    ofAsker: countOfAsker(running, one.party),
  }))
  return ranked.reduce<(typeof ranked)[number] | undefined>(
    (best, next) =>
      best && (best.ofProject < next.ofProject || (best.ofProject === next.ofProject && best.ofAsker <= next.ofAsker))
        ? best
        : next,
    undefined,
  )?.one
}

function countOf(running: readonly Party[], { project }: Party): number {
  return running.filter((one) => one.project === project).length
}

function countOfAsker(running: readonly Party[], { project, asker }: Party): number {
  return running.filter((one) => one.project === project && one.asker === asker).length
}

export function busy(): Failure {
  return new Failure('unavailable', 'Too many queries are running. Send the request again later.', { retryAfter: 10 })
}
