// Sends traces to a collector with OTLP over HTTP, in JSON. Loaded only when an endpoint is configured, because only
// this file imports the SDK. When a collector does not respond, spans are lost and the work continues.

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

/** Starts sending spans. The returned function sends the remaining ones and stops, within three seconds. */
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

/** The SDK's warnings and errors are about sending; the log gets the beginning of each. */
function toLog(log: Log) {
  const warn = (message: string) => log.warn({ reason: shorten(message, 300) }, 'traces could not be sent')
  const ignore = () => undefined
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
}
