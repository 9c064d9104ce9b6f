// The events of jobs as they come, for the followers in this process. A notification only wakes: what a follower is
// told is read from the table behind what it was told before, so none is missed, doubled or out of order, whatever
// the notifications do. While nothing happens, a follower costs one look at its job a heartbeat.

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
  /** The last event that the follower has; 0: none. */
  readonly after: number
  /** Without a trailing slash. */
  readonly publicUrl: string
}

export interface EventFeed {
  /**
   * Ends when all is told and the job is not active, when it is gone, when `signal` is aborted or the feed closed.
   * Throws what reading may throw. Nothing is read ahead of the follower but a page; text that it is too slow for is
   * dropped.
   */
  follow(following: Following, signal: AbortSignal): AsyncGenerator<FeedItem, void, undefined>
  /** Aborted when the feed is closed. */
  readonly closed: AbortSignal
  /** Ends all that follow, and whoever comes later. */
  close(): Promise<void>
}

type FeedDeps = { readonly postgres: Pick<Postgres, 'db' | 'listen'>; readonly clock: Clock }

type Ear = {
  /** There may be events to read. */
  isWoken: boolean
  texts: LiveText[]
  units: number
  wake: () => void
}

export const heartbeatMs = 15_000
const pageRows = 100
/** What waits for a slow follower, in UTF-16 code units. */
const maxTextUnits = 65_536

/** Listens from the first follower on. */
export function createEventFeed({ postgres, clock }: FeedDeps): EventFeed {
  const closing = new AbortController()
  const ears = new Map<string, Set<Ear>>()
  let listening: Promise<readonly (() => Promise<void>)[]> | undefined
  const listen = async () => [
    await postgres.listen(eventsChannel, (jobId) => wake(ears, jobId)),
    await postgres.listen(textChannel, (payload) => hear(ears, payload)),
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
      const ear: Ear = { isWoken: true, texts: [], units: 0, wake: () => undefined }
      const group = ears.get(following.jobId) ?? new Set()
      ears.set(following.jobId, group.add(ear))
      try {
        if (closing.signal.aborted) return
        await listenOnce()
        yield* tell({ db: postgres.db, clock, ear, stop: AbortSignal.any([signal, closing.signal]) }, following)
      } finally {
        group.delete(ear)
        if (group.size === 0 && ears.get(following.jobId) === group) ears.delete(following.jobId)
      }
    },
    closed: closing.signal,
    close: async () => {
      closing.abort()
      const heard = await listening?.catch(() => [])
      listening = undefined
      await Promise.all((heard ?? []).map((unlisten) => unlisten()))
    },
  }
}

type Telling = { readonly db: Db; readonly clock: Clock; readonly ear: Ear; readonly stop: AbortSignal }
/** How far a follower is: its last event, the last turn of whichever run that it has whole, and whether that ended. */
type Told = { last: number; runId: string | null; turn: number; isOver: boolean }

async function* tell(telling: Telling, { jobId, after, publicUrl }: Following): AsyncGenerator<FeedItem, void> {
  const { db, clock, ear, stop } = telling
  const told: Told = { last: after, runId: null, turn: 0, isOver: false }
  let beatAt = clock.now().getTime() + heartbeatMs
  while (!stop.aborted) {
    while (ear.isWoken && !stop.aborted) {
      ear.isWoken = false
      const events = await readEvents(db, { jobId, after: told.last, limit: pageRows }, publicUrl)
      for (const event of events) {
        note(told, event)
        yield { kind: 'event', event }
      }
      if (events.length === pageRows) ear.isWoken = true
    }
    if (told.isOver || stop.aborted) return
    for (const text of takeTexts(ear)) if (!isTold(told, text)) yield { kind: 'text', text }
    await rest(telling, beatAt - clock.now().getTime())
    if (clock.now().getTime() < beatAt || stop.aborted) continue
    beatAt = clock.now().getTime() + heartbeatMs
    if (!(await look(db, jobId, telling.ear, told))) return
    yield { kind: 'heartbeat' }
  }
}

function note(told: Told, event: EventResponse): void {
  told.last = event.id
  told.isOver = endsJob(event)
  if (event.type === 'turn') Object.assign(told, { runId: event.runId, turn: event.number })
}

/** The text of a turn that the follower has whole. */
function isTold(told: Told, text: LiveText): boolean {
  return text.runId === told.runId && text.turn <= told.turn
}

/** Until there is something, or `ms` are over. */
async function rest({ clock, ear, stop }: Telling, ms: number): Promise<void> {
  const pause = new AbortController()
  const wake = () => pause.abort()
  ear.wake = wake
  stop.addEventListener('abort', wake, { once: true })
  if (!ear.isWoken && ear.texts.length === 0 && !stop.aborted) await clock.sleep(Math.max(0, ms), pause.signal)
  stop.removeEventListener('abort', wake)
  ear.wake = () => undefined
}

/** The backstop of every notification. False: nothing can come any more. */
async function look(db: Db, jobId: string, ear: Ear, told: Told): Promise<boolean> {
  const job = await db.selectFrom('jobs').select(['last_event', 'status']).where('id', '=', jobId).executeTakeFirst()
  if (job && job.last_event > told.last) ear.isWoken = true
  return job !== undefined && (job.status === 'active' || ear.isWoken)
}

function takeTexts(ear: Ear): readonly LiveText[] {
  const { texts } = ear
  Object.assign(ear, { texts: [], units: 0 })
  return texts
}

/** `jobId` empty: notifications may have been missed. */
function wake(ears: ReadonlyMap<string, ReadonlySet<Ear>>, jobId: string): void {
  const groups = jobId === '' ? ears.values() : [ears.get(jobId) ?? []]
  for (const group of groups) {
    for (const ear of group) {
      ear.isWoken = true
      ear.wake()
    }
  }
}

function hear(ears: ReadonlyMap<string, ReadonlySet<Ear>>, payload: string): void {
  const heard = payload === '' ? undefined : parseLiveText(payload)
  if (!heard) return
  const { jobId, ...text } = heard
  for (const ear of ears.get(jobId) ?? []) {
    if (ear.units + text.text.length > maxTextUnits) continue
    ear.texts.push(text)
    ear.units += text.text.length
    ear.wake()
  }
}
