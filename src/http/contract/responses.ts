// The words in which the operations are described: answers with their headers, and problems with their codes.

import type { z } from '@hono/zod-openapi'
import { type FailureCode, failures } from '../../lib/failure.ts'

const headerNames = [
  'X-Request-Id',
  'Location',
  'Retry-After',
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
  'WWW-Authenticate',
  'Docent-Count',
  'Docent-Visitor-Window',
  'Docent-Date-From',
  'Docent-Date-To',
] as const
export type HeaderName = (typeof headerNames)[number]

/** Whether an answer that names a header always has it, or only when its description says so. */
const headerDescriptions: Readonly<Record<HeaderName, { readonly always: boolean; readonly description: string }>> = {
  'X-Request-Id': { always: true, description: 'Names this request in the log of the service.' },
  Location: { always: true, description: 'Path of what was created.' },
  'Retry-After': { always: false, description: 'Seconds to wait: before the next poll, or before sending it again.' },
  ETag: { always: true, description: 'Strong; changes with every change of the body.' },
  RateLimit: { always: true, description: 'What is left: `"creates";r=99;t=3600` (requests, seconds until reset).' },
  'RateLimit-Policy': {
    always: true,
    description: 'The limit: `"creates";q=100;w=3600` (requests, window in seconds).',
  },
  'Idempotency-Replayed': { always: false, description: '`true` when this is the first answer given again.' },
  'WWW-Authenticate': { always: false, description: 'What authentication is asked for (RFC 6750).' },
  'Docent-Count': { always: true, description: '`exact`: nothing is estimated or sampled.' },
  'Docent-Visitor-Window': { always: true, description: 'How long a visitor is told to be the same one: `month`.' },
  'Docent-Date-From': { always: true, description: 'The first day that was counted.' },
  'Docent-Date-To': { always: true, description: 'The day after the last one that was counted.' },
}

/** The headers as components of the document. */
export function headerComponents() {
  return headerNames.map((name) => {
    const { always, description } = headerDescriptions[name]
    return { name, header: { description, required: always, schema: { type: 'string' as const } } }
  })
}

export function headers(...names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** An answer with a JSON body. */
export function json<Schema extends z.ZodType>(description: string, schema: Schema, ...names: readonly HeaderName[]) {
  return { description, headers: headers(...names), content: { 'application/json': { schema } } }
}

/** A required JSON body. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } }
}

const headersOfProblems: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The problems that an operation may answer, by status. Every operation may answer `internal` and `unavailable`. */
export function problems(...codes: readonly FailureCode[]) {
  const all = [...codes, 'internal', 'unavailable'] as const
  const byStatus = Map.groupBy(all, (code) => failures[code].status)
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, problem(status, group)]))
}

/** What every operation behind a key may answer. */
export const guarded = ['unauthenticated', 'forbidden', 'not_found'] as const satisfies readonly FailureCode[]
/** What every operation with a body may answer. */
export const withBody = ['invalid_input', 'payload_too_large', 'unsupported_media_type'] as const

function problem(status: number, codes: readonly FailureCode[]) {
  // Whatever an operation with a rate limit refuses, it tells of the limit.
  const limited: readonly HeaderName[] = codes.includes('rate_limited') ? ['RateLimit', 'RateLimit-Policy'] : []
  const lines = codes.map((code) => `\`${code}\`: ${failures[code].title}. ${failures[code].todo}`)
  return {
    description: lines.join('\n\n'),
    headers: headers(...(headersOfProblems[status] ?? []), ...limited),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: [...codes] } } }] },
      },
    },
  }
}
