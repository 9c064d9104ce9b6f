// The client of `collect.ts`, in a process of its own. Sends page views, one or a hundred per POST, each with a new id.

import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { timed } from './engines.ts'

export type Order = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Page views per request; 1 sends them as a browser does. */
  readonly size: number
  readonly count: number
  readonly width: number
}
export type Done = {
  readonly seconds: number
  readonly statuses: Readonly<Record<string, number>>
  /** Milliseconds of each request, in order. */
  readonly took: readonly number[]
}

process.on('message', ({ url, headers, size, count, width }: Order) => {
  const agent = new Agent({ keepAlive: true, maxSockets: width })
  const statuses: Record<string, number> = {}
  const took: number[] = []
  // Created before the clock starts, because the client shares the machine with the server.
  const bodies = Array.from({ length: count }, (_, n) => (size === 1 ? makeOne(n) : makeMany(n, size)))
  const send = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const body = bodies.pop() ?? ''
    const begin = performance.now()
    const length = { 'Content-Length': String(Buffer.byteLength(body)) }
    const outgoing = request(url, { agent, method: 'POST', headers: { ...headers, ...length } }, (incoming) => {
      const status = String(incoming.statusCode)
      statuses[status] = (statuses[status] ?? 0) + 1
      incoming.resume()
      incoming.on('end', () => {
        took.push(performance.now() - begin)
        resolve()
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
    return promise
  }
  void answer(timed(count, width, send), { statuses, took }, agent)
})

async function answer(work: Promise<number>, { statuses, took }: Omit<Done, 'seconds'>, agent: Agent): Promise<void> {
  const seconds = await work
  agent.destroy()
  process.send?.({ seconds, statuses, took: took.toSorted((a, b) => a - b) } satisfies Done)
}

function makeOne(n: number): string {
  return JSON.stringify({ id: randomUUID(), url: `https://docs.example.com/guides/page-${n % 500}` })
}

function makeMany(n: number, size: number): string {
  return JSON.stringify(Array.from({ length: size }, (_, at) => makeView(n * size + at)))
}

function makeView(n: number) {
  return {
    id: randomUUID(),
    timestamp: Date.now() - (n % 86_400_000),
    url: `https://docs.example.com/guides/page-${n % 500}`,
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${120 + (n % 23)}.0.0.0 Safari/537.36`,
    address: `192.0.${n % 256}.${(n >> 8) % 256}`,
    status: 200,
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' },
  }
}
