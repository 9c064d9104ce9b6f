// Listening on a PostgreSQL server: one connection of its own for all channels, made again whenever it is lost.
// What was notified meanwhile is lost; so after every connection each listener is woken without a payload.

import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../lib/observability/log.ts'
import type { NotificationHandler } from './types.ts'

export interface Listener {
  /** Resolves at once; the listening itself may begin later, while the server is away. */
  listen(channel: string, handle: NotificationHandler): Promise<() => Promise<void>>
  close(): Promise<void>
}

type Listening = {
  readonly createClient: () => pg.Client
  readonly log: Log
  readonly channels: Map<string, Set<NotificationHandler>>
  readonly closing: AbortController
  /** Set while it is connected. */
  client: pg.Client | undefined
}

const firstPauseMs = 100
const longestPauseMs = 5_000
/** A connection that was cut without a word is found by asking. */
const pingMs = 20_000
const partingMs = 2_000

export function openListener(createClient: () => pg.Client, log: Log): Listener {
  const state: Listening = {
    createClient,
    log,
    channels: new Map(),
    closing: new AbortController(),
    client: undefined,
  }
  let keeping: Promise<void> | undefined
  return {
    listen: async (channel, handle) => {
      const known = state.channels.get(channel)
      state.channels.set(channel, (known ?? new Set()).add(handle))
      const { client } = state
      // Where it cannot be asked, the next connection listens to all channels.
      if (!known) await client?.query(`listen ${channel}`).catch(() => part(client))
      keeping ??= keepConnected(state)
      return () => {
        state.channels.get(channel)?.delete(handle)
        return Promise.resolve()
      }
    },
    close: async () => {
      state.closing.abort()
      if (state.client) await part(state.client)
      await keeping
    },
  }
}

async function keepConnected(state: Listening): Promise<void> {
  const { signal } = state.closing
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    const connectedAt = Date.now()
    await holdConnection(state).catch((error: Error) => {
      if (!signal.aborted)
        state.log.warn({ reason: error.message }, 'listening on the database was cut; it begins again')
    })
    if (Date.now() - connectedAt > longestPauseMs) pauseMs = firstPauseMs
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}

/** From a connection to its loss; throws what ended it. */
async function holdConnection(state: Listening): Promise<void> {
  const client = state.createClient()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  client.on('error', lost.reject)
  client.on('end', () => lost.reject(new Error('the connection ended')))
  client.on('notification', ({ channel, payload }) => tell(state, channel, payload ?? ''))
  try {
    await client.connect()
    state.client = client
    const channels = [...state.channels.keys()]
    for (const channel of channels) await client.query(`listen ${channel}`)
    for (const channel of channels) tell(state, channel, '')
    await Promise.race([lost.promise, ping(state, client)])
  } finally {
    state.client = undefined
    await part(client)
  }
}

/** Says goodbye, and leaves when nothing comes back. */
async function part(client: pg.Client): Promise<void> {
  const cutting = setTimeout(() => client.connection.stream.destroy(), partingMs)
  await client.end().catch(() => undefined)
  clearTimeout(cutting)
}

async function ping({ closing }: Listening, client: pg.Client): Promise<void> {
  while (!closing.signal.aborted) {
    await pause(pingMs, closing.signal)
    if (!closing.signal.aborted) await client.query('/* listener.ping */ select 1')
  }
}

function tell({ channels }: Listening, channel: string, payload: string): void {
  for (const handle of channels.get(channel) ?? []) handle(payload)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined)
}
