// A proxy before a service that fails as a test says: it answers instead, loses the response to a request that the service
// has processed, or cuts a response in the middle.

import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

export type Fault =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }
  | { readonly kind: 'lose' }
  | { readonly kind: 'cut'; readonly afterBytes: number }

export type Seen = {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly key: string | undefined
}

export type FaultyProxy = {
  readonly url: string
  /** The next requests get these, one after another. */
  readonly faults: Fault[]
  /** All requests and what their callers got; 0 for a lost response. */
  readonly seen: Seen[]
  close(): Promise<void>
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const faults: Fault[] = []
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const fault = faults.shift()
    const { method = '', url = '', headers } = request
    const note = (status: number) =>
      void seen.push({ method, path: url, status, key: headers['idempotency-key'] as string | undefined })
    if (fault?.kind === 'answer') {
      note(fault.status)
      request.resume()
      response.writeHead(fault.status, fault.headers).end(fault.body)
      return
    }
    const forwarded = send(target + url, { method, headers }, (answer) => {
      note(fault?.kind === 'lose' ? 0 : (answer.statusCode ?? 0))
      void relay(answer, response, fault).catch(() => undefined)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    seen,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function relay(answer: IncomingMessage, response: ServerResponse, fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'lose') {
    await answer.resume().toArray()
    response.destroy()
    return
  }
  response.writeHead(answer.statusCode ?? 500, answer.headers)
  if (fault?.kind !== 'cut') return pipeline(answer, response)
  let left = fault.afterBytes
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    await new Promise((resolve) => response.write(chunk.subarray(0, left), resolve))
    left -= chunk.length
    if (left <= 0) break
  }
  response.destroy()
}
