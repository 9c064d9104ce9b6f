// The service itself over HTTP: liveness, readiness, metrics, the OpenAPI document and the reference.

import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../../lib/failure.ts'
import { describeClock } from '../../../time-guard/clock-state.ts'
import { entityTag, matchesTag } from '../../request/conditional.ts'
import type { App, AppContext, AppDeps } from '../../context.ts'
import { documentRoute, healthRoute, metricsRoute, readyRoute, referenceRoute } from './contract.ts'
import { buildDocument, type Document } from '../../document.ts'
import { pageResponse, stylesheet } from '../../pages/page.ts'
import { renderReference } from '../../pages/reference.ts'

const readyTimeoutMs = 5_000

export function addMetaRoutes(app: App, deps: AppDeps): void {
  addDocumentRoutes(app, deps)
  app.openapi(healthRoute, (c) => c.json({ status: 'ok' as const }, 200))
  app.openapi(readyRoute, async (c) => {
    const pageViewLog = await checkStores(deps)
    const state = deps.clockState()
    const detail = state.kind === 'trusted' ? null : describeClock(state)
    const clock = { state: state.kind, detail }
    const disk = await deps.diskState()
    const forwarded = deps.unusedForwards.find() ?? null
    return c.json({ status: 'ok' as const, clock, disk, pageViewLog, forwarded }, 200)
  })
  app.openapi(metricsRoute, async (c) => {
    const { contentType, text } = await deps.metrics.scrape()
    return c.text(text, 200, { 'Content-Type': contentType })
  })
}

function addDocumentRoutes(app: App, deps: AppDeps): void {
  const built = once(() => buildDocument(app, deps))
  const style = stylesheet('reference')
  app.get('/reference.css', (c) => style.respond(c))
  app.openapi(documentRoute, (c) => {
    const { text, tag } = built()
    return isKnown(c, tag) ? c.body(null, 304) : c.body(text, 200, { 'Content-Type': 'application/json' })
  })
  app.openapi(referenceRoute, (c) => {
    const { document, tag } = built()
    return isKnown(c, tag) ? c.body(null, 304) : pageResponse(c, renderReference(document, style.href))
  })
}

async function checkStores(deps: AppDeps): ReturnType<AppDeps['ready']> {
  const timer = new AbortController()
  const late = delay(readyTimeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('the stores did not respond in time')
  })
  try {
    return await Promise.race([deps.ready(), late])
  } catch (cause) {
    throw new Failure('unavailable', 'A store of the service does not respond.', { cause, retryAfter: 5 })
  } finally {
    timer.abort()
    late.catch(() => undefined)
  }
}

function isKnown(c: AppContext, tag: string): boolean {
  c.header('ETag', tag)
  c.header('Cache-Control', 'no-cache')
  return matchesTag(c.req.header('If-None-Match'), tag)
}

/** Builds at the first request, when every route is there. */
function once(build: () => Document) {
  const cell: { built?: { document: Document; text: string; tag: string } } = {}
  return () => {
    if (cell.built) return cell.built
    const document = build()
    const text = JSON.stringify(document)
    cell.built = { document, text, tag: entityTag('doc', text) }
    return cell.built
  }
}
