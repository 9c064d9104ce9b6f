// What a worker answers over HTTP: is it alive, do its stores answer, what does it measure. All else is not here.

import type { FetchHandler } from './server.ts'

const paths: readonly string[] = ['/healthz', '/readyz', '/metrics']

export function onlyHealth(app: FetchHandler): FetchHandler {
  return {
    fetch: (request, bindings) => {
      if (paths.includes(new URL(request.url).pathname)) return app.fetch(request, bindings)
      return new Response('A worker answers at /healthz, /readyz and /metrics only.\n', { status: 404 })
    },
  }
}
