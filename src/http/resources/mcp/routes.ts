// The MCP server over HTTP. Its tools send requests to this app as the caller, and get what the caller would get. The SDK is
// loaded with the first request.

import { createMiddleware } from 'hono/factory'
import { Failure } from '../../../lib/failure.ts'
import type { Ask } from '../../../mcp/tool.ts'
import { mayUse } from '../../../projects/keys.ts'
import type { App, AppContext, AppDeps, AppEnv } from '../../context.ts'
import { mcpRoute } from './contract.ts'

export function addMcpRoute(app: App, { redactor, version }: Pick<AppDeps, 'redactor' | 'version'>): void {
  app.openapi(mcpRoute, async (c) => {
    const { respondMcp } = await import('../../../mcp/respond.ts')
    const mayWrite = mayUse(c.get('principal'), 'write')
    const caller = { ask: createAsk(app, c), mayWrite, redact: redactor.redact, version }
    return await respondMcp(c.req.raw, c.req.valid('json'), caller)
  })
}

function createAsk(app: App, c: AppContext): Ask {
  const bindings = { principal: c.get('principal'), address: c.get('address') }
  return async ({ method, path, body, headers = {} }) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const init = { method, headers: { ...type, ...headers }, signal: c.req.raw.signal, ...sent }
    const response = await app.fetch(new Request(`http://docent.local${path}`, init), bindings)
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
    const wait = Number.isFinite(retryAfter) ? retryAfter : undefined
    return { status: response.status, retryAfter: wait, body: await response.json() }
  }
}

/** A page of another site could make a browser send requests to a service on its own machine (DNS rebinding). */
export function refuseOtherOrigins(publicUrl: string) {
  const own = new URL(publicUrl).origin
  return createMiddleware<AppEnv>(async (c, next) => {
    const origin = c.req.header('Origin')
    if (origin !== undefined && origin !== own)
      throw new Failure(
        'forbidden',
        'Pages of other sites may not use this address. Send the request without `Origin`.',
      )
    await next()
  })
}
