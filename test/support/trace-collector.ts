// A trace collector behind a real socket: accepts OTLP over HTTP in JSON and keeps the spans.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type CollectedSpan = {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** 2 means error. */
  readonly status: number
}

export interface TraceCollector {
  readonly endpoint: string
  readonly spans: readonly CollectedSpan[]
  /** The bodies of all requests, unchanged. */
  readonly bodies: readonly string[]
  readonly headers: readonly NodeJS.Dict<string | string[]>[]
  readonly resource: Readonly<Record<string, unknown>>
  close(): Promise<void>
}

type Pair = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}
type SentSpan = Omit<CollectedSpan, 'attributes' | 'status'> & {
  readonly attributes: readonly Pair[]
  readonly status: { readonly code?: number }
}

/** `hang`: accepts requests and never responds. */
export async function startTraceCollector(options: { readonly hang?: boolean } = {}): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  const headers: NodeJS.Dict<string | string[]>[] = []
  const resource: Record<string, unknown> = {}
  const take = (body: string) => {
    for (const group of (JSON.parse(body) as Sent).resourceSpans) {
      Object.assign(resource, values(group.resource.attributes))
      spans.push(...group.scopeSpans.flatMap((scope) => scope.spans.map(toCollected)))
    }
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      bodies.push(body)
      headers.push(request.headers)
      if (options.hang) return
      take(body)
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { endpoint: `http://127.0.0.1:${port}`, spans, bodies, headers, resource, close }
}

function toCollected(span: SentSpan): CollectedSpan {
  return { ...span, attributes: values(span.attributes), status: span.status.code ?? 0 }
}

function values(pairs: readonly Pair[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]))
}
