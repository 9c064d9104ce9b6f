// Follows the events of jobs live, for the readers in this process. A notification only wakes a follower, which reads
// the table from its last event on. So no event is missed, repeated or out of order, even if notifications are. While
// nothing happens, a follower costs one query per heartbeat.
//
//   sleeping ──notification, text or heartbeat──► reading ──no more rows──► sleeping
//                                                    └──the job ended, or is gone──► over

import type { Clock } from '../../lib/clock.ts'
import type { Db, Postgres } from '../../postgres/types.ts'
import { endsJob, eventsChannel, type EventResponse, readEvents } from './events.ts'
import { type LiveText, parseLiveText, textChannel } from './live-text.ts'

export type FeedItem =
  | { readonly kind: 'event'; readonly event: EventResponse }
  | { readonly kind: 'text'; readonly text: LiveText }
  | { readonly kind: 'heartbeat' }

export type Following = {
  readonly jobId: string
  /** The last event that the caller has; 0 when it has no event. */
  readonly after: number
  /** Without a trailing slash. */
  readonly publicUrl: string
}

export interface EventFeed {
  /**
   * Yields events and text. Ends after the last event of an inactive job, when the job is gone, when `signal` is
   * aborted, and when the feed is closed. Throws the errors of reading. Reads at most one page ahead; drops text that
   * arrives faster than the follower reads it.
   */
  follow(following: Following, signal: AbortSignal): AsyncGenerator<FeedItem, void, undefined>
  /** Aborted when the feed is closed. */
  readonly closed: AbortSignal
  /** Ends all followers, present and future. */
  close(): Promise<void>
}

type FeedDeps = { readonly postgres: Pick<Postgres, 'db' | 'listen'>; readonly clock: Clock }

type Follower = {
  /** True when there may be new events to read. */
  isWoken: boolean
  texts: LiveText[]
  units: number
  wake: () => void
}

export const heartbeatMs = 15_000
const pageRows = 100
/** Limit on the text that waits for a slow follower, in UTF-16 code units. */
const maxTextUnits = 65_536

/** Starts to listen with the first follower. */
export function createEventFeed({ postgres, clock }: FeedDeps): EventFeed {
  const closing = new AbortController()
  const followers = new Map<string, Set<Follower>>()
  let listening: Promise<readonly (() => Promise<void>)[]> | undefined
  const listen = async () => [
    await postgres.listen(eventsChannel, (jobId) => wake(followers, jobId)),
    await postgres.listen(textChannel, (payload) => receiveText(followers, payload)),
  ]
  const listenOnce = async () => {
    try {
      await (listening ??= listen())
    } catch (error) {
      listening = undefined
      throw error
    }
  }
  return {
    async *follow(following, signal) {
      const follower: Follower = { isWoken: true, texts: [], units: 0, wake: () => undefined }
      const group = followers.get(following.jobId) ?? new Set()
      followers.set(following.jobId, group.add(follower))
      try {
        if (closing.signal.aborted) return
        await listenOnce()
        yield* stream({ db: postgres.db, clock, follower, stop: AbortSignal.any([signal, closing.signal]) }, following)
      } finally {
        group.delete(follower)
        if (group.size === 0 && followers.get(following.jobId) === group) followers.delete(following.jobId)
      }
    },
    closed: closing.signal,
    close: async () => {
      closing.abort()
      const listeners = await listening?.catch(() => [])
      listening = undefined
      await Promise.all((listeners ?? []).map((unlisten) => unlisten()))
    },
  }
}

type Streaming = { readonly db: Db; readonly clock: Clock; readonly follower: Follower; readonly stop: AbortSignal }
/**
 * The progress of a follower: its last event, the last turn that it has completely, and whether the job has ended for
 * it.
 */
type Position = { last: number; runId: string | null; turn: number; isOver: boolean }

async function* stream(streaming: Streaming, { jobId, after, publicUrl }: Following): AsyncGenerator<FeedItem, void> {
  const { db, clock, follower, stop } = streaming
  const position: Position = { last: after, runId: null, turn: 0, isOver: false }
  let beatAt = clock.now().getTime() + heartbeatMs
  while (!stop.aborted) {
    while (follower.isWoken && !stop.aborted) {
      follower.isWoken = false
      const events = await readEvents(db, { jobId, after: position.last, limit: pageRows }, publicUrl)
      for (const event of events) {
        advance(position, event)
        yield { kind: 'event', event }
      }
      if (events.length === pageRows) follower.isWoken = true
    }
    if (position.isOver || stop.aborted) return
    for (const text of takeTexts(follower)) if (!isCovered(position, text)) yield { kind: 'text', text }
    await waitForNews(streaming, beatAt - clock.now().getTime())
    if (clock.now().getTime() < beatAt || stop.aborted) continue
    beatAt = clock.now().getTime() + heartbeatMs
    if (!(await checkJob(db, jobId, follower, position))) return
    yield { kind: 'heartbeat' }
  }
}

function advance(position: Position, event: EventResponse): void {
  position.last = event.id
  position.isOver = endsJob(event)
  if (event.type === 'turn') Object.assign(position, { runId: event.runId, turn: event.number })
}

/** Whether the text belongs to a turn that the follower already has completely. */
function isCovered(position: Position, text: LiveText): boolean {
  return text.runId === position.runId && text.turn <= position.turn
}

/** Returns when there are events or text, or after `ms`. */
async function waitForNews({ clock, follower, stop }: Streaming, ms: number): Promise<void> {
  const pause = new AbortController()
  const wake = () => pause.abort()
  follower.wake = wake
  stop.addEventListener('abort', wake, { once: true })
  if (!follower.isWoken && follower.texts.length === 0 && !stop.aborted)
    await clock.sleep(Math.max(0, ms), pause.signal)
  stop.removeEventListener('abort', wake)
  follower.wake = () => undefined
}

/** Finds events whose notification was lost. Returns false when no more events can come. */
async function checkJob(db: Db, jobId: string, follower: Follower, position: Position): Promise<boolean> {
  const job = await db.selectFrom('jobs').select(['last_event', 'status']).where('id', '=', jobId).executeTakeFirst()
  if (job && job.last_event > position.last) follower.isWoken = true
  return job !== undefined && (job.status === 'active' || follower.isWoken)
}

function takeTexts(follower: Follower): readonly LiveText[] {
  const { texts } = follower
  Object.assign(follower, { texts: [], units: 0 })
  return texts
}

/**
 * Wakes the followers of a job. An empty `jobId` means that notifications may have been lost, and wakes all followers.
 */
function wake(followers: ReadonlyMap<string, ReadonlySet<Follower>>, jobId: string): void {
  const groups = jobId === '' ? followers.values() : [followers.get(jobId) ?? []]
  for (const group of groups) {
    for (const follower of group) {
      follower.isWoken = true
      follower.wake()
    }
  }
}

function receiveText(followers: ReadonlyMap<string, ReadonlySet<Follower>>, payload: string): void {
  const received = payload === '' ? undefined : parseLiveText(payload)
  if (!received) return
  const { jobId, ...text } = received
  for (const follower of followers.get(jobId) ?? []) {
    if (follower.units + text.text.length > maxTextUnits) continue
    follower.texts.push(text)
    follower.units += text.text.length
    follower.wake()
  }
}
