// Records page views: keeps them in a bounded queue and sends them to the service in batches, one after another. A
// page never waits for it and never sees its errors. Knows nothing of the kinds of servers.

import { type Clock, systemClock } from './clock.ts'
import { type Answered, toPageView } from './page-view.ts'
import { createWarning, type Problem } from './problem.ts'
import { createQueue } from './queue.ts'
import { type Sending, type Sent, send } from './send.ts'

export type RecorderOptions = {
  /** Of the service: `https://docent.example.com`. */
  readonly url: string
  /** With the scope `write` for the project. */
  readonly key: string
  readonly projectId: string
  /** Most page views in one request, 1,000 at most. Default 100. */
  readonly batchSize?: number
  /** How long a page view waits for others to go with it. Default 1,000. */
  readonly flushMs?: number
  /** How many wait at most; then the oldest are dropped. Default 10,000. */
  readonly maxQueued?: number
  /** How long one request may take. Default 10,000. */
  readonly timeoutMs?: number
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
  /** Default: a warning on the console, once a minute at most. */
  readonly onProblem?: (problem: Problem) => void
}

export type Counts = {
  /** Waiting or on the way. */
  readonly queued: number
  readonly accepted: number
  /** Refused by the service, alone or with their batch. */
  readonly rejected: number
  readonly dropped: number
}

export type Recorder = {
  /** Puts it in the queue. Returns at once and never throws. */
  readonly record: (answered: Answered) => void
  /**
   * Sends it by itself, for platforms that stop between requests: there a queue would wait for a request that is over.
   * Never rejects.
   */
  readonly send: (answered: Answered) => Promise<void>
  readonly counts: () => Counts
  /** Takes no more, sends what waits, and gives up what is left after the deadline. Never rejects. */
  readonly close: (deadlineMs?: number) => Promise<void>
}

/** Throws a TypeError when `url` is no http address. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { batchSize = 100, flushMs = 1_000, maxQueued = 10_000, clock = systemClock } = options
  const hurry = new AbortController()
  const end = new AbortController()
  const counter = createCounter(quietly(options.onProblem ?? createWarning(clock.now)))
  const sending = toSending(options, { clock, tell: counter.tell, hurry: hurry.signal, end: end.signal })
  const take = async (lines: readonly string[]) => {
    counter.leave(lines.length)
    counter.arrive(lines.length, await send(lines, sending))
  }
  const queue = createQueue({ batchSize, flushMs, maxQueued, clock, take, onDrop: counter.drop, hurry: hurry.signal })

  /** The line of a page view that may be sent. Throws nothing. */
  function prepare(answered: Answered): string | undefined {
    try {
      const view = toPageView(answered)
      if (view && !hurry.signal.aborted) return JSON.stringify(view)
      if (view) counter.drop()
    } catch {
      counter.drop()
    }
    return undefined
  }

  return {
    record: (answered) => {
      const line = prepare(answered)
      if (line !== undefined) queue.add(line)
    },
    send: async (answered) => {
      const line = prepare(answered)
      if (line !== undefined && counter.counts().queued < maxQueued) await take([line])
      else if (line !== undefined) counter.drop()
    },
    counts: () => {
      const counts = counter.counts()
      return { ...counts, queued: queue.length() + counts.queued }
    },
    close: async (deadlineMs = 5_000) => {
      hurry.abort()
      const done = new AbortController()
      const deadline = clock.sleep(deadlineMs, done.signal, 'held').then(() => end.abort())
      await queue.empty()
      done.abort()
      await deadline
    },
  }
}

function createCounter(tell: (problem: Problem) => void) {
  const counts = { queued: 0, accepted: 0, rejected: 0, dropped: 0 }
  const drop = (count = 1) => {
    counts.dropped += count
    tell({ kind: 'dropped', total: counts.dropped })
  }
  return {
    tell,
    drop: () => drop(),
    leave: (count: number) => void (counts.queued += count),
    arrive: (count: number, { accepted, rejected }: Sent) => {
      counts.queued -= count
      counts.accepted += accepted
      counts.rejected += rejected
      if (accepted + rejected < count) drop(count - accepted - rejected)
    },
    counts: (): Counts => counts,
  }
}

function toSending(
  { url, key, projectId, timeoutMs = 10_000, fetch = globalThis.fetch }: RecorderOptions,
  shared: Pick<Sending, 'clock' | 'tell' | 'hurry' | 'end'>,
): Sending {
  const base = new URL(url)
  if (!/^https?:$/.test(base.protocol)) throw new TypeError('`url` must begin with https:// or http://.')
  const path = `${base.pathname.replace(/\/+$/, '')}/v1/analytics/${encodeURIComponent(projectId)}/page-views`
  return { endpoint: base.origin + path, key, fetch, timeoutMs, ...shared }
}

/** What the caller's function throws is its own affair, and must not end the sending. */
function quietly(tell: (problem: Problem) => void): (problem: Problem) => void {
  return (problem) => {
    try {
      tell(problem)
    } catch {
      // There is nobody to tell.
    }
  }
}
