// A loopback service that accepts page views as Docent does, with scripted faults, for tests of clients. It stores page
// views by id and counts how often each id arrived.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type TakenView = { readonly id: string; readonly timestamp: number; readonly [field: string]: unknown }

/** The fate of a request instead of a correct response. `cut-after`: it is stored, and the response is lost. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'cut' }
  | { readonly kind: 'cut-after' }
  | { readonly kind: 'silent' }

export type RecordingService = Awaited<ReturnType<typeof openRecordingService>>

export async function openRecordingService(faults: Fault[] = []) {
  const requests: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly ids: readonly string[] }[] =
    []
  const stored = new Map<string, TakenView>()
  const watchers = new Set<() => void>()
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const views = (await text(request)).split('\n').map((line) => JSON.parse(line) as TakenView)
    requests.push({ url: request.url ?? '', headers: request.headers, ids: views.map(({ id }) => id) })
    const fault = faults.shift()
    if (fault === undefined || fault.kind === 'cut-after') for (const view of views) stored.set(view.id, view)
    answer(response, fault, views.length)
    for (const watcher of watchers) watcher()
  }
  const server = createServer((request, response) => void take(request, response))
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    views: () => [...stored.values()],
    /** Resolves when this many requests have arrived. */
    until: async (count: number) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = () => (requests.length >= count ? resolve() : undefined)
      watchers.add(look)
      look()
      await promise
      watchers.delete(look)
    },
    close: async () => {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

function answer(response: ServerResponse, fault: Fault | undefined, count: number): void {
  switch (fault?.kind) {
    case undefined:
      response.writeHead(202, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ accepted: count, rejected: [] }))
      return
    case 'answer':
      response.writeHead(fault.status, fault.headers)
      response.end(JSON.stringify({ detail: 'as the test wants it' }))
      return
    case 'cut':
    case 'cut-after':
      response.destroy()
      return
    case 'silent':
      return
    default:
      throw new Error('there is no such fault', { cause: fault satisfies never })
  }
}
