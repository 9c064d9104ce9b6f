// GitHub's own description, cut by scripts/cut-github-schemas.ts: checks what the loopback GitHub receives and sends,
// and fills the members that GitHub requires and nobody here reads.

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

export type GitHubSchemas = {
  /** Why the request is not one that GitHub describes; undefined when it is. `operation`: `GET /repos/{owner}/{repo}`. */
  problemOfRequest(operation: string, request: Exchange): string | undefined
  problemOfResponse(operation: string, status: number, body: unknown): string | undefined
  /** The response with what is missing and required. */
  fill(operation: string, status: number, body: unknown): unknown
}

const fixture = new URL('../../fixtures/github-openapi.jsonl', import.meta.url)

/** The description leaves these out of most operations. */
const anywhere = new Set([301, 307, 401, 403, 404, 409, 422, 429, 451])

/** `address`: the start of the addresses that nobody reads. */
export function openGitHubSchemas(address: string): GitHubSchemas {
  const { definitions, operations, check } = readDescription()
  const find = (name: string): Operation => {
    const operation = operations.get(name)
    if (!operation) throw new Error(`cut ${name} first: scripts/cut-github-schemas.ts`)
    return operation
  }
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
      const schema = responseSchema(find(name), status)
      if (schema === undefined) return `it does not respond with ${status}`
      if (schema === null) return body === undefined ? undefined : `${status} has no body`
      return check(`${name} ${status}`, schema, body)
    },
    fill: (name, status, body) => {
      const schema = responseSchema(find(name), status)
      return schema ? fill({ definitions, address }, schema, body) : body
    },
  }
}

type Description = {
  readonly definitions: Json
  readonly operations: ReadonlyMap<string, Operation>
  readonly check: Check
}

const memory: { description?: Description } = {}

/** Once for a process: compiling the schemas takes longer than a test. */
function readDescription(): Description {
  if (memory.description) return memory.description
  const [, ...lines] = readFileSync(fixture, 'utf8').trim().split('\n')
  const parsed = lines.map((line) => JSON.parse(line) as Operation | Schema)
  const definitions = Object.fromEntries(parsed.filter((one) => 'schema' in one).map((one) => [one.schema, one.value]))
  const operations = new Map(parsed.filter((one) => 'operation' in one).map((one) => [one.operation, one]))
  memory.description = { definitions, operations, check: createCheck(definitions) }
  return memory.description
}

function responseSchema(operation: Operation, status: number): Json | null | undefined {
  const described = operation.responses[status]
  if (described || (described === null && status < 400)) return described
  if (status === 304 || status === 204) return null
  if (!anywhere.has(status)) return undefined
  return { anyOf: ['validation-error', 'basic-error'].map((name) => ({ $ref: `#/definitions/${name}` })) }
}

function toValue(schema: Json | undefined, text: string): unknown {
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
