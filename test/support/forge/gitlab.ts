// The loopback GitLab: projects and merge requests. Replies keep to the types of `@gitbeaker/core`.

import { forkHeads, syncFork } from './fork.ts'
import { shapeFork, shapeMerge, shapeProject, shapeToken, shapeUser } from './gitlab-shapes.ts'
import { remarkRoutes } from './gitlab-remarks.ts'
import { createLimit } from './limit.ts'
import { type Call, type Handler, Refusal, type Routes, forkRoutes, findRoute, pageOf, textOf } from './routes.ts'
import { gitLabRules } from './rules.ts'
import type { Api } from './server.ts'
import { type Pull, type Right, type Token, type World, people, repositoryId } from './world.ts'

const refuse = (status: number, message: unknown): Refusal => new Refusal(status, { message })
const pages = { name: 'per_page', usual: 20, most: 100 }
const draftPrefix = /^(draft:|\[draft\]|\(draft\))\s*/i

export function openGitLabApi(world: World, web: string): Api {
  const routes = routesOf(world, web)
  const limit = createLimit(world)
  return {
    prefix: '/api/v4',
    hasEtags: true,
    routeOf: (method, path) => findRoute(routes, method, path)?.name ?? `${method} ${path}`,
    headers: () => ({ 'X-Request-Id': 'req' }),
    graphql: '/api/graphql',
    handle: (call) => {
      if (call.path === '/graphql') return syncProject(world, call)
      const found = findRoute(routes, call.method, call.path)
      if (!found) throw new Refusal(404, { error: '404 Not Found' })
      const wait = limit(call.method)
      if (wait) throw new Refusal(429, 'Retry later', { 'Retry-After': `${wait}` })
      return found.handler({ ...call, params: found.params })
    },
  }
}

function login({ token, authorization }: Call, world: World): Token {
  if (token) return token
  const known = world.tokens.find((one) => authorization.endsWith(one.value))
  if (!known) throw refuse(401, '401 Unauthorized')
  const why = known.isRevoked ? 'Token was revoked. You have to re-authorize from the user.' : 'Token is expired.'
  throw new Refusal(401, { error: 'invalid_token', error_description: why })
}

/** The project, by its number or its path. `right`: what the request needs. */
function openProject(world: World, call: Call, right: Right, api: string): Token {
  const token = login(call, world)
  const { project = '' } = call.params
  if (world.formerPaths.has(project)) {
    if (call.method !== 'GET') throw refuse(405, 'Non GET methods are not allowed for moved projects')
    const rest = call.path.split('/').slice(3).join('/')
    throw new Refusal(301, undefined, { Location: `${api}/projects/${repositoryId}${rest && `/${rest}`}` })
  }
  const isHere = project === world.path || project === `${repositoryId}`
  if (!isHere || world.switches.isDeleted || !token.rights.has('read')) throw refuse(404, '404 Project Not Found')
  if (right === 'read') return token
  const error_description = 'The request requires higher privileges than provided by the access token.'
  if (!token.rights.has('pullRequests'))
    throw new Refusal(403, { error: 'insufficient_scope', error_description, scope: 'api' })
  const mayWrite = token.rights.has('push') || world.fork?.path.startsWith(`${token.login}/`)
  if (!mayWrite || world.switches.isArchived) throw refuse(403, '403 Forbidden')
  return token
}

function routesOf(world: World, web: string): Routes {
  const api = `${web}/api/v4`
  const shape = (pull: Pull) => shapeMerge(world, web, pull)
  const onMerge =
    (right: Right, handler: (call: Call, pull: Pull) => void): Handler =>
    (call) => {
      openProject(world, call, right, api)
      const pull = world.pull(Number(call.params['iid']))
      if (!pull) throw refuse(404, '404 Not found')
      handler(call, pull)
      return { status: 200, body: shape(pull) }
    }
  const routes: Routes = {
    'GET /version': (call) => ({ status: 200, body: login(call, world) && { version: '18.5.0', revision: 'abc' } }),
    'GET /user': (call) => ({ status: 200, body: shapeUser(login(call, world).login, web) }),
    'GET /users': (call) => {
      login(call, world)
      const name = call.query.get('username') ?? ''
      return { status: 200, body: (people as readonly string[]).includes(name) ? [shapeUser(name, web)] : [] }
    },
    'GET /personal_access_tokens/self': (call) => ({ status: 200, body: shapeToken(login(call, world)) }),
    'GET /projects/:project': (call) => ({
      status: 200,
      body: shapeProject(world, web, openProject(world, call, 'read', api)),
    }),
    'GET /projects/:project/push_rule': (call) => {
      openProject(world, call, 'read', api)
      if (world.switches.rules.isHidden) throw refuse(403, '403 Forbidden')
      return { status: 200, body: gitLabRules(world.switches.rules) }
    },
    'GET /projects/:project/labels': (call) => {
      openProject(world, call, 'read', api)
      return { status: 200, body: world.labels.map((name, at) => ({ id: at + 1, name })) }
    },
    'GET /projects/:project/milestones': (call) => {
      openProject(world, call, 'read', api)
      const rows = world.milestones.map((title, at) => ({ id: 70 + at, title, state: 'active' }))
      const title = call.query.get('title')
      return { status: 200, body: rows.filter((row) => title === null || row.title === title) }
    },
    ...remarkRoutes({
      world,
      api,
      open: (call, right = 'read') => openProject(world, call, right, api),
      shapeUser: (login) => shapeUser(login, web),
    }),
    'GET /projects/:project/repository/branches/:branch': (call) => {
      openProject(world, call, 'read', api)
      const { branch = '' } = call.params
      const id = world.heads().get(branch)
      if (id === undefined) throw refuse(404, '404 Branch Not Found')
      return {
        status: 200,
        body: { name: branch, default: branch === world.defaultBranch(), protected: false, commit: { id } },
      }
    },
    'GET /projects/:project/repository/commits/:sha/signature': (call) => {
      openProject(world, call, 'read', api)
      const isSigned = world.isSigned(call.params['sha'] ?? '')
      if (isSigned === undefined) throw refuse(404, '404 Signature Not Found')
      const verification_status = isSigned ? 'verified' : 'unknown_key'
      return { status: 200, body: { signature_type: 'SSH', verification_status } }
    },
    'GET /projects/:project/repository/commits/:sha/merge_requests': (call) => {
      openProject(world, call, 'read', api)
      return { status: 200, body: world.pullsOf(call.params['sha'] ?? '').map(shape) }
    },
    'GET /projects/:project/repository/compare': (call) => {
      openProject(world, call, 'read', api)
      return { status: 200, body: compare(world, call.query.get('from') ?? '', call.query.get('to') ?? '') }
    },
    'GET /projects/:project/merge_requests': (call) => {
      openProject(world, call, 'read', api)
      const { items, headers, next } = pageOf(call, listMerges(world, call), pages, `${api}${call.path}`)
      return { status: 200, headers: { ...headers, 'X-Next-Page': `${next ?? ''}` }, body: items.map(shape) }
    },
    'POST /projects/:project/merge_requests': (call) => {
      const token = openProject(world, call, 'pullRequests', api)
      return { status: 201, body: shape(createMerge(world, call, token)) }
    },
    'GET /projects/:project/merge_requests/:iid': onMerge('read', () => {}),
    'PUT /projects/:project/merge_requests/:iid/merge': onMerge('pullRequests', ({ body }, pull) => {
      const { requiredChecks, allowsAutoMerge } = world.switches
      if (!allowsAutoMerge) throw refuse(401, '401 Unauthorized')
      if (body['auto_merge'] === undefined) return mergeNow(world, body, pull)
      if (body['auto_merge'] !== true || pull.draft || requiredChecks.length === 0)
        throw refuse(405, '405 Method Not Allowed')
      if (body['sha'] !== pull.head) throw refuse(409, 'SHA does not match HEAD of source branch')
      pull.autoMerge = true
    }),
    'PUT /projects/:project/merge_requests/:iid': onMerge('pullRequests', (call, pull) => editMerge(world, call, pull)),
    'GET /projects/:project/forks': (call) => {
      const token = openProject(world, call, 'read', api)
      return { status: 200, body: world.fork ? [shapeFork(world, web, token, world.fork)] : [] }
    },
    'POST /projects/:project/fork': (call) => {
      const token = openProject(world, call, 'read', api)
      return { status: 201, body: shapeFork(world, web, token, world.makeFork(token.login)) }
    },
  }
  const fork = () => world.fork ?? fail()
  const isFork = ({ params }: Call) => params['project'] === world.fork?.path
  return forkRoutes(routes, isFork, {
    'GET /projects/:project': (call) => ({ status: 200, body: shapeFork(world, web, login(call, world), fork()) }),
    'GET /projects/:project/repository/branches/:branch': ({ params: { branch = '' } }) => {
      const id = forkHeads(fork()).get(branch)
      if (id === undefined) throw refuse(404, '404 Branch Not Found')
      return { status: 200, body: { name: branch, default: branch === 'main', protected: false, commit: { id } } }
    },
    'GET /projects/:project/repository/compare': ({ query }) => {
      if (query.get('from_project_id') !== `${repositoryId}`) throw refuse(404, '404 Ref Not Found')
      const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
      return { status: 200, body: compare(world, from, forkHeads(fork()).get(to) ?? to) }
    },
    'POST /projects/:project/merge_requests': (call) => {
      const [owner = ''] = fork().path.split('/')
      if (call.body['target_project_id'] !== repositoryId) throw refuse(400, ['Target project is wrong'])
      return { status: 201, body: shape(createMerge(world, call, login(call, world), owner)) }
    },
  })
}

function fail(): never {
  throw refuse(404, '404 Project Not Found')
}

/** `projectSyncFork`, the one mutation that Docent sends. */
function syncProject(world: World, { body }: Call): { readonly status: number; readonly body: unknown } {
  const variables = (body['variables'] ?? {}) as Readonly<Record<string, unknown>>
  const isSynced = variables['path'] === world.fork?.path && world.fork && syncFork(world.fork, world.remote)
  const errors = isSynced ? [] : ['The fork could not be synchronized']
  return { status: 200, body: { data: { projectSyncFork: { errors } } } }
}

function compare(world: World, from: string, to: string) {
  const [base, head] = [from, to].map((name) => world.heads().get(name) ?? (world.exists(name, 'commit') ? name : ''))
  if (!base || !head) throw refuse(404, '404 Ref Not Found')
  const ids = world.between(base, head).toReversed()
  const commits = ids.map((id) => ({ id, short_id: id.slice(0, 8), title: '', author_name: '' }))
  return { commit: commits.at(-1) ?? null, commits, diffs: [], compare_timeout: false, compare_same_ref: base === head }
}

function listMerges(world: World, { query }: Call): readonly Pull[] {
  const state = query.get('state') ?? 'all'
  const words = { open: 'opened', closed: 'closed', merged: 'merged' }
  return world
    .listed()
    .filter((pull) => state === 'all' || words[pull.state] === state)
    .filter((pull) => query.get('source_branch') === null || pull.branch === query.get('source_branch'))
    .filter((pull) => query.get('target_branch') === null || pull.base === query.get('target_branch'))
}

function mergeNow(world: World, body: Call['body'], pull: Pull): void {
  if (pull.state !== 'open' || pull.draft || (world.mergeable(pull) ?? world.mergeable(pull)) !== true) {
    throw refuse(405, '405 Method Not Allowed')
  }
  if (body['sha'] !== pull.head) throw refuse(409, 'SHA does not match HEAD of source branch')
  world.merge(pull.number)
}

/** GitLab takes a merge request without a change. */
function createMerge(world: World, { body }: Call, token: Token, fork: string | null = null): Pull {
  const branch = textOf(body['source_branch'])
  const base = textOf(body['target_branch'])
  const missing = ['title', 'source_branch', 'target_branch'].find((name) => !body[name])
  if (missing !== undefined) throw new Refusal(400, { error: `${missing} is missing` })
  const head = world.headsOf(fork).get(branch)
  if (head === undefined) throw refuse(400, [`Source branch "${branch}" does not exist`])
  if (!world.heads().has(base)) throw refuse(400, [`Target branch "${base}" does not exist`])
  if (branch === base) throw refuse(422, ["You can't use same project/branch for source and target"])
  const text = textOf(body['description'])
  if (text.length > 1_048_576) throw refuse(400, { description: ['is too long (maximum is 1048576 characters)'] })
  world.sync()
  const open = world.openOf(branch, base, fork)
  if (world.switches.hasUniqueRule && open) {
    throw refuse(409, [`Another open merge request already exists for this source branch: !${open.number}`])
  }
  const title = textOf(body['title'])
  const draft = draftPrefix.test(title)
  const pull = world.createPull({ title, body: text, base, branch, head, draft, author: token.login, fork })
  setLists(body, pull)
  return pull
}

function editMerge(world: World, { body }: Call, pull: Pull): void {
  const { title, description, target_branch: base, state_event: event } = body
  if (base !== undefined && !world.heads().has(textOf(base))) {
    throw refuse(400, [`Target branch "${textOf(base)}" does not exist`])
  }
  if (title !== undefined) pull.title = textOf(title)
  pull.draft = draftPrefix.test(pull.title)
  if (description !== undefined) pull.body = textOf(description)
  if (base !== undefined) pull.base = textOf(base)
  if (event === 'close' && pull.state === 'open') pull.state = 'closed'
  if (event === 'reopen' && pull.state === 'closed') pull.state = 'open'
  if (body['milestone_id'] !== undefined) pull.milestone = world.milestones[Number(body['milestone_id']) - 70] ?? null
  setLists(body, pull)
  world.touch(pull)
}

/** Names of labels, separated by commas or in a list; numbers of reviewers, who replace the ones before. */
function setLists(body: Call['body'], pull: Pull): void {
  const added = body['add_labels'] ?? body['labels']
  if (body['labels'] !== undefined) pull.labels.length = 0
  const names = Array.isArray(added) ? (added as string[]) : textOf(added).split(',')
  for (const name of names.filter(Boolean)) if (!pull.labels.includes(name)) pull.labels.push(name)
  const ids = body['reviewer_ids'] as readonly number[] | undefined
  const assigned = body['assignee_ids'] as readonly number[] | undefined
  if (assigned) pull.assignees.splice(0, Infinity, ...assigned.map((id) => people[id] ?? '').filter(Boolean))
  if (ids) pull.reviewers.splice(0, Infinity, ...ids.map((id) => people[id] ?? '').filter(Boolean))
}
