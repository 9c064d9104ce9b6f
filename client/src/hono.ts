// For Hono, on any platform: records a page view after the handlers that follow. Knows only the shape of Hono's
// context, so Hono is not a dependency.

import { join } from './page-view.ts'
import type { Recorder } from './record.ts'

type HonoContext = {
  readonly req: { readonly raw: Request; readonly header: (name: string) => string | undefined }
  readonly res: Response
  readonly env: unknown
  /** Throws on platforms without an execution context. */
  readonly executionCtx: { readonly waitUntil: (promise: Promise<unknown>) => void }
}

export type HonoOptions = {
  /**
   * Returns the client's address. Default: the peer of the connection on Node.js, and no address on other platforms.
   */
  readonly address?: (c: HonoContext) => string | undefined
  /** Returns the country that your CDN names, as ISO 3166-1 has it: `DE`. Default: no country. */
  readonly country?: (c: HonoContext) => string | null | undefined
  /**
   * The origin of the site, `https://docs.example.com`: behind a proxy the server may not know it. Default: the origin
   * of the request.
   */
  readonly origin?: string
}

export function recordPageViews(recorder: Recorder, options: HonoOptions = {}) {
  return async (c: HonoContext, next: () => Promise<void>): Promise<void> => {
    const time = Date.now()
    const address = quietly(() => (options.address ?? connectedAddress)(c))
    await next()
    quietly(() => {
      const { method, url, headers } = c.req.raw
      const exchange = {
        method,
        url: options.origin === undefined ? url : join(options.origin, url),
        header: (name: string) => headers.get(name),
        address,
        country: options.country?.(c) ?? undefined,
        time,
        status: c.res.status,
        contentType: c.res.headers.get('content-type'),
      }
      const platform = quietly(() => c.executionCtx)
      if (platform) platform.waitUntil(recorder.send(exchange))
      else recorder.record(exchange)
    })
  }
}

/** Reads the address from the node:http request that `@hono/node-server` provides. */
function connectedAddress({ env }: HonoContext): string | undefined {
  const { incoming } = env as { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress
}

/** Swallows errors: the page must not see an error of the recording, and a platform may lack `waitUntil`. */
function quietly<Result>(act: () => Result): Result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
