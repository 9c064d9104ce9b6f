// For handlers with the shape of fetch, such as edge functions: records a page view once the response is made, and
// asks the platform to wait until it is sent. Knows no platform by name.

import { join } from './page-view.ts'
import type { Recorder } from './record.ts'

type Platform = { readonly waitUntil: (promise: Promise<unknown>) => void }

export type FetchOptions<Rest extends readonly unknown[]> = {
  /** Who asks. Default: nobody; each platform says it in a place of its own. */
  readonly address?: (request: Request, ...rest: Rest) => string | undefined
  /** Of the site, `https://docs.example.com`. Default: as it was asked. */
  readonly origin?: string
}

/** Answers what `handler` answers, and throws what it throws. */
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
      const answered = {
        method,
        url: options.origin === undefined ? url : join(options.origin, url),
        header: (name: string) => headers.get(name),
        address: options.address?.(request, ...rest),
        time,
        status: response.status,
        contentType: response.headers.get('content-type'),
      }
      const platform = rest.find(isPlatform)
      if (platform) platform.waitUntil(recorder.send(answered))
      else recorder.record(answered)
    } catch {
      // The page goes on without being recorded.
    }
    return response
  }
}

function isPlatform(context: unknown): context is Platform {
  return typeof (context as Partial<Platform> | null | undefined)?.waitUntil === 'function'
}
