// The client of `get.ts`, in a thread of its own, so that it takes no time from the server under measurement.

import { Agent, request } from 'node:http'
import { parentPort } from 'node:worker_threads'
import { timed } from './engines.ts'

export type Order = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly count: number
  readonly width: number
}
export type Served = { readonly seconds: number; readonly etag: string; readonly status: number }

parentPort?.on('message', ({ url, headers, count, width }: Order) => {
  const agent = new Agent({ keepAlive: true, maxSockets: width })
  const last = { etag: '', status: 0 }
  const get = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const outgoing = request(url, { agent, headers }, (incoming) => {
      last.etag = String(incoming.headers.etag)
      last.status = incoming.statusCode ?? 0
      incoming.resume()
      incoming.on('end', resolve)
    })
    outgoing.on('error', reject)
    outgoing.end()
    return promise
  }
  void serve(timed(count, width, get), agent, last)
})

async function serve(work: Promise<number>, agent: Agent, last: Omit<Served, 'seconds'>): Promise<void> {
  const seconds = await work
  agent.destroy()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage({ seconds, ...last } satisfies Served)
}
