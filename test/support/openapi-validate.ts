// Validates every response against the OpenAPI document that the service serves: status, headers, content type and body.
// Tests call the service through it, so an undocumented response fails the test.

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export type Fetch = (request: Request) => Response | Promise<Response>
export type Call = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

type Json = { readonly [name: string]: unknown }
type Answer = { readonly headers?: Json; readonly content?: Json }
type Operation = { readonly responses: Readonly<Record<string, Answer>> }
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
type Found = { readonly path: string; readonly method: string; readonly operation: Operation | undefined }

/** Headers that clients use. A response may have them only if the document declares them. */
const meaningful = ['Location', 'ETag', 'Retry-After', 'Idempotency-Replayed', 'WWW-Authenticate']

const documents = new Map<string, unknown>()

/** Building a document takes longer than a test: `request` is made once for each `version`, an address included. */
export async function documentOf(version: string, request: () => Response | Promise<Response>): Promise<unknown> {
  if (!documents.has(version)) documents.set(version, await (await request()).json())
  return documents.get(version)
}

/** Wraps `fetch`. It throws an Error if a response does not match the document. Paths are relative to the document. */
export function validated(fetch: Fetch, document: unknown): Call {
  const described = read(document)
  return async (input, init) => {
    const request =
      input instanceof Request ? new Request(input, init) : new Request(new URL(input, described.server), init)
    const { method, url } = request
    const response = await fetch(request)
    // A stream may never end, so only its status, headers and type are validated.
    const seen = isStream(response) ? new Response('', response) : response.clone()
    const problem = await described.problemOf(method, new URL(url).pathname, seen)
    if (problem === undefined) return response
    throw new Error(`${method} ${new URL(url).pathname} answered ${response.status}: ${problem}`)
  }
}

function read(document: unknown) {
  const root = document as Json
  const paths = root['paths'] as Paths
  const server = (root['servers'] as readonly { url: string }[])[0]?.url ?? 'http://localhost'
  const check = findCheck(root)
  const patterns = Object.keys(paths).map((path) => ({ path, pattern: toPattern(path) }))
  const find = (method: string, pathname: string): Found | undefined => {
    const path = patterns.find(({ pattern }) => pattern.test(pathname))?.path
    if (path === undefined) return undefined
    const name = method === 'HEAD' ? 'get' : method.toLowerCase()
    return { path, method: name, operation: paths[path]?.[name] }
  }
  return {
    server,
    problemOf: async (method: string, pathname: string, response: Response): Promise<string | undefined> => {
      if (!response.headers.has('X-Request-Id')) return 'it has no X-Request-Id'
      const found = find(method, pathname)
      if (!found?.operation) return problemOfUnrouted(response, { found, check })
      return problemOfAnswer(response, { found, check, root, isHead: method === 'HEAD' })
    },
  }
}

type Check = (pointer: string, value: unknown) => string | undefined

async function problemOfUnrouted(
  response: Response,
  { found, check }: { readonly found: Found | undefined; readonly check: Check },
): Promise<string | undefined> {
  const expected = found ? [405, 401, 403, 404] : [404, 401, 403]
  if (!expected.includes(response.status)) return `the document has no such ${found ? 'method' : 'path'}`
  if (response.status === 405 && !response.headers.has('Allow')) return 'a 405 needs Allow'
  const body = await response.text()
  return body === '' ? undefined : check('/components/schemas/Problem', JSON.parse(body))
}

type Expectation = { readonly found: Found; readonly check: Check; readonly root: Json; readonly isHead: boolean }

async function problemOfAnswer(response: Response, { found, check, root, isHead }: Expectation) {
  const { status } = response
  const described = found.operation?.responses[status]
  if (!described) return 'this status is not described'
  const answer: Answer = resolve(root, described)
  const problem = problemOfHeaders(response, answer, root)
  if (problem !== undefined) return problem
  const body = await response.text()
  if (isHead || !answer.content) return body === '' ? undefined : 'it should have no body'
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? 'none'
  if (isStream(response) && type in answer.content) return undefined
  const path = type in answer.content ? found.path : otherForm(root, { ...found, status, type })
  if (path === undefined) return `its type ${type} is not described`
  const reference = (described as Json)['$ref']
  const place =
    typeof reference === 'string'
      ? reference.slice(2).split('/')
      : ['paths', path, found.method, 'responses', String(status)]
  return check(toPointer([...place, 'content', type, 'schema']), /\bjson$/.test(type) ? JSON.parse(body) : body)
}

function isStream(response: Response): boolean {
  return response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false
}

type Form = Pick<Found, 'path' | 'method'> & { readonly status: number; readonly type: string }

/** The form that `Accept` selects on `/visitors` is declared on a sibling path such as `/visitors.csv`. */
function otherForm(root: Json, { path, method, status, type }: Form): string | undefined {
  const paths = root['paths'] as Paths
  return Object.keys(paths).find(
    (one) => one.startsWith(`${path}.`) && type in (paths[one]?.[method]?.responses[status]?.content ?? {}),
  )
}

function problemOfHeaders(response: Response, answer: Answer, root: Json): string | undefined {
  const described = answer.headers ?? {}
  const missing = Object.entries(described).find(
    ([name, header]) => resolve(root, header as Json)['required'] === true && !response.headers.has(name),
  )
  if (missing) return `it has no ${missing[0]}`
  const extra = meaningful.find((name) => response.headers.has(name) && !(name in described))
  return extra === undefined ? undefined : `its ${extra} is not described`
}

const checks = new Map<string, Check>()

/** Compiling the schemas takes longer than a test, and the documents of a process differ only in their address. */
function findCheck(root: Json): Check {
  const text = JSON.stringify({ ...root, servers: [] })
  const check = checks.get(text) ?? createCheck(root)
  checks.set(text, check)
  return check
}

/** Returns a function that checks a value against the schema at a JSON pointer of the document. */
function createCheck(root: Json): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(closed(root) as Json, 'document')
  return (pointer, value) => {
    const validate = ajv.getSchema(`document#${encodeURI(pointer)}`)
    if (!validate) return `there is no schema at ${pointer}`
    return validate(value) ? undefined : ajv.errorsText(validate.errors)
  }
}

/** Forbids undeclared fields. The document itself leaves objects open for later versions. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, value]) => [
    name,
    name.startsWith('example') ? value : closed(value),
  ])
  const copy: Json = Object.fromEntries(entries)
  const isObject = [copy['type']].flat().includes('object') && 'properties' in copy
  return isObject && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}

function resolve(root: Json, node: Json): Json {
  const reference = node['$ref']
  if (typeof reference !== 'string') return node
  const steps = reference.slice(2).split('/')
  return steps.reduce<Json>((at, step) => at[step] as Json, root)
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function toPointer(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
