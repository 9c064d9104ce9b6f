// Records page views: keeps them in a bounded queue and sends them to the service in batches, one after another. Pages
// never wait for the sending and never see its errors. Knows nothing of the kinds of servers.

import { toBaseAddress } from './address.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Exchange, toPageView } from './page-view.ts'
import { createWarning, type Problem } from './problem.ts'
import { createQueue } from './queue.ts'
import { type Sending, type Sent, send } from './send.ts'

export type RecorderOptions = {
  /** The address of the service, such as `https://docent.example.com`. */
  readonly url: string
  /** A key with the scope `write` for the project. */
  readonly key: string
  readonly projectId: string
  /** The most page views per request, up to 1,000. Default: 100. */
  readonly batchSize?: number
  /** How long a page view waits for others before it is sent, in milliseconds. Default: 1,000. */
  readonly flushMs?: number
  /** The most page views that wait; beyond it the oldest are dropped. Default: 10,000. */
  readonly maxQueued?: number
  /** The timeout of one request, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
  /** Called with each problem. Default: a warning on the console, at most once a minute. */
  readonly onProblem?: (problem: Problem) => void
}

export type Counts = {
  /** Page views that wait or are being sent. */
  readonly queued: number
  readonly accepted: number
  /** Page views that the service refused, alone or with their batch. */
  readonly rejected: number
  readonly dropped: number
}

export type Recorder = {
  /** Adds a page view to the queue. Returns at once and never throws. */
  readonly record: (exchange: Exchange) => void
  /**
   * Sends one page view immediately, for platforms that stop between requests, where a queue would not be emptied.
   * Never rejects.
   */
  readonly send: (exchange: Exchange) => Promise<void>
  readonly counts: () => Counts
  /** Accepts no more page views, sends the queued ones, and drops the rest at the deadline. Never rejects. */
  readonly close: (deadlineMs?: number) => Promise<void>
}

/** Throws a TypeError when `url` is not an http address. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { batchSize = 100, flushMs = 1_000, maxQueued = 10_000, clock = systemClock } = options
  const hurry = new AbortController()
  const end = new AbortController()
  const counter = createCounter(quietly(options.onProblem ?? createWarning(clock.now)))
  const sending = toSending(options, { clock, report: counter.report, hurry: hurry.signal, end: end.signal })
  const take = async (lines: readonly string[]) => {
    counter.leave(lines.length)
    counter.arrive(lines.length, await send(lines, sending))
  }
  const queue = createQueue({ batchSize, flushMs, maxQueued, clock, take, onDrop: counter.drop, hurry: hurry.signal })

  /** Returns the line to send; undefined when the request is not recorded. Never throws. */
  function prepare(exchange: Exchange): string | undefined {
    try {
      const view = toPageView(exchange)
      if (view && !hurry.signal.aborted) return JSON.stringify(view)
      if (view) counter.drop()
    } catch {
      counter.drop()
    }
    return undefined
  }

  return {
    record: (exchange) => {
      const line = prepare(exchange)
      if (line !== undefined) queue.add(line)
    },
    send: async (exchange) => {
      const line = prepare(exchange)
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

function createCounter(report: (problem: Problem) => void) {
  const counts = { queued: 0, accepted: 0, rejected: 0, dropped: 0 }
  const drop = (count = 1) => {
    counts.dropped += count
    report({ kind: 'dropped', total: counts.dropped })
  }
  return {
    report,
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
  shared: Pick<Sending, 'clock' | 'report' | 'hurry' | 'end'>,
): Sending {
  const endpoint = `${toBaseAddress(url)}/v1/analytics/${encodeURIComponent(projectId)}/page-views`
  return { endpoint, key, fetch, timeoutMs, ...shared }
}

/** Swallows errors of the caller's function, so that they do not end the sending. */
function quietly(report: (problem: Problem) => void): (problem: Problem) => void {
  return (problem) => {
    try {
      report(problem)
    } catch {
      // The caller's function has failed, so there is no way to report the error.
    }
  }
}
