// Makes the OpenAPI document small: a response other than success that several operations have in the same form becomes a
// component named after its codes, and the operations refer to it.

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../context.ts'

type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
type Response = NonNullable<NonNullable<Document['components']>['responses']>[string]

/** A copy of the document. Responses that only one operation has stay where they are. */
export function shareResponses(document: Document): Document {
  const uses = new Map<string, number>()
  mapOthers(document, (text, response) => {
    uses.set(text, (uses.get(text) ?? 0) + 1)
    return response
  })
  const responses: Record<string, Response> = {}
  const paths = mapOthers(document, (text, response, status) => {
    if ((uses.get(text) ?? 0) < 2) return response
    const name = nameOf(text, status)
    responses[name] = response
    return { $ref: `#/components/responses/${name}` }
  })
  return { ...document, paths, components: { ...document.components, responses } }
}

type Change = (text: string, response: Response, status: string) => Response

function mapOthers(document: Document, change: Change): NonNullable<Document['paths']> {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const entries = Object.entries<Response>((operation as { responses: Record<string, Response> }).responses)
      const responses = entries.map(([status, response]) => {
        return [status, Number(status) >= 300 ? change(JSON.stringify(response), response, status) : response]
      })
      return [method, { ...operation, responses: Object.fromEntries(responses) }]
    })
    return [path, Object.fromEntries(operations)]
  })
  return Object.fromEntries(paths)
}

/** `not_found` at 404 is `NotFound404`; several codes are joined with `Or`. */
function nameOf(text: string, status: string): string {
  if (status === '304') return 'NotModified304'
  const codes = /"enum":\["([a-z_",]+)"\]/.exec(text)?.[1]?.split('","') ?? ['page']
  const names = codes.map((code) => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
  return `${names.join('Or')}${status}`
}
