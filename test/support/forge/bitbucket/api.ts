// The loopback Bitbucket Cloud: repositories and pull requests. Every request and reply is held against Bitbucket's own
// description. Messages are Bitbucket's own.

import { createLimit } from '../limit.ts'
import { openSchemas, type Schemas } from '../description.ts'
import { type Call, type Handler, Refusal, type Reply, type Routes, findRoute } from '../routes.ts'
import type { Api } from '../server.ts'
import type { Pull, Right, Token, World } from '../world.ts'
import { commentRoutes } from './comments.ts'
import { permissionRoutes } from './permissions.ts'
import { answerPipelines, mergePull, pipelineRoutes, setStatus, shapeParticipants, shapeStatuses } from './merging.ts'
import { createPull, editPull, listPulls, pageOfRows } from './pulls.ts'
import { refuse, shapeBranch, shapePull, shapeRepository, shapeUser } from './shapes.ts'

const page = { type: 'integer', minimum: 1 }

export function openBitbucketApi(world: World, problems: string[], web: string): Api {
  const routes = routesOf(world, web)
  const limit = createLimit(world)
  const schemas = openSchemas({
    fixture: 'bitbucket-openapi.jsonl',
    // Its members `fields` and `detail`, which is an object, are not in the description.
    refusals: {
      statuses: [301, 400, 401, 403, 404, 409, 429],
      schema: { anyOf: [{ $ref: '#/definitions/error' }, refusalSchema] },
      isWider: true,
    },
    // From the pages about filters and pages of all lists.
    inWords: { q: { type: 'string' }, sort: { type: 'string' }, pagelen: { ...page, maximum: 50 }, page },
    address: `${web}/unread`,
  })
  return {
    prefix: '/2.0',
    hasEtags: false,
    routeOf: (method, path) => findRoute(routes, method, path)?.name ?? `${method} ${path}`,
    headers: (token) => (token ? { 'X-OAuth-Scopes': scopesOf(token).join(', ') } : {}),
    handle: (call) => {
      const found = findRoute(routes, call.method, call.path)
      if (!found) {
        problems.push(`${call.method} ${call.path}: the loopback Bitbucket has no such route`)
        throw refuse(404, 'Resource not found')
      }
      const wait = limit(call.method)
      if (wait) throw new Refusal(429, 'Rate limit for this resource has been exceeded', { 'Retry-After': `${wait}` })
      return checked({ schemas, problems }, found, { ...call, params: found.params })
    },
  }
}

const refusalSchema = {
  type: 'object',
  required: ['type', 'error'],
  properties: {
    type: { const: 'error' },
    error: {
      type: 'object',
      required: ['message'],
      properties: { message: { type: 'string' }, fields: { type: 'object' }, detail: { type: 'object' } },
      additionalProperties: false,
    },
  },
}

type Checking = { readonly schemas: Schemas; readonly problems: string[] }
type FoundRoute = NonNullable<ReturnType<typeof findRoute>>

function checked({ schemas, problems }: Checking, { name, handler }: FoundRoute, call: Call): Reply {
  if ((pipelineRoutes as readonly string[]).includes(name)) return replyOf(handler, call)
  const operation = name.replaceAll(/[:*](\w+)/g, '{$1}')
  const body = Object.keys(call.body).length === 0 ? undefined : call.body
  const wrong = schemas.problemOfRequest(operation, { query: call.query, body })
  if (wrong !== undefined) problems.push(`request ${operation}: ${wrong}`)
  const reply = replyOf(handler, call)
  const problem = reply.status === 301 ? undefined : schemas.problemOfResponse(operation, reply.status, reply.body)
  if (problem !== undefined) problems.push(`response ${operation}: ${problem}`)
  return reply
}

function replyOf(handler: Handler, call: Call): Reply {
  try {
    return handler(call)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

/** Those of access tokens have other names than those of API tokens. */
function scopesOf({ rights, email }: Token): readonly string[] {
  const names = (access: string, api: string) => (email === null ? access : api)
  const scopes: Readonly<Record<Right, readonly string[]>> = {
    read: [names('repository', 'read:repository:bitbucket'), names('pullrequest', 'read:pullrequest:bitbucket')],
    push: [names('repository:write', 'write:repository:bitbucket')],
    pullRequests: [names('pullrequest:write', 'write:pullrequest:bitbucket')],
  }
  return [...rights].flatMap((right) => scopes[right])
}

/** An API token comes with its address, an access token without a user. */
function login({ token, user, authorization }: Call): Token {
  const isRight = token && (token.email === null ? /^Bearer /i.test(authorization) : user === token.email)
  if (isRight) return token
  throw refuse(401, 'Token is invalid, expired, or not supported for this endpoint.')
}

function openRepository(world: World, call: Call, right: Right, api: string): Token {
  const token = login(call)
  const path = `${call.params['workspace']}/${call.params['repo_slug']}`
  if (world.formerPaths.has(path)) {
    const rest = call.path.slice(`/repositories/${path}`.length)
    const query = call.query.size ? `?${call.query.toString()}` : ''
    throw new Refusal(301, undefined, { Location: `${api}/repositories/${world.path}${rest}${query}` })
  }
  if (path !== world.path || world.switches.isDeleted || !token.rights.has('read')) {
    throw refuse(404, `You may not have access to this repository or it no longer exists in this workspace.`)
  }
  if (token.rights.has(right)) return token
  const message = 'Your credentials lack one or more required privilege scopes.'
  const required = scopesOf({ ...token, rights: new Set([right]) })
  throw refuse(403, message, { detail: { granted: scopesOf(token), required } })
}

const repository = '/repositories/:workspace/:repo_slug'

function routesOf(world: World, web: string): Routes {
  const api = `${web}/2.0`
  const open = (call: Call, right: Right) => openRepository(world, call, right, api)
  const shape = (pull: Pull, isListed = false) => shapePull(world, web, pull, isListed)
  const onPull =
    (right: Right, change: (call: Call, pull: Pull) => void): Handler =>
    (call) => {
      open(call, right)
      const pull = world.pull(Number(call.params['pull_request_id']))
      if (!pull) throw refuse(404, 'Resource not found')
      change(call, pull)
      const participants = shapeParticipants(world, pull, web)
      return { status: 200, body: { ...shape(pull), participants, task_count: 0 } }
    }
  return {
    'GET /user': (call) => {
      const token = login(call)
      if (token.email === null) throw refuse(401, 'Token is invalid, expired, or not supported for this endpoint.')
      return { status: 200, body: shapeUser(token.login, web) }
    },
    [`GET ${repository}`]: (call) => {
      open(call, 'read')
      return { status: 200, body: shapeRepository(world.path, web) }
    },
    [`GET ${repository}/commit/:commit`]: (call) => {
      open(call, 'read')
      const hash = world.commit(call.params['commit'] ?? '')
      if (hash === undefined) throw refuse(404, 'Commit not found')
      return { status: 200, body: { type: 'commit', hash } }
    },
    [`GET ${repository}/commit/:commit/statuses`]: (call) => {
      open(call, 'read')
      return { status: 200, body: shapeStatuses(world, call, web, `${api}${call.path}`) }
    },
    [`POST ${repository}/commit/:commit/statuses/build`]: (call) => {
      const token = open(call, 'read')
      return { status: 201, body: setStatus(world, call, token) }
    },
    [`GET ${repository}/refs/branches/*name`]: (call) => {
      open(call, 'read')
      const { name = '' } = call.params
      const hash = world.heads().get(name)
      if (hash === undefined) throw refuse(404, `Branch "${name}" does not exist`)
      return { status: 200, body: shapeBranch(name, hash) }
    },
    [`GET ${repository}/pullrequests`]: (call) => {
      open(call, 'read')
      const { items, ...rest } = pageOfRows(call, listPulls(world, call), `${api}${call.path}`)
      return { status: 200, body: { ...rest, values: items.map((pull) => shape(pull, true)) } }
    },
    [`POST ${repository}/pullrequests`]: (call) => {
      const token = open(call, 'pullRequests')
      return { status: 201, body: shape(createPull(world, call, token)) }
    },
    [`GET ${repository}/pullrequests/:pull_request_id`]: onPull('read', () => {}),
    [`PUT ${repository}/pullrequests/:pull_request_id`]: onPull('pullRequests', (call, pull) =>
      editPull(world, call, pull),
    ),
    [`POST ${repository}/pullrequests/:pull_request_id/merge`]: onPull('pullRequests', (_, pull) =>
      mergePull(world, pull),
    ),
    ...commentRoutes(world, open, web),
    ...permissionRoutes(world, open, web),
    ...answerPipelines(world, (call) => open(call, 'read')),
    [`POST ${repository}/pullrequests/:pull_request_id/decline`]: onPull('pullRequests', (_, pull) => {
      if (pull.state !== 'open') throw refuse(400, 'This pull request is already closed.')
      pull.state = 'closed'
      world.touch(pull)
    }),
  }
}
