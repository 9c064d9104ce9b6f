// The loopback Azure DevOps: repositories, pull requests and their comments. Every request and reply is held against
// the description that Microsoft publishes. Messages are Azure DevOps' own.

import { createLimit } from '../limit.ts'
import { openSchemas, type Schemas } from '../description.ts'
import { type Call, type Handler, Refusal, type Reply, type Routes, findRoute, textOf } from '../routes.ts'
import type { Api } from '../server.ts'
import type { Pull, Right, Token, World } from '../world.ts'
import { answerBuilds, buildRoutes, setStatus, shapePolicies, shapeStatuses } from './merging.ts'
import { createPull, editPull, listPulls } from './pulls.ts'
import { personOf, refuse, shapeLabel, shapePerson, shapePull, shapePushes, shapeRepository } from './shapes.ts'
import { addThread, editComment, likeComment, threadsOf } from './threads.ts'

export function openAzureApi(world: World, problems: string[], web: string): Api {
  const routes = routesOf(world, web)
  const limit = createLimit(world)
  const schemas = openSchemas({
    fixture: 'azure-openapi.jsonl',
    // The description has no refusals.
    refusals: {
      statuses: [400, 403, 404, 409, 429],
      schema: { type: 'object', required: ['message', 'typeKey'], properties: { message: { type: 'string' } } },
    },
    address: `${web}/unread`,
  })
  return {
    // The API is below the organization, as git and the pages are.
    prefix: '',
    hasEtags: false,
    routeOf: (method, path) => findRoute(routes, method, path)?.name ?? `${method} ${path}`,
    headers: () => ({}),
    handle: (call) => {
      const found = findRoute(routes, call.method, call.path)
      if (!found) {
        problems.push(`${call.method} ${call.path}: the loopback Azure DevOps has no such route`)
        throw refuse(404, 'The resource cannot be found.')
      }
      const wait = limit(call.method)
      if (wait) throw slowDown(wait)
      return checked({ schemas, problems }, found, { ...call, params: found.params })
    },
  }
}

function slowDown(seconds: number): Refusal {
  const message = 'Request was blocked due to exceeding usage of resource in namespace.'
  const headers = { 'Retry-After': `${seconds}`, 'X-RateLimit-Limit': '200', 'X-RateLimit-Remaining': '0' }
  return new Refusal(429, { message, typeKey: 'RequestBlockedException' }, headers)
}

type Checking = { readonly schemas: Schemas; readonly problems: string[] }
type FoundRoute = NonNullable<ReturnType<typeof findRoute>>

function checked({ schemas, problems }: Checking, { name, handler }: FoundRoute, call: Call): Reply {
  if ([policiesRoute, accountRoute, ...buildRoutes].includes(name)) return replyOf(handler, call)
  const operation = name.replaceAll(/:(\w+)/g, '{$1}')
  const body = Object.keys(call.body).length === 0 ? undefined : call.body
  const version = call.query.get('api-version')
  const wrong =
    version === '7.1' ? schemas.problemOfRequest(operation, { query: call.query, body }) : `it is for ${version}`
  if (wrong !== undefined) problems.push(`request ${operation}: ${wrong}`)
  const reply = replyOf(handler, call)
  // A new thing comes with 201, which the description leaves out.
  const status = reply.status === 201 ? 200 : reply.status
  const isPage = status === 203
  const problem = isPage ? undefined : schemas.problemOfResponse(operation, status, reply.body)
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

/** A token comes as the password of Basic; any other one gets the page for signing in. */
function login({ token, authorization }: Call): Token {
  if (token && /^Basic /i.test(authorization)) return token
  throw new Refusal(203, '<!DOCTYPE html><title>Azure DevOps Services | Sign In</title>')
}

function openRepository(world: World, call: Call, right: Right): Token {
  const token = login(call)
  const { organization, project, repositoryId } = call.params
  const path = `${organization}/${project}/_git/${repositoryId}`
  const hidden = refuse(404, `TF401019: The Git repository with name or identifier ${repositoryId} does not exist.`)
  if (path !== world.path || world.switches.isDeleted || !token.rights.has('read')) throw hidden
  const isRead = call.method === 'GET' && call.path.endsWith(`/repositories/${encodeURIComponent(repositoryId ?? '')}`)
  if (world.switches.isArchived && !isRead) throw hidden
  if (token.rights.has(right)) return token
  const permission = right === 'push' ? 'GenericContribute' : 'PullRequestContribute'
  throw refuse(403, `TF401027: You need the Git '${permission}' permission to perform this action.`)
}

const list = '/:organization/:project/_apis/git/repositories'
const repository = `${list}/:repositoryId`
const policiesRoute = 'GET /:organization/:project/_apis/policy/evaluations'
/** A preview, of which Microsoft publishes no description. */
const accountRoute = 'GET /:organization/_apis/connectionData'
const listOf = (value: readonly unknown[]) => ({ count: value.length, value })

function routesOf(world: World, web: string): Routes {
  const open = (call: Call, right: Right) => openRepository(world, call, right)
  const shape = (pull: Pull, isListed = false) => shapePull(world, web, pull, isListed)
  const onPull =
    (right: Right, answer: (call: Call, pull: Pull, token: Token) => unknown): Handler =>
    (call) => {
      const token = open(call, right)
      const pull = world.pull(Number(call.params['pullRequestId']))
      if (!pull) throw refuse(404, 'TF401180: The requested pull request was not found.')
      return { status: 200, body: answer(call, pull, token) }
    }
  const onOne = `${repository}/pullRequests/:pullRequestId`
  return {
    [`GET ${list}`]: (call) => {
      login(call)
      return { status: 200, body: listOf([shapeRepository(world, web)]) }
    },
    [`GET ${repository}`]: (call) => {
      open(call, 'read')
      return { status: 200, body: shapeRepository(world, web) }
    },
    [`GET ${repository}/refs`]: (call) => {
      open(call, 'read')
      const start = `refs/${call.query.get('filter') ?? ''}`
      const refs = [...world.heads()].map(([name, objectId]) => ({ name: `refs/heads/${name}`, objectId }))
      return { status: 200, body: listOf(refs.filter(({ name }) => name.startsWith(start))) }
    },
    [`GET ${repository}/diffs/commits`]: (call) => {
      open(call, 'read')
      return { status: 200, body: compare(world, call) }
    },
    [`GET ${repository}/pullrequests`]: (call) => {
      open(call, 'read')
      return { status: 200, body: listOf(listPulls(world, call).map((pull) => shape(pull, true))) }
    },
    [`POST ${repository}/pullrequests`]: (call) => {
      const token = open(call, 'pullRequests')
      return { status: 201, body: shape(createPull(world, call, token)) }
    },
    [`GET ${repository}/pullrequests/:pullRequestId`]: onPull('read', (_, pull) => shape(pull)),
    [`PATCH ${repository}/pullrequests/:pullRequestId`]: onPull('pullRequests', (call, pull) => {
      editPull(world, call, pull)
      return shape(pull)
    }),
    [`GET ${onOne}/labels`]: onPull('read', (_, pull) => listOf(pull.labels.map(shapeLabel))),
    [`POST ${onOne}/labels`]: onPull('pullRequests', ({ body }, pull) => {
      const name = textOf(body['name'])
      if (!pull.labels.includes(name)) pull.labels.push(name)
      return shapeLabel(name)
    }),
    [`PUT ${onOne}/reviewers/:reviewerId`]: onPull('pullRequests', (call, pull) => {
      const login = personOf(call.params['reviewerId'] ?? '')
      if (login === undefined) throw refuse(400, 'TF401186: The reviewer identity is not valid.')
      if (!pull.reviewers.includes(login)) pull.reviewers.push(login)
      return { ...shapePerson(login), vote: 0 }
    }),
    [`GET ${onOne}/threads`]: onPull('read', (_, pull) => listOf(threadsOf(world, pull))),
    [`GET ${onOne}/statuses`]: onPull('read', () => listOf([])),
    [`GET ${repository}/commits/:commitId/statuses`]: (call) => {
      open(call, 'read')
      return { status: 200, body: listOf(shapeStatuses(world, call.params['commitId'] ?? '')) }
    },
    [`POST ${repository}/commits/:commitId/statuses`]: (call) => {
      const token = open(call, 'push')
      return { status: 201, body: setStatus(world, call, token) }
    },
    [policiesRoute]: (call) => {
      login(call)
      return { status: 200, body: listOf(shapePolicies(world, call)) }
    },
    ...answerBuilds(world, login),
    [`POST ${onOne}/threads`]: onPull('pullRequests', (call, pull, token) => addThread(world, pull, call, token)),
    [`POST ${onOne}/threads/:threadId/comments/:commentId/likes`]: onPull('pullRequests', (call, _, token) =>
      likeComment(world, call, token),
    ),
    [`GET ${repository}/pushes`]: (call) => {
      open(call, 'read')
      return { status: 200, body: listOf(shapePushes(world, call)) }
    },
    [accountRoute]: (call) => {
      const { id, displayName } = shapePerson(login(call).login)
      return { status: 200, body: { authenticatedUser: { id, providerDisplayName: displayName } } }
    },
    [`PATCH ${onOne}/threads/:threadId/comments/:commentId`]: onPull('pullRequests', (call, pull, token) =>
      editComment(pull, call, token),
    ),
  }
}

function compare(world: World, { query }: Call) {
  const commitOf = (name: string): string => {
    const branch = query.get(name) ?? ''
    const commit = world.heads().get(branch)
    if (commit !== undefined) return commit
    throw refuse(404, `TF401175: The version descriptor <Branch: ${branch} > could not be resolved to a version.`)
  }
  const [baseCommit, targetCommit] = [commitOf('baseVersion'), commitOf('targetVersion')]
  const commonCommit = world.remote.git(['merge-base', baseCommit, targetCommit])
  const counts = {
    aheadCount: world.between(baseCommit, targetCommit).length,
    behindCount: world.between(targetCommit, baseCommit).length,
  }
  return { allChangesIncluded: false, changes: [], commonCommit, baseCommit, targetCommit, ...counts }
}
