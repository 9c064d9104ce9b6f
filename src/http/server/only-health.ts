// Limits a worker's HTTP to its health and metrics. Every other path is a 404.

import type { FetchHandler } from './server.ts'

const paths: readonly string[] = ['/healthz', '/readyz', '/metrics']

export function onlyHealth(app: FetchHandler): FetchHandler {
  return {
    fetch: (request, bindings) => {
      if (paths.includes(new URL(request.url).pathname)) return app.fetch(request, bindings)
      return new Response('A worker serves only /healthz, /readyz and /metrics.\n', { status: 404 })
    },
  }
}
