// The description that a forge publishes of its API, cut by scripts/cut-schemas.ts: checks what a loopback forge receives and
// sends, and fills the members that the forge requires and nobody here reads.

import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>
type Operation = {
  readonly operation: string
  readonly query: Record<string, Json>
  readonly request: Json | null
  readonly responses: Record<string, Json | null>
}
type Schema = { readonly schema: string; readonly value: Json }
type Exchange = { readonly query: URLSearchParams; readonly body: unknown }

export type Schemas = {
  /** Why the request is not one that the forge describes; undefined when it is. `operation`: `GET /repos/{owner}/{repo}`. */
  problemOfRequest(operation: string, request: Exchange): string | undefined
  problemOfResponse(operation: string, status: number, body: unknown): string | undefined
  /** The response with what is missing and required. */
  fill(operation: string, status: number, body: unknown): unknown
}

export type DescriptionOptions = {
  /** In `test/fixtures`. */
  readonly fixture: string
  /** Statuses that the description leaves out of most operations. `isWider`: also where it says something else. */
  readonly refusals: { readonly statuses: readonly number[]; readonly schema: Json; readonly isWider?: boolean }
  /** Query parameters of lists that the description has only in its words. */
  readonly inWords?: Readonly<Record<string, Json>>
  /** The start of the addresses that nobody reads. */
  readonly address: string
}

/** `address`: the start of the addresses that nobody reads. */
export const openGitHubSchemas = (address: string): Schemas =>
  openSchemas({
    fixture: 'github-openapi.jsonl',
    refusals: {
      statuses: [301, 307, 401, 403, 404, 409, 422, 429, 451],
      schema: { anyOf: ['validation-error', 'basic-error'].map((name) => ({ $ref: `#/definitions/${name}` })) },
    },
    address,
  })

export function openSchemas({ fixture, refusals, inWords = {}, address }: DescriptionOptions): Schemas {
  const { definitions, operations, check } = readDescription(fixture)
  const find = (name: string): Operation => {
    const operation = operations.get(name)
    if (!operation) throw new Error(`cut ${name} first: scripts/cut-schemas.ts`)
    return { ...operation, query: { ...inWords, ...operation.query } }
  }
  const schemaOf = (name: string, status: number) => responseSchema(find(name), status, refusals)
  return {
    problemOfRequest: (name, { query, body }) => {
      const operation = find(name)
      const unknown = [...query.keys()].find((key) => !(key in operation.query))
      if (unknown !== undefined) return `it has no query parameter ${unknown}`
      const values = [...query].map(([key, value]) =>
        check(`${name} ?${key}`, operation.query[key] ?? {}, toValue(operation.query[key], value)),
      )
      const problem = values.find((one) => one !== undefined)
      if (problem !== undefined) return problem
      if (operation.request) return check(`${name} request`, operation.request, body ?? {})
      return body === undefined ? undefined : 'it takes no body'
    },
    problemOfResponse: (name, status, body) => {
      const schema = schemaOf(name, status)
      if (schema === undefined) return `it does not respond with ${status}`
      if (schema === null) return body === undefined ? undefined : `${status} has no body`
      return check(`${name} ${status}`, schema, body)
    },
    fill: (name, status, body) => {
      const schema = schemaOf(name, status)
      return schema ? fill({ definitions, address }, schema, body) : body
    },
  }
}

type Description = {
  readonly definitions: Json
  readonly operations: ReadonlyMap<string, Operation>
  readonly check: Check
}

const memory = new Map<string, Description>()

/** Once for a process: compiling the schemas takes longer than a test. */
function readDescription(fixture: string): Description {
  const known = memory.get(fixture)
  if (known) return known
  const file = new URL(`../../fixtures/${fixture}`, import.meta.url)
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  const parsed = lines.map((line) => JSON.parse(line) as Operation | Schema)
  const definitions = Object.fromEntries(parsed.filter((one) => 'schema' in one).map((one) => [one.schema, one.value]))
  const operations = new Map(parsed.filter((one) => 'operation' in one).map((one) => [one.operation, one]))
  const description = { definitions, operations, check: createCheck(definitions) }
  memory.set(fixture, description)
  return description
}

function responseSchema(
  operation: Operation,
  status: number,
  { statuses, schema, isWider = false }: DescriptionOptions['refusals'],
): Json | null | undefined {
  if (isWider && statuses.includes(status)) return schema
  const described = operation.responses[status]
  if (described || (described === null && status < 400)) return described
  if (status === 304 || status === 204) return null
  return statuses.includes(status) ? schema : undefined
}

function toValue(schema: Json | undefined, text: string): unknown {
  if (schema?.['type'] === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  return schema?.['type'] === 'integer' ? Number(text) : text
}

type Check = (name: string, schema: Json, value: unknown) => string | undefined

/** Schemas are compiled when they are first used: a test uses few. */
function createCheck(definitions: Json): Check {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  for (const format of ['timestamp', 'repo.nwo', 'ssh-key', 'int64', 'int32']) ajv.addFormat(format, true)
  const compiled = new Map<string, ValidateFunction>()
  return (name, schema, value) => {
    const validate = compiled.get(name) ?? ajv.compile({ ...schema, definitions })
    compiled.set(name, validate)
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: name })
  }
}

type Filling = { readonly definitions: Json; readonly address: string }

function fill(filling: Filling, schema: Json, given: unknown): unknown {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    return fill(filling, filling.definitions[reference.replace('#/definitions/', '')] as Json, given)
  }
  const parts = schema['allOf'] as readonly Json[] | undefined
  if (parts) return parts.reduce((value, part) => fill(filling, part, value), given)
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Json[] | undefined
  if (choices) {
    if (given === undefined && choices.some((one) => one['type'] === 'null')) return null
    return fill(filling, choices.find((one) => one['type'] !== 'null') ?? {}, given)
  }
  const types = [schema['type']].flat()
  if (types.includes('object') && isObject(given ?? (types.includes('null') ? null : {}))) {
    return fillObject(filling, schema, (given ?? {}) as Json)
  }
  if (Array.isArray(given)) return given.map((one) => fill(filling, (schema['items'] ?? {}) as Json, one))
  return given === undefined ? plainValue(filling, schema, types) : given
}

function fillObject(filling: Filling, schema: Json, given: Json): unknown {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>
  const required = (schema['required'] ?? []) as readonly string[]
  const names = new Set([...Object.keys(given), ...required])
  return Object.fromEntries([...names].map((name) => [name, fill(filling, properties[name] ?? {}, given[name])]))
}

function plainValue({ address }: Filling, schema: Json, types: readonly unknown[]): unknown {
  const values = schema['enum'] as readonly unknown[] | undefined
  if (types.includes('null')) return null
  if (values) return values[0]
  if (types.includes('array')) return []
  if (types.includes('boolean')) return false
  if (types.includes('integer') || types.includes('number')) return 0
  if (schema['format'] === 'date-time') return '2026-01-02T03:04:05Z'
  return schema['format'] === 'uri' ? address : ''
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
