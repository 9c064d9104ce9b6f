// How a client reaches the service, for what sends requests by itself.

import { send, type Sending } from './send.ts'

export type Connection = Sending & {
  /** Without a slash at the end. */
  readonly base: string
  readonly key: string
}

/** A job, as `params.path` of its operations takes it. */
export type JobPath = { readonly projectId: string; readonly id: string }

type Ask = { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal }

/** Sends a GET as `send` does. */
export function get(connection: Connection, path: string, { headers, signal }: Ask): Promise<Response> {
  const { base, key } = connection
  const all = { ...headers, Authorization: `Bearer ${key}` }
  return send(new Request(base + path, { headers: all, signal, redirect: 'manual' }), connection)
}

/** For what lasts longer than a restart of the service: the pauses between these attempts are half a minute at least. */
export function patient(connection: Connection): Connection {
  return { ...connection, attempts: Math.max(8, connection.attempts) }
}

export function pathOf({ projectId, id }: JobPath): string {
  return `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(id)}`
}
