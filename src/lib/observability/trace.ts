// Traces the work of the service through OpenTelemetry's API. Without an exporter (`trace-export.ts`) it does nothing.
// An attribute is an id, a count, a name or a code; never a prompt, a path, a message or a key.

import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { Failure } from '../failure.ts'

export type Attributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>

export type OpenSpan = {
  rename(name: string): void
  set(attributes: Attributes): void
  /** Marks the span as failed; `type` is a code. */
  fail(type: string): void
}

export type SpanOptions = {
  readonly kind?: 'server' | 'client'
  /** `traceparent` (W3C) of a trusted caller, whose trace the span continues. */
  readonly parent?: string | undefined
}

/** Runs `work` in a child of the current span. When it throws, only the error's code is recorded. */
export function span<T>(
  name: string,
  attributes: Attributes,
  work: (open: OpenSpan) => Promise<T>,
  options: SpanOptions = {},
): Promise<T> {
  const above = options.kind === 'server' ? fromCaller(options.parent) : context.active()
  const made = { kind: kindOf(options.kind), attributes: { ...attributes } }
  return trace.getTracer('docent').startActiveSpan(name, made, above, async (span) => {
    try {
      return await work(toOpen(span))
    } catch (error) {
      fail(span, errorType(error))
      throw error
    } finally {
      span.end()
    }
  })
}

/** The id of the current trace, for log lines. */
export function currentTrace(): { readonly traceId?: string } {
  const found = trace.getActiveSpan()?.spanContext()
  return found ? { traceId: found.traceId } : {}
}

function toOpen(span: Span): OpenSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    fail: (type) => fail(span, type),
  }
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function errorType(error: unknown): string {
  if (error instanceof Failure) return error.code
  return error instanceof Error ? error.name : 'unknown'
}

function kindOf(kind: SpanOptions['kind']): SpanKind {
  if (kind === 'server') return SpanKind.SERVER
  return kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL
}

function fromCaller(header: string | undefined): Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags ?? '0', 16) & 1
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
