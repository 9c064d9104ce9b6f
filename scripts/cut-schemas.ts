// Cuts the operations that Docent uses out of the descriptions that forges publish of their APIs, for the loopback forges of
// the tests. The result has one operation or schema per line, so that diffs are readable. Objects in requests allow no
// unknown members: a forge ignores them, and a test should fail.
//
//   npm pack @octokit/openapi@23.0.2 && tar xf octokit-openapi-23.0.2.tgz     # 385 MB, so it is no dependency
//   npx node scripts/cut-schemas.ts github package/generated/api.github.com.json
//   npx node scripts/cut-schemas.ts bitbucket swagger.v3.json                 # where it is from: `bitbucket` below
//   npx node scripts/cut-schemas.ts azure git.json                            # where it is from: `azure` below

import { readFileSync, writeFileSync } from 'node:fs'

type Json = Record<string, unknown>
type Parameter = { readonly name: string; readonly in: string; readonly schema: Json }
type Body = { readonly content?: Record<string, { readonly schema: Json }> }
type Operation = {
  readonly parameters?: readonly Json[]
  readonly requestBody?: Body
  readonly responses: Record<string, Json>
}

type Description = {
  /** The first line of the fixture: where the description is from. */
  readonly source: Json
  readonly operations: readonly string[]
  /** Schemas that every operation may respond with, although the description does not list them everywhere. */
  readonly always: readonly string[]
  /** Members of requests that the description has only in its words. */
  readonly inWords: Json
}

const github: Description = {
  source: { package: '@octokit/openapi', version: '23.0.2', file: 'api.github.com.json' },
  always: ['basic-error', 'validation-error', 'validation-error-simple'],
  inWords: {},
  operations: [
    'POST /app-manifests/{code}/conversions',
    'GET /app',
    'PATCH /app/hook/config',
    'GET /app/hook/deliveries',
    'POST /app/hook/deliveries/{delivery_id}/attempts',
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
    'POST /repos/{owner}/{repo}/forks',
    'GET /repos/{owner}/{repo}/rules/branches/{branch}',
    'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}',
    'POST /repos/{owner}/{repo}/merge-upstream',
    'GET /repos/{owner}/{repo}/pulls',
    'POST /repos/{owner}/{repo}/pulls',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
    'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge',
    'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments',
    'POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
    'GET /repos/{owner}/{repo}/pulls/comments',
    'GET /repos/{owner}/{repo}/issues/comments',
    'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    'GET /repos/{owner}/{repo}/issues/{issue_number}',
    'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    'GET /repos/{owner}/{repo}/commits/{ref}/status',
    'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    'POST /repos/{owner}/{repo}/statuses/{sha}',
    'GET /repos/{owner}/{repo}/issues/{issue_number}/labels',
    'POST /repos/{owner}/{repo}/issues/{issue_number}/labels',
    'POST /repos/{owner}/{repo}/issues/{issue_number}/assignees',
    'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
    'GET /repos/{owner}/{repo}/milestones',
    'GET /repos/{owner}/{repo}/git/ref/{ref}',
    'POST /repos/{owner}/{repo}/git/refs',
    'PATCH /repos/{owner}/{repo}/git/refs/{ref}',
    'DELETE /repos/{owner}/{repo}/git/refs/{ref}',
    'GET /repos/{owner}/{repo}/git/commits/{commit_sha}',
    'POST /repos/{owner}/{repo}/git/commits',
  ],
}

const repository = '/repositories/{workspace}/{repo_slug}'

const bitbucket: Description = {
  source: {
    title: 'Bitbucket API',
    publisher: 'Atlassian, under its customer agreement: https://www.atlassian.com/legal/customer-agreement',
    published: 'https://dac-static.atlassian.com/cloud/bitbucket/swagger.v3.json',
    from: 'github.com/coderabbitai/bitbucket, src/cloud/openapi/swagger.v3.json (repository under Apache-2.0)',
    commit: '1b75b1e82951e082c3f8950525d334de32864525',
  },
  always: [],
  inWords: { description: { type: 'string' } },
  operations: [
    'GET /user',
    `GET ${repository}`,
    `GET ${repository}/commit/{commit}`,
    `GET ${repository}/refs/branches/{name}`,
    `GET ${repository}/pullrequests`,
    `POST ${repository}/pullrequests`,
    `GET ${repository}/pullrequests/{pull_request_id}`,
    `PUT ${repository}/pullrequests/{pull_request_id}`,
    `POST ${repository}/pullrequests/{pull_request_id}/decline`,
    `POST ${repository}/pullrequests/{pull_request_id}/merge`,
    `GET ${repository}/pullrequests/{pull_request_id}/comments`,
    `POST ${repository}/pullrequests/{pull_request_id}/comments`,
    `PUT ${repository}/pullrequests/{pull_request_id}/comments/{comment_id}`,
    `GET ${repository}/commit/{commit}/statuses`,
    `GET ${repository}/permissions-config/users/{selected_user_id}`,
    'GET /workspaces/{workspace}/permissions/repositories/{repo_slug}',
    `POST ${repository}/commit/{commit}/statuses/build`,
  ],
}

const project = '/{organization}/{project}/_apis/git/repositories'
const azureRepository = `${project}/{repositoryId}`

const azure: Description = {
  source: {
    title: 'Azure DevOps Services REST API, Git, 7.1',
    publisher: 'Microsoft',
    license: 'MIT, Copyright (c) 2018 Microsoft Docs',
    from: 'github.com/MicrosoftDocs/vsts-rest-api-specs, specification/git/7.1/git.json',
    commit: 'adb28786a3e9349d5b3deb43eb2134b682c33bb2',
  },
  always: [],
  inWords: {},
  operations: [
    `GET ${project}`,
    `GET ${azureRepository}`,
    `GET ${azureRepository}/refs`,
    `GET ${azureRepository}/diffs/commits`,
    `GET ${azureRepository}/pullrequests`,
    `POST ${azureRepository}/pullrequests`,
    `GET ${azureRepository}/pullrequests/{pullRequestId}`,
    `PATCH ${azureRepository}/pullrequests/{pullRequestId}`,
    `GET ${azureRepository}/pullRequests/{pullRequestId}/labels`,
    `POST ${azureRepository}/pullRequests/{pullRequestId}/labels`,
    `PUT ${azureRepository}/pullRequests/{pullRequestId}/reviewers/{reviewerId}`,
    `GET ${azureRepository}/pullRequests/{pullRequestId}/statuses`,
    `GET ${azureRepository}/commits/{commitId}/statuses`,
    `POST ${azureRepository}/commits/{commitId}/statuses`,
    `GET ${azureRepository}/pullRequests/{pullRequestId}/threads`,
    `POST ${azureRepository}/pullRequests/{pullRequestId}/threads`,
    `PATCH ${azureRepository}/pullRequests/{pullRequestId}/threads/{threadId}/comments/{commentId}`,
    `POST ${azureRepository}/pullRequests/{pullRequestId}/threads/{threadId}/comments/{commentId}/likes`,
    `GET ${azureRepository}/pushes`,
  ],
}

const descriptions: Readonly<Record<string, Description>> = { github, bitbucket, azure }

/** Keywords that validate nothing, or that exist only in OpenAPI. Members of `properties` may have the same names. */
const dropped = new Set(['description', 'example', 'examples', 'title', 'deprecated', 'discriminator', 'externalDocs'])
function main(host: string, file: string): void {
  const description = descriptions[host]
  if (!description) throw new Error(`there is no ${host}: ${Object.keys(descriptions).join(', ')}`)
  const parsed = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as Json
  const root = parsed['swagger'] === '2.0' ? fromSwagger(parsed) : parsed
  const used = new Set<string>(description.always)
  const lines: unknown[] = description.operations.map((name) => cutOperation({ root, used, ...description }, name))
  const schemas = (root['components'] as { schemas: Record<string, Json> }).schemas
  // A set that grows while it is walked: the schemas that a schema refers to are cut too.
  for (const name of used) lines.push({ schema: name, value: cut(schemas[name] ?? {}, used) })
  const text = [description.source, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  writeFileSync(new URL(`../test/fixtures/${host}-openapi.jsonl`, import.meta.url), text)
  console.log(`${description.operations.length} operations and ${used.size} schemas: ${text.length} bytes`)
}

type Cutting = { readonly root: Json; readonly used: Set<string>; readonly inWords: Json }

function cutOperation({ root, used, inWords }: Cutting, name: string): Json {
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
    request: body ? close(addWords(cut(inline(root, body, []), used) as Json, inWords)) : null,
    responses: Object.fromEntries(responses),
  }
}

type Swagger = {
  readonly definitions: Json
  readonly parameters: Readonly<Record<string, SwaggerParameter>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, SwaggerOperation>>>>
}
type SwaggerParameter = Readonly<Record<string, unknown>> & {
  readonly name: string
  readonly in: string
  readonly schema?: Json
}
type SwaggerOperation = {
  readonly parameters?: readonly (SwaggerParameter | { readonly $ref: string })[]
  readonly responses: Readonly<Record<string, { readonly schema?: Json }>>
}

/** Converts Swagger 2.0 as Azure DevOps publishes it to the parts of OpenAPI 3 that are read here. */
function fromSwagger(given: Json): Json {
  const swagger = JSON.parse(
    JSON.stringify(given).replaceAll('"#/definitions/', '"#/components/schemas/'),
  ) as unknown as Swagger
  const content = (schema: Json | undefined) => (schema ? { content: { 'application/json': { schema } } } : {})
  const toOperation = ({ parameters = [], responses }: SwaggerOperation) => {
    const all = parameters.map((one) =>
      '$ref' in one ? (swagger.parameters[String(one.$ref).replace('#/parameters/', '')] as SwaggerParameter) : one,
    )
    const body = all.find((one) => one.in === 'body')
    return {
      parameters: all
        .filter((one) => one.in !== 'body')
        .map(({ name, in: place, type, format, enum: values }) => ({
          name,
          in: place,
          schema: JSON.parse(JSON.stringify({ type, format, enum: values })) as Json,
        })),
      ...(body ? { requestBody: content(body.schema) } : {}),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, { schema }]) => [status, content(schema && inEnvelope(schema))]),
      ),
    }
  }
  const paths = Object.entries(swagger.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => [method, toOperation(operation)]),
    ),
  ])
  return { components: { schemas: swagger.definitions }, paths: Object.fromEntries(paths) as Json }
}

/** The examples that Azure DevOps publishes have a list in an object; its schemas leave that out. */
function inEnvelope(schema: Json): Json {
  if (schema['type'] !== 'array') return schema
  return { type: 'object', required: ['count', 'value'], properties: { count: { type: 'integer' }, value: schema } }
}

function resolve(root: Json, node: Json): Json {
  const reference = node['$ref']
  if (typeof reference !== 'string') return node
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((at, step) => at[step] as Json, root)
}

/**
 * Replaces the references in requests, because the same schema is closed in requests and open in responses. A schema that
 * contains itself allows anything there.
 */
function inline(root: Json, node: unknown, inside: readonly unknown[]): unknown {
  if (Array.isArray(node)) return node.map((one) => inline(root, one, inside))
  if (typeof node !== 'object' || node === null) return node
  const found = resolve(root, node as Json)
  if (inside.includes(found)) return {}
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => [name, inline(root, value, [...inside, found])]),
  )
}

/** Joins the parts of the whole request, which close only together. */
function addWords(request: Json, inWords: Json): Json {
  const parts = partsOf(request)
  if (parts.length === 0) return request
  const own = [...parts, request].map((part) => part['properties'])
  const properties = Object.assign({}, ...own, inWords) as Json
  const required = parts.flatMap((part) => (part['required'] as readonly string[] | undefined) ?? [])
  return { type: 'object', properties, required }
}

/** A part may have parts itself. */
function partsOf({ allOf = [] }: Json): readonly Json[] {
  return (allOf as readonly Json[]).flatMap((part) => [part, ...partsOf(part)])
}

/** Converts a schema of OpenAPI 3.0 to JSON Schema draft 7. */
function cut(node: unknown, used: Set<string>): unknown {
  if (Array.isArray(node)) return node.map((one) => cut(one, used))
  if (typeof node !== 'object' || node === null) return node
  const { nullable, ...rest } = node as Json
  const entries = Object.entries(rest).filter(
    ([name, value]) => !dropped.has(name) && !name.startsWith('x-ms-') && !(name === 'format' && isUnknown(value)),
  )
  const result: Json = Object.fromEntries(entries.map(([name, value]) => [name, cutKeyword(name, value, used)]))
  if (nullable !== true) return result
  if (typeof result['type'] !== 'string') return { anyOf: [result, { type: 'null' }] }
  const values = result['enum'] as unknown[] | undefined
  return { ...result, type: [result['type'], 'null'], ...(values ? { enum: [...new Set([...values, null])] } : {}) }
}

/** Azure DevOps has formats that no validator knows. */
function isUnknown(format: unknown): boolean {
  return format === 'int16' || format === 'T'
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

const [host, file] = process.argv.slice(2)
if (host === undefined || file === undefined) throw new Error('usage: npx node scripts/cut-schemas.ts HOST FILE')
main(host, file)
