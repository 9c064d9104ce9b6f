// Makes the OpenAPI document small: a parameter that several operations have in the same form becomes a component, and the
// operations refer to it. Its description is written once, not also in its schema.

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../context.ts'

type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
type Components = NonNullable<Document['components']>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
type Parameter = NonNullable<Operation['parameters']>[number]

/** A copy of the document. Parameters of the same name in other forms stay where they are. */
export function shareParameters(document: Document): Document {
  const uses = new Map<string, number>()
  mapParameters(document, (parameter) => {
    const text = JSON.stringify(parameter)
    uses.set(text, (uses.get(text) ?? 0) + 1)
    return parameter
  })
  const shared: NonNullable<Components['parameters']> = {}
  const paths = mapParameters(document, (parameter) => {
    if ('$ref' in parameter || (uses.get(JSON.stringify(parameter)) ?? 0) < 2) return parameter
    const name = toComponentName(parameter)
    shared[name] ??= parameter
    return JSON.stringify(shared[name]) === JSON.stringify(parameter)
      ? { $ref: `#/components/parameters/${name}` }
      : parameter
  })
  return { ...document, paths, components: { ...document.components, parameters: shared } }
}

function mapParameters(
  document: Document,
  change: (parameter: Parameter) => Parameter,
): NonNullable<Document['paths']> {
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]: [string, Operation]) => {
      const { parameters } = operation
      return [method, parameters ? { ...operation, parameters: parameters.map(describedOnce).map(change) } : operation]
    })
    return [path, Object.fromEntries(operations)]
  })
  return Object.fromEntries(paths)
}

function describedOnce(parameter: Parameter): Parameter {
  if ('$ref' in parameter || !parameter.schema || !('description' in parameter.schema)) return parameter
  const { description, ...schema } = parameter.schema
  return { ...parameter, schema, ...(description === undefined ? {} : { description }) }
}

/** `projectId` is `ProjectId`, the header `If-None-Match` is `IfNoneMatchHeader`. */
function toComponentName({ name, in: place }: Exclude<Parameter, { $ref: string }>): string {
  const words = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return place === 'header' ? `${words}Header` : words
}
