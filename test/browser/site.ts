// A published site and the service beside it, on two origins of the loopback, for a real browser: the one serves pages
// with the tracker in them, the other serves the tracker and writes down what is sent. Neither knows what is right.

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { readScript } from '../../src/http/resources/script.ts'

export const siteId = 'site_0123456789abcdefghij'
const script = readScript()

export type Beacon = { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }
export type Page = {
  readonly html: (tag: string) => string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}
export type Site = Awaited<ReturnType<typeof openSite>>

/** Pages by path; all others are a plain page with the tag in its head. The caller closes it. */
export async function openSite() {
  const beacons: Beacon[] = []
  const requests: string[] = []
  const pages = new Map<string, Page>()
  const watchers = new Set<() => void>()
  const held: ServerResponse[] = []
  const seen = () => {
    for (const watcher of watchers) watcher()
  }
  const showPage = (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    requests.push(`${request.method} ${path} ${String(request.headers['sec-purpose'] ?? '')}`.trim())
    const page: Page = pages.get(path) ?? {
      html: (tag: string) => `<head><title>${path}</title>${tag}</head><p>${path}`,
    }
    response.writeHead(page.status ?? 200, { 'Content-Type': 'text/html', ...page.headers })
    response.end(`<!doctype html>${page.html(tag())}`)
    seen()
  }
  const site = await listen(showPage)
  const service = await listen(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await text(request)
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (url === '/v1/script.js') response.setHeader('Content-Type', 'text/javascript').end(script)
    else if (url.startsWith('/v1/collect/')) {
      requests.push(`${method} ${url}`)
      beacons.push({ url, headers, body })
      response.writeHead(202).end()
    } else if (url.startsWith('/held')) held.push(response)
    else showPage(request, response)
    seen()
  })
  const tag = (attributes = 'defer') =>
    `<script ${attributes} src="${originOf(service)}/v1/script.js" data-site="${siteId}"></script>`
  return {
    origin: originOf(site),
    service: originOf(service),
    tag,
    pages,
    beacons,
    requests,
    /** The paths of the reported page views, in order. */
    views: () => beacons.map(({ body }) => new URL((JSON.parse(body) as { url: string }).url).pathname),
    until: async (holds: () => boolean) => await until(holds, watchers, () => requests),
    held: () => held.length,
    release: () => {
      for (const response of held) response.end()
    },
    close: () => {
      for (const response of held) response.destroy()
      for (const server of [service, site]) server.close().closeAllConnections()
    },
  }
}

const patienceMs = 60_000

/** Asks again after every request; rejects when it has not held in time. */
async function until(
  holds: () => boolean,
  watchers: Set<() => void>,
  requests: () => readonly string[],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () => (holds() ? resolve() : undefined)
  const timer = setTimeout(() => reject(new Error(`it did not come, only ${requests().join(', ')}`)), patienceMs)
  watchers.add(look)
  look()
  try {
    await promise
  } finally {
    clearTimeout(timer)
    watchers.delete(look)
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

async function listen(answer: Answer): Promise<Server> {
  const server = createServer((request, response) => void answer(request, response))
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return server
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
