// Declares operations, as the OpenAPI document describes them and as requests are checked. One without a declared need does
// not compile (`App` in context.ts).

import type { RouteConfig } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import type { FailureCode } from '../../lib/failure.ts'
import type { App, AppEnv } from '../context.ts'
import { ignoreBody, readJson, readOptionalJson } from '../request/body.ts'
import { type Need, needField, ruleOf } from './need.ts'
import { problems } from './responses.ts'

const analytics = '/v1/analytics/{projectId}'

/** The routes that `request/misspelt-parameters.ts` checks. */
export const withoutMisspeltParameters = `${analytics.replace('{projectId}', ':projectId')}/*`

function refusesMisspeltParameters(path: string): boolean {
  return path === analytics || path.startsWith(`${analytics}/`)
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'

/** `codes`: the problems that are its own. `responses` replace problems of the same status. */
type Described = Omit<RouteConfig, 'method' | 'path' | 'tags' | 'middleware'> & {
  readonly codes?: readonly FailureCode[]
}

/**
 * Declares the operations of a tag, by method. How the body is read, and the problems that every such operation can meet,
 * follow from the need, the path and the request.
 */
export function operationsOn(tag: string) {
  return {
    get: declare(tag, 'get'),
    post: declare(tag, 'post'),
    put: declare(tag, 'put'),
    patch: declare(tag, 'patch'),
    delete: declare(tag, 'delete'),
    options: declare(tag, 'options'),
  }
}

/** Adds an operation to the document alone: its handler reads the body itself. */
export function describe(app: App, route: RouteConfig): void {
  const described = { ...route, middleware: undefined }
  app.openAPIRegistry.registerPath(described)
}

function declare<const M extends Method>(tag: string, method: M) {
  return <const Path extends string, Own extends Described>(need: Need, path: Path, own: Own) => {
    const { codes = [], ...described } = own
    const body = bodyOf(method, described.request)
    const isRefusable = described.request?.query !== undefined || refusesMisspeltParameters(path)
    const query: readonly FailureCode[] = isRefusable ? ['invalid_input'] : []
    const meets = problems(...callerCodes(need, method, path), ...body.codes, ...query, ...codes)
    // Handlers throw problems: its own responses are all that they return.
    const responses: Own['responses'] = { ...meets, ...own.responses }
    return {
      ...securityOf(need),
      operationId: described.operationId,
      tags: [tag],
      ...described,
      description: [ruleOf(need)?.words, described.description].filter((text) => text !== undefined).join(' '),
      method,
      path,
      middleware: body.middleware,
      responses,
      [needField]: need,
    }
  }
}

function securityOf(need: Need): Pick<RouteConfig, 'security'> {
  if (need === 'public') return { security: [] }
  return need === 'session' ? { security: [{ session: [] }] } : {}
}

/** The refusals of a caller who is not known, lacks the need, or must not know that something exists. */
function callerCodes(need: Need, method: Method, path: string): readonly FailureCode[] {
  if (need === 'public') return []
  // A session needs the same origin to change something, and nothing else.
  const forbidden: readonly FailureCode[] = need === 'session' && method === 'get' ? [] : ['forbidden']
  return ['unauthenticated', ...forbidden, ...(path.includes('{') ? (['not_found'] as const) : [])]
}

type BodyRule = { readonly middleware: MiddlewareHandler<AppEnv>[]; readonly codes: readonly FailureCode[] }

/** How the body is read, and refused. */
function bodyOf(method: Method, request: RouteConfig['request']): BodyRule {
  const tooMuch = ['payload_too_large', 'unsupported_media_type'] as const
  if (request?.body) {
    const middleware = request.body.required === true ? readJson : readOptionalJson
    return { middleware: [middleware], codes: ['invalid_input', ...tooMuch] }
  }
  const hasBody = method !== 'get' && method !== 'options'
  return hasBody ? { middleware: [ignoreBody], codes: tooMuch } : { middleware: [], codes: [] }
}
