// Sends traces to a collector by OTLP over HTTP, in JSON. Loaded only when an endpoint is configured: the packages of
// the SDK are met here alone, and cost nothing otherwise. A collector that does not answer costs spans, never work.

import { setTimeout as delay } from 'node:timers/promises'
import { context, diag, DiagLogLevel, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Log } from './log.ts'
import { shorten } from '../plain-text.ts'
import type { TraceSettings } from './trace-settings.ts'

const flushMs = 3_000
const exportMs = 10_000

/** From now on spans of this process are sent. Returns what sends the rest and ends it, within three seconds. */
export function startTraces(
  settings: TraceSettings,
  { version, log }: { readonly version: string; readonly log: Log },
): () => Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: exportMs,
    keepAlive: false,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportMs })],
  })
  diag.setLogger(toLog(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
  return async () => {
    const timer = new AbortController()
    const late = delay(flushMs, undefined, { signal: timer.signal }).catch(() => undefined)
    await Promise.race([provider.shutdown().catch(() => undefined), late])
    timer.abort()
    trace.disable()
    context.disable()
    diag.disable()
  }
}

/** What the SDK complains of is about sending: the beginning of it is enough. */
function toLog(log: Log) {
  const complain = (message: string) => log.warn({ reason: shorten(message, 300) }, 'traces could not be sent')
  const ignore = () => undefined
  return { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore }
}
