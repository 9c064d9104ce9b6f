// Makes a component of every schema with a title, named after it, and lets each use refer to that: generated clients get one
// named type, and the document gets shorter. Whether it may be null, its default and its example belong to a use; its
// description too, if the uses describe it differently.

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../context.ts'

type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
type Schemas = NonNullable<NonNullable<Document['components']>['schemas']>
type Json = { readonly [name: string]: unknown }
type Titled = Json & { readonly title: string }
type Named = { readonly schema: Json; readonly descriptions: Set<unknown> }

/** A copy of the document. Throws an Error when two different schemas have the same name. */
export function nameSchemas(document: Document): Document {
  const { components, paths } = document
  const named = new Map<string, Named>()
  const existing = new Set(Object.keys(components?.schemas ?? {}))
  const collected = mapTitled({ components, paths }, (titled) => {
    if (existing.has(titled.title)) throw new Error(`Two schemas are called ${titled.title}.`)
    return collect(titled, named)
  })
  const all: Schemas = { ...collected.components?.schemas, ...Object.fromEntries([...named].map(toComponent)) }
  const changed = dropShared({ components: { ...collected.components, schemas: all }, paths: collected.paths }, named)
  return { ...document, ...(changed as Pick<Document, 'components' | 'paths'>) }
}

type Parts = { readonly components: Document['components'] | undefined; readonly paths: Document['paths'] | undefined }

/** Nested schemas first. */
function mapTitled(parts: Parts, change: (schema: Titled) => Json): Parts {
  return mapObjects(parts, (node) => (isTitled(node) ? change(node) : node)) as Parts
}

function mapObjects(node: unknown, change: (node: Json) => Json): unknown {
  if (Array.isArray(node)) return node.map((one) => mapObjects(one, change))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, value]) => {
    return [name, name === 'example' ? value : mapObjects(value, change)]
  })
  return change(Object.fromEntries(entries) as Json)
}

/** The fields of a schema may include one called `title`; an object is there. */
function isTitled(node: Json): node is Titled {
  return typeof node['title'] === 'string' && 'type' in node
}

/** Returns the use, which refers to the schema by its name. */
function collect(
  { title, description, default: fallback, example, ...schema }: Titled,
  named: Map<string, Named>,
): Json {
  const whole = withoutNull(schema)
  const known = named.get(title) ?? { schema: whole, descriptions: new Set() }
  if (JSON.stringify(known.schema) !== JSON.stringify(whole)) throw new Error(`Two schemas are called ${title}.`)
  named.set(title, known)
  if (description !== undefined) known.descriptions.add(description)
  const $ref = `#/components/schemas/${title}`
  const isNullable = Array.isArray(schema['type']) && schema['type'].includes('null')
  return {
    ...(isNullable ? { anyOf: [{ $ref }, { type: 'null' }] } : { $ref }),
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(example === undefined ? {} : { example }),
  }
}

function withoutNull(schema: Json): Json {
  const { type, enum: values } = schema
  if (!Array.isArray(type)) return schema
  const types = type.filter((one) => one !== 'null')
  const enums = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}
  return { ...schema, type: types.length === 1 ? types[0] : types, ...enums }
}

function toComponent([title, { schema, descriptions }]: readonly [string, Named]): readonly [string, Json] {
  const [description] = descriptions
  return [title, descriptions.size === 1 ? { ...schema, description } : schema]
}

/** Removes the description from uses of a schema that has the same one. */
function dropShared(parts: Parts, named: ReadonlyMap<string, Named>): Parts {
  return mapObjects(parts, (node) => {
    const $ref = node['$ref'] ?? (node['anyOf'] as readonly Json[] | undefined)?.[0]?.['$ref']
    const title = typeof $ref === 'string' ? $ref.slice('#/components/schemas/'.length) : ''
    if (named.get(title)?.descriptions.size !== 1) return node
    const { description, ...rest } = node
    return named.get(title)?.descriptions.has(description) === true ? rest : node
  }) as Parts
}
