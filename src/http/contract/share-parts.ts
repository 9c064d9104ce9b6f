// Makes the OpenAPI document small: a parameter, or a response other than success, that several operations have in the
// same form becomes a component, and the operations refer to it.

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../context.ts'

type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
type Parameter = NonNullable<Operation['parameters']>[number]
type Response = NonNullable<NonNullable<Document['components']>['responses']>[string]

/** A copy of the document. What one operation alone has stays where it is; so does another form of the same name. */
export function shareParts(document: Document): Document {
  const parameters = createShared<Parameter>('parameters', toParameterName)
  const responses = createShared<Response>('responses', toResponseName)
  const each = (step: 'count' | 'share') =>
    mapOperations(document, (operation) => {
      const others = Object.entries<Response>(operation.responses ?? {}).map(([status, response]) => {
        return [status, Number(status) < 300 ? response : responses[step](response, status)]
      })
      const shared = operation.parameters?.map((one) => parameters[step](describedOnce(one), ''))
      return { ...operation, ...(shared ? { parameters: shared } : {}), responses: Object.fromEntries(others) }
    })
  each('count')
  const paths = each('share')
  const components = { ...document.components, parameters: parameters.made, responses: responses.made }
  return { ...document, paths, components }
}

type Reference = { readonly $ref: string }

function createShared<Part extends object>(place: string, toName: (part: Part, status: string) => string) {
  const uses = new Map<string, number>()
  const made: Record<string, Part> = {}
  return {
    made,
    count: (part: Part): Part => {
      const text = JSON.stringify(part)
      uses.set(text, (uses.get(text) ?? 0) + 1)
      return part
    },
    share: (part: Part, status: string): Part | Reference => {
      const text = JSON.stringify(part)
      if ('$ref' in part || (uses.get(text) ?? 0) < 2) return part
      const name = toName(part, status)
      made[name] ??= part
      return JSON.stringify(made[name]) === text ? { $ref: `#/components/${place}/${name}` } : part
    },
  }
}

function mapOperations(document: Document, change: (operation: Operation) => object): NonNullable<Document['paths']> {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [method, change(operation as Operation)])
    return [path, Object.fromEntries(operations)]
  })
  return Object.fromEntries(paths)
}

/** Its description is written once, not also in its schema. */
function describedOnce(parameter: Parameter): Parameter {
  if ('$ref' in parameter || !parameter.schema || !('description' in parameter.schema)) return parameter
  const { description, ...schema } = parameter.schema
  return { ...parameter, schema, ...(description === undefined ? {} : { description }) }
}

/** `projectId` is `ProjectId`, the header `If-None-Match` is `IfNoneMatchHeader`. */
function toParameterName(parameter: Parameter): string {
  if ('$ref' in parameter) return ''
  return parameter.in === 'header' ? `${toCamel(parameter.name)}Header` : toCamel(parameter.name)
}

/** `not_found` at 404 is `NotFound404`; several codes are joined with `Or`. A 304 has the name of its first own header. */
function toResponseName(response: Response, status: string): string {
  const [, , header] = 'headers' in response ? Object.keys(response.headers ?? {}) : []
  if (status === '304') return header === undefined ? 'NotModified304' : `NotModifiedWith${toCamel(header)}304`
  const codes = /"enum":\["([a-z_",]+)"\]/.exec(JSON.stringify(response))?.[1]?.split('","') ?? ['page']
  return `${codes.map(toCamel).join('Or')}${status}`
}

function toCamel(name: string): string {
  return name.replaceAll(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
}
