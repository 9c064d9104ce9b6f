// For handlers with the shape of fetch, such as edge functions: records a page view after the response is created, and
// asks the platform to wait until the page view is sent. Knows no platform by name.

import { join } from './page-view.ts'
import type { Recorder } from './record.ts'

type Platform = { readonly waitUntil: (promise: Promise<unknown>) => void }

export type FetchOptions<Rest extends readonly unknown[]> = {
  /** Returns the client's address. Default: no address, because every platform provides it differently. */
  readonly address?: (request: Request, ...rest: Rest) => string | undefined
  /** Returns the country that your CDN names, as ISO 3166-1 has it: `DE`. Default: no country. */
  readonly country?: (request: Request, ...rest: Rest) => string | null | undefined
  /** The origin of the site, `https://docs.example.com`. Default: the origin of the request. */
  readonly origin?: string
}

/** Wraps `handler`: returns its response, and throws its errors. */
export function recordPageViews<Rest extends readonly unknown[]>(
  recorder: Recorder,
  handler: (request: Request, ...rest: Rest) => Response | Promise<Response>,
  options: FetchOptions<Rest> = {},
) {
  return async (request: Request, ...rest: Rest): Promise<Response> => {
    const time = Date.now()
    const response = await handler(request, ...rest)
    try {
      const { method, url, headers } = request
      const exchange = {
        method,
        url: options.origin === undefined ? url : join(options.origin, url),
        header: (name: string) => headers.get(name),
        address: options.address?.(request, ...rest),
        country: options.country?.(request, ...rest) ?? undefined,
        time,
        status: response.status,
        contentType: response.headers.get('content-type'),
      }
      const platform = rest.find(isPlatform)
      if (platform) platform.waitUntil(recorder.send(exchange))
      else recorder.record(exchange)
    } catch {
      // The page continues without being recorded.
    }
    return response
  }
}

function isPlatform(context: unknown): context is Platform {
  return typeof (context as Partial<Platform> | null | undefined)?.waitUntil === 'function'
}
