// Listens to notifications of a PostgreSQL server, on one separate connection for all channels. When the connection is
// lost, it connects again; notifications sent meanwhile are lost, so it then calls every handler with an empty payload.

import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../lib/observability/log.ts'
import type { NotificationHandler } from './types.ts'

export interface Listener {
  /** Resolves at once, even while the server is down; listening then begins when it is available. */
  listen(channel: string, handle: NotificationHandler): Promise<() => Promise<void>>
  close(): Promise<void>
}

type Listening = {
  readonly createClient: () => pg.Client
  readonly log: Log
  readonly channels: Map<string, Set<NotificationHandler>>
  readonly closing: AbortController
  /** Undefined while there is no connection. */
  client: pg.Client | undefined
}

const firstPauseMs = 100
const longestPauseMs = 5_000
/** A ping notices a connection that broke silently. */
const pingMs = 20_000
const closingMs = 2_000

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
      // After a failure the next connection listens to all channels.
      if (!known) await client?.query(`listen ${channel}`).catch(() => disconnect(client))
      keeping ??= keepConnected(state)
      return () => {
        state.channels.get(channel)?.delete(handle)
        return Promise.resolve()
      }
    },
    close: async () => {
      state.closing.abort()
      if (state.client) await disconnect(state.client)
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
        state.log.warn({ reason: error.message }, 'the connection for notifications was lost; connecting again')
    })
    if (Date.now() - connectedAt > longestPauseMs) pauseMs = firstPauseMs
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}

/** Connects and listens until the connection is lost. Throws the error that ended it. */
async function holdConnection(state: Listening): Promise<void> {
  const client = state.createClient()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  client.on('error', lost.reject)
  client.on('end', () => lost.reject(new Error('the connection ended')))
  client.on('notification', ({ channel, payload }) => callHandlers(state, channel, payload ?? ''))
  try {
    await client.connect()
    state.client = client
    const channels = [...state.channels.keys()]
    for (const channel of channels) await client.query(`listen ${channel}`)
    for (const channel of channels) callHandlers(state, channel, '')
    await Promise.race([lost.promise, ping(state, client)])
  } finally {
    state.client = undefined
    await disconnect(client)
  }
}

/** Ends the connection in order, or cuts it when the server does not respond. */
async function disconnect(client: pg.Client): Promise<void> {
  const cutting = setTimeout(() => client.connection.stream.destroy(), closingMs)
  await client.end().catch(() => undefined)
  clearTimeout(cutting)
}

async function ping({ closing }: Listening, client: pg.Client): Promise<void> {
  while (!closing.signal.aborted) {
    await pause(pingMs, closing.signal)
    if (!closing.signal.aborted) await client.query('/* listener.ping */ select 1')
  }
}

function callHandlers({ channels }: Listening, channel: string, payload: string): void {
  for (const handle of channels.get(channel) ?? []) handle(payload)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => undefined)
}
