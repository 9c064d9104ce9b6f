// Cuts the operations that Docent uses out of GitHub's own description, for the loopback GitHub of the tests:
//   npm pack @octokit/openapi@23.0.2 && tar xf octokit-openapi-23.0.2.tgz && npx node scripts/cut-github-schemas.ts package
// The package has 385 MB, so it is not a dependency. The result has one operation or schema per line, so that diffs are
// readable. Objects in requests allow no unknown members: GitHub ignores them, and a test should fail.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = Record<string, unknown>
type Parameter = { readonly name: string; readonly in: string; readonly schema: Json }
type Body = { readonly content?: Record<string, { readonly schema: Json }> }
type Operation = {
  readonly parameters?: readonly Json[]
  readonly requestBody?: Body
  readonly responses: Record<string, Json>
}

const operations = [
  'POST /app-manifests/{code}/conversions',
  'GET /app',
  'PATCH /app/hook/config',
  'GET /app/installations',
  'GET /app/installations/{installation_id}',
  'POST /app/installations/{installation_id}/access_tokens',
  'GET /installation/repositories',
  'DELETE /installation/token',
  'GET /meta',
  'GET /rate_limit',
  'GET /user',
  'GET /users/{username}',
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/installation',
  'GET /repos/{owner}/{repo}/branches/{branch}',
  'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
  'GET /repos/{owner}/{repo}/compare/{basehead}',
  'GET /repos/{owner}/{repo}/pulls',
  'POST /repos/{owner}/{repo}/pulls',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge',
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  'GET /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'GET /repos/{owner}/{repo}/git/ref/{ref}',
  'POST /repos/{owner}/{repo}/git/refs',
  'PATCH /repos/{owner}/{repo}/git/refs/{ref}',
  'DELETE /repos/{owner}/{repo}/git/refs/{ref}',
  'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
  'POST /repos/{owner}/{repo}/git/commits',
] as const

/** Keywords that validate nothing, or that exist only in OpenAPI. Members of `properties` may have the same names. */
const dropped = new Set(['description', 'example', 'examples', 'title', 'deprecated', 'discriminator', 'externalDocs'])
/** Schemas that every operation may respond with, although the description does not list them everywhere. */
const always = ['basic-error', 'validation-error', 'validation-error-simple']

function main(folder: string): void {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const root = JSON.parse(readFileSync(join(folder, 'generated/api.github.com.json'), 'utf8')) as Json
  const used = new Set<string>(always)
  const lines: unknown[] = operations.map((name) => cutOperation(root, name, used))
  const schemas = (root['components'] as { schemas: Record<string, Json> }).schemas
  // A set that grows while it is walked: the schemas that a schema refers to are cut too.
  for (const name of used) lines.push({ schema: name, value: cut(schemas[name] ?? {}, used) })
  const head = { package: '@octokit/openapi', version, file: 'api.github.com.json' }
  const text = [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  writeFileSync(new URL('../test/fixtures/github-openapi.jsonl', import.meta.url), text)
  console.log(`${operations.length} operations and ${used.size} schemas: ${text.length} bytes`)
}

function cutOperation(root: Json, name: string, used: Set<string>): Json {
  const [method = '', path = ''] = name.split(' ')
  const paths = root['paths'] as Record<string, Record<string, Operation>>
  const operation = paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`the description has no ${name}`)
  const parameters = (operation.parameters ?? []).map((one) => resolve(root, one) as Parameter)
  const query = parameters.filter((one) => one.in === 'query').map((one) => [one.name, cut(one.schema, used)])
  const body = operation.requestBody?.content?.['application/json']?.schema
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const schema = (resolve(root, response) as Body).content?.['application/json']?.schema
    return [status, schema ? cut(schema, used) : null]
  })
  return {
    operation: name,
    query: Object.fromEntries(query),
    request: body ? close(cut(inline(root, body), used)) : null,
    responses: Object.fromEntries(responses),
  }
}

function resolve(root: Json, node: Json): Json {
  const reference = node['$ref']
  if (typeof reference !== 'string') return node
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((at, step) => at[step] as Json, root)
}

/** Replaces the references in requests, because the same schema is closed in requests and open in responses. */
function inline(root: Json, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((one) => inline(root, one))
  if (typeof node !== 'object' || node === null) return node
  const found = resolve(root, node as Json)
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, inline(root, value)]))
}

/** Converts a schema of OpenAPI 3.0 to JSON Schema draft 7. */
function cut(node: unknown, used: Set<string>): unknown {
  if (Array.isArray(node)) return node.map((one) => cut(one, used))
  if (typeof node !== 'object' || node === null) return node
  const { nullable, ...rest } = node as Json
  const entries = Object.entries(rest).filter(([name]) => !dropped.has(name))
  const result: Json = Object.fromEntries(entries.map(([name, value]) => [name, cutKeyword(name, value, used)]))
  if (nullable !== true) return result
  if (typeof result['type'] !== 'string') return { anyOf: [result, { type: 'null' }] }
  const values = result['enum'] as unknown[] | undefined
  return { ...result, type: [result['type'], 'null'], ...(values ? { enum: [...new Set([...values, null])] } : {}) }
}

function cutKeyword(name: string, value: unknown, used: Set<string>): unknown {
  if (name === '$ref') {
    const target = String(value).replace('#/components/schemas/', '')
    used.add(target)
    return `#/definitions/${target}`
  }
  if (name === 'enum' || name === 'required' || name === 'default') return value
  if (name !== 'properties') return cut(value, used)
  return Object.fromEntries(Object.entries(value as Json).map(([member, schema]) => [member, cut(schema, used)]))
}

function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close)
  if (typeof node !== 'object' || node === null) return node
  const copy: Json = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, close(value)]))
  const isOpen = typeof copy['properties'] === 'object' && 'type' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: npx node scripts/cut-github-schemas.ts FOLDER-OF-@octokit/openapi')
main(folder)
