// A server that sends scripted bytes of the streaming protocols of four providers over a real socket, for shapes and faults
// that a mock of a whole provider cannot produce. Records every request.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One response: a status with a body, or the events of a stream. */
export type WireAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly events?: readonly object[]
  /** The server says nothing, not even a status. */
  readonly silent?: true
  /** Runs before the answer is sent. */
  readonly before?: () => Promise<unknown>
  /** After the events, the stream ends normally (`end`), is cut, or stays open without sending anything (`hang`). */
  readonly ending?: 'end' | 'cut' | 'hang'
}

export type WireRequest = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: WireBody }
export type WireBody = Readonly<Record<string, unknown>>

export interface WireServer {
  readonly url: string
  readonly requests: readonly WireRequest[]
  /** Sets the responses to the next requests, in order. The last one repeats. */
  play(...answers: readonly WireAnswer[]): void
  close(): Promise<void>
}

export async function startWireServer(): Promise<WireServer> {
  const requests: WireRequest[] = []
  const left: WireAnswer[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request)) as WireBody
      requests.push({ url: request.url ?? '', headers: request.headers, body })
      const answer: WireAnswer = (left.length > 1 ? left.shift() : left[0]) ?? {
        status: 500,
        body: { error: 'no script' },
      }
      await answer.before?.()
      give(response, answer)
    })().catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    play: (...answers) => void left.splice(0, left.length, ...answers),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function give(response: ServerResponse, answer: WireAnswer): void {
  if (answer.silent) return
  if (!answer.events) {
    response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body ?? {}))
    return
  }
  response.writeHead(answer.status ?? 200, { 'Content-Type': 'text/event-stream', ...answer.headers })
  for (const event of answer.events) {
    const name = 'type' in event && typeof event.type === 'string' ? `event: ${event.type}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  if (answer.ending === 'hang') return
  if (answer.ending !== 'cut') response.end()
  // Waits two turns of the event loop, so that the written data is sent first.
  else setImmediate(() => setImmediate(() => response.destroy()))
}
