// How operations describe their responses: a body with its headers, and problems with their codes.

import { z } from '@hono/zod-openapi'
import { type FailureCode, failures } from '../../lib/failure.ts'

const headerDescriptions = {
  'X-Request-Id': always('Identifies this request in the log of the service.'),
  Location: always('The path of the new resource.'),
  'Retry-After': sometimes('Seconds to wait before you poll again or retry.'),
  ETag: always('A strong entity tag: it changes whenever the body changes.'),
  RateLimit: always(
    'The rest of the limit: `"creates";r=99;t=3600` (requests left, seconds until reset). An export counts once for every 20 ms that the store works on it, and at least once.',
  ),
  'RateLimit-Policy': always(
    'The limit: `"creates";q=100;w=3600` (requests, window in seconds). That of exports is for each key, person and shared link of a project, the others for the project.',
  ),
  'Idempotency-Replayed': sometimes('`true` if this is a replay of the first response.'),
  'WWW-Authenticate': sometimes('The authentication that the request needs (RFC 6750).'),
  'Docent-Count': always('`exact`: counts are never estimated or sampled.'),
  'Docent-Answered-From': always(
    '`counters`, `rows`, or `both`: counters for some visitor windows, rows for the others. The counts are the same.',
  ),
  'Docent-Visitor-Window': always(
    'How long a visitor is recognised as the same one: `day`, `week`, `month` or `never` (no limit).',
  ),
  'Docent-Visitor-Windows': always(
    'How many visitor windows the range spans. If more than 1, a visitor of several counts once in each.',
  ),
  'Docent-Date-From': always('The first day of the range.'),
  'Docent-Date-To': always('The day after the last day of the range.'),
}
export type HeaderName = keyof typeof headerDescriptions

/** Every response that declares the header has it. */
function always(description: string) {
  return { description, required: true, schema: { type: 'string' as const } }
}

function sometimes(description: string) {
  return { ...always(description), required: false }
}

/** The headers as components of the document. */
export function headerComponents() {
  return Object.entries(headerDescriptions).map(([name, header]) => ({ name, header }))
}

export function headers(...names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** A response with a JSON body. */
export function json<Schema extends z.ZodType>(description: string, schema: Schema, ...names: readonly HeaderName[]) {
  return { description, headers: headers(...names), content: { 'application/json': { schema } } }
}

/** A required JSON body. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } }
}

/** A JSON body that may be missing. */
export function optionalBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: false, content: { 'application/json': { schema } } }
}

/** A response without a body. */
export function empty(description: string) {
  return { description, headers: headers() }
}

/** Declares 304: the caller's copy is current. */
export function notModified(...names: readonly HeaderName[]) {
  return {
    304: { description: 'The response with this entity tag is still current.', headers: headers('ETag', ...names) },
  }
}

/** The request headers of operations whose responses have an entity tag. */
export const conditional = z.object({
  'If-None-Match': z.string().optional().openapi({ description: 'Entity tags of responses that you have, or `*`.' }),
})

/** A response with a body of text, such as a diff. */
export function textBody(
  type: string,
  description: string,
  options: { readonly example?: string; readonly headers?: readonly HeaderName[] } = {},
) {
  const schema = z.string().openapi(options.example === undefined ? {} : { example: options.example })
  return { description, headers: headers(...(options.headers ?? [])), content: { [type]: { schema } } }
}

const headersOfProblems: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Declares the problems of an operation, by status. Adds those that any request can meet. */
export function problems(...codes: readonly FailureCode[]) {
  const all = new Set([...codes, 'internal', 'unavailable'] as const)
  const byStatus = Map.groupBy(all, (code) => failures[code].status)
  return {
    ...Object.fromEntries([...byStatus].map(([status, group]) => [status, problem(status, group)])),
    ...headersTooLarge(),
  }
}

/** The server refuses such a request before any operation sees it. */
function headersTooLarge() {
  const { content, headers } = problem(431, ['payload_too_large'])
  return {
    431: { description: '`payload_too_large`: The path and the headers have more than 16 KiB.', headers, content },
  }
}

/** Every operation that reads a repository may refuse with these. */
export const readsRepository = ['repository_unreachable', 'repository_unauthorized', 'repository_invalid'] as const

function problem(status: number, codes: readonly FailureCode[]) {
  // A refusal because of a rate limit shows the limit.
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
