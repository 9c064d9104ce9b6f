// The loopback Gitea, which is a Forgejo too: repositories and pull requests. Replies keep to the types of `gitea-js`
// and `forgejo-js`.

import { forkHeads, syncFork } from './fork.ts'
import { shapeFork, shapeLabel, shapePull, shapeRepository, shapeUser } from './gitea-shapes.ts'
import { remarkRoutes } from './gitea-remarks.ts'
import { createLimit } from './limit.ts'
import { type Call, type Handler, Refusal, type Routes, forkRoutes, findRoute, pageOf, textOf } from './routes.ts'
import { giteaRules } from './rules.ts'
import type { Api } from './server.ts'
import { type Pull, type Right, type Token, type World, repositoryId } from './world.ts'

const pages = { name: 'limit', usual: 30, most: 50 }
const draftPrefix = /^(wip:|\[wip\])\s*/i

export function openGiteaApi(world: World, web: string): Api {
  const routes = routesOf(world, web)
  const limit = createLimit(world)
  return {
    prefix: '/api/v1',
    hasEtags: false,
    routeOf: (method, path) => findRoute(routes, method, path)?.name ?? `${method} ${path}`,
    headers: () => ({}),
    handle: (call) => {
      const found = findRoute(routes, call.method, call.path)
      if (!found) throw new Refusal(404, '404 page not found')
      // Gitea has no limits; a proxy in front of it may.
      const wait = limit(call.method)
      if (wait) throw new Refusal(429, '<html>Too many requests</html>', { 'Retry-After': `${wait}` })
      return found.handler({ ...call, params: found.params })
    },
  }
}

const refuse = (status: number, message: string): Refusal => new Refusal(status, { message, url: '/api/swagger' })
const notFound = () => refuse(404, "The target couldn't be found.")

function login({ token, authorization }: Call): Token {
  if (token) return token
  throw refuse(401, authorization === '' ? 'token is required' : 'user does not exist [uid: 0, name: ]')
}

function openRepository(world: World, call: Call, right: Right, api: string): Token {
  const token = login(call)
  const path = `${call.params['owner']}/${call.params['repo']}`
  if (world.formerPaths.has(path)) {
    const rest = call.path.slice(`/repos/${path}`.length)
    const query = call.query.size ? `?${call.query.toString()}` : ''
    throw new Refusal(307, undefined, { Location: `${api}/repos/${world.path}${rest}${query}` })
  }
  if (path !== world.path || world.switches.isDeleted || !token.rights.has('read')) throw notFound()
  if (right === 'read') return token
  if (!token.rights.has(right)) {
    if (world.switches.hidesForbidden) throw notFound()
    const need = 'required=[write:repository], token scope=read:repository'
    throw refuse(403, `token does not have at least one of required scope(s), ${need}`)
  }
  if (world.switches.isArchived) throw refuse(423, `${world.path} is archived`)
  return token
}

function routesOf(world: World, web: string): Routes {
  const api = `${web}/api/v1`
  const shape = (pull: Pull) => shapePull(world, web, pull)
  const onPull =
    (right: Right, handler: (call: Call, pull: Pull) => unknown, status = 200): Handler =>
    (call) => {
      openRepository(world, call, right, api)
      const pull = world.pull(Number(call.params['number']))
      if (!pull) throw notFound()
      return { status, body: handler(call, pull) }
    }
  const routes: Routes = {
    'GET /version': () => ({ status: 200, body: { version: '1.24.6' } }),
    'GET /user': (call) => ({ status: 200, body: shapeUser(login(call).login, web) }),
    'GET /repos/:owner/:repo': (call) => {
      const token = openRepository(world, call, 'read', api)
      return { status: 200, body: shapeRepository(world, web, token) }
    },
    ...remarkRoutes({
      world,
      web,
      api,
      open: (call, right = 'read') => openRepository(world, call, right, api),
      shapeUser: (login) => shapeUser(login, web),
    }),
    'GET /repos/:owner/:repo/branches/*branch': (call) => {
      openRepository(world, call, 'read', api)
      const { branch: name = '' } = call.params
      const id = world.heads().get(name)
      if (id === undefined) throw notFound()
      const { requiredChecks: status_check_contexts } = world.switches
      const checks = { enable_status_check: status_check_contexts.length > 0, status_check_contexts }
      return { status: 200, body: { name, commit: { id }, protected: false, ...(name === 'main' ? checks : {}) } }
    },
    'GET /repos/:owner/:repo/git/commits/:sha': (call) => {
      openRepository(world, call, 'read', api)
      const { sha = '' } = call.params
      const isSigned = world.isSigned(sha)
      const reason = isSigned
        ? 'ada / SHA256:abc'
        : isSigned === undefined
          ? 'gpg.error.not_signed_commit'
          : 'gpg.error.no_gpg_keys_found'
      return { status: 200, body: { sha, commit: { verification: { verified: isSigned ?? false, reason } } } }
    },
    'GET /repos/:owner/:repo/commits/:sha/pull': (call) => {
      openRepository(world, call, 'read', api)
      const pull = world.pulls.find(({ mergeCommit }) => mergeCommit === call.params['sha'])
      if (!pull) throw notFound()
      return { status: 200, body: shape(pull) }
    },
    'GET /repos/:owner/:repo/compare/*basehead': (call) => {
      openRepository(world, call, 'read', api)
      const names = (call.params['basehead'] ?? '').split('...')
      const find = (name: string) => {
        const [branch = '', owner = null] = name.split(':').toReversed()
        return world.headsOf(owner).get(branch) ?? name
      }
      const [base = '', head = ''] = names.map(find)
      if (!world.exists(base, 'commit') || !world.exists(head, 'commit')) throw notFound()
      const commits = world.between(base, head)
      return { status: 200, body: { total_commits: commits.length, commits: commits.map((sha) => ({ sha })) } }
    },
    'GET /repos/:owner/:repo/branch_protections': (call) => {
      openRepository(world, call, 'read', api)
      if (world.switches.rules.isHidden) throw refuse(403, 'user should be an owner or a collaborator with admin write')
      return { status: 200, body: giteaRules(world.switches.rules) }
    },
    'GET /repos/:owner/:repo/labels': (call) => {
      openRepository(world, call, 'read', api)
      const { items, headers } = pageOf(call, world.labels, pages, `${api}${call.path}`)
      return { status: 200, headers, body: items.map((name) => shapeLabel(world, name)) }
    },
    'POST /repos/:owner/:repo/labels': (call) => {
      openRepository(world, call, 'pullRequests', api)
      const name = textOf(call.body['name'])
      if (!world.labels.includes(name)) world.labels.push(name)
      return { status: 201, body: shapeLabel(world, name) }
    },
    'GET /repos/:owner/:repo/assignees': (call) => {
      openRepository(world, call, 'read', api)
      return { status: 200, body: ['ada', 'grace'].map((name) => shapeUser(name, web)) }
    },
    'GET /repos/:owner/:repo/milestones': (call) => {
      openRepository(world, call, 'read', api)
      const rows = world.milestones.map((title, at) => ({ id: at + 1, title, state: 'open' }))
      return { status: 200, body: rows.filter(({ title }) => title.includes(call.query.get('name') ?? '')) }
    },
    'POST /repos/:owner/:repo/pulls/:number/merge': onPull(
      'pullRequests',
      ({ body }, pull) => {
        if (!world.switches.allowsAutoMerge) throw refuse(405, 'User not allowed to merge PR')
        if (body['head_commit_id'] !== pull.head) throw refuse(409, 'head out of date')
        if (body['merge_when_checks_succeed'] === undefined) return mergeNow(world, body, pull)
        if (body['Do'] !== 'squash' || body['merge_when_checks_succeed'] !== true) throw refuse(422, 'what is asked?')
        pull.autoMerge = true
        return undefined
      },
      201,
    ),
    'GET /repos/:owner/:repo/pulls': (call) => {
      openRepository(world, call, 'read', api)
      const { items, headers } = pageOf(call, listPulls(world, call), pages, `${api}${call.path}`)
      return { status: 200, headers: { ...headers, 'X-Total-Count': `${world.pulls.length}` }, body: items.map(shape) }
    },
    'POST /repos/:owner/:repo/pulls': (call) => {
      const token = openRepository(world, call, 'pullRequests', api)
      return { status: 201, body: shape(createPull(world, call, token)) }
    },
    'GET /repos/:owner/:repo/pulls/:number': onPull('read', (_, pull) => shape(pull)),
    // The status of a successful edit is 201.
    'PATCH /repos/:owner/:repo/pulls/:number': onPull(
      'pullRequests',
      (call, pull) => {
        editPull(world, call, pull)
        return shape(pull)
      },
      201,
    ),
    'GET /repos/:owner/:repo/issues/:number/labels': onPull('read', (_, pull) =>
      pull.labels.map((name) => shapeLabel(world, name)),
    ),
    'POST /repos/:owner/:repo/issues/:number/labels': onPull('pullRequests', (call, pull) => {
      const ids = (call.body['labels'] ?? []) as readonly number[]
      const names = ids.map((id) => world.labels[id - 1]).filter((name) => name !== undefined)
      for (const name of names) if (!pull.labels.includes(name)) pull.labels.push(name)
      world.touch(pull)
      return pull.labels.map((name) => shapeLabel(world, name))
    }),
    'POST /repos/:owner/:repo/pulls/:number/requested_reviewers': onPull(
      'pullRequests',
      (call, pull) => {
        const names = (call.body['reviewers'] ?? []) as readonly string[]
        const unknown = names.find((name) => !['ada', 'grace'].includes(name))
        if (unknown !== undefined) throw refuse(404, `user does not exist [uid: 0, name: ${unknown}]`)
        for (const name of names) if (!pull.reviewers.includes(name)) pull.reviewers.push(name)
        world.touch(pull)
        return names.map((name, at) => ({ id: at + 1, user: shapeUser(name, web), state: 'REQUEST_REVIEW' }))
      },
      201,
    ),
    'POST /repos/:owner/:repo/forks': (call) => {
      const { login } = openRepository(world, call, 'pullRequests', api)
      if (world.fork) throw refuse(409, `The repository with the same name already exists [name: ${world.fork.path}]`)
      return { status: 202, body: shapeFork(world, web, world.makeFork(login)) }
    },
  }
  const fork = () => world.fork ?? fail()
  const isFork = ({ params }: Call) => `${params['owner']}/${params['repo']}` === world.fork?.path
  return forkRoutes(routes, isFork, {
    'GET /repos/:owner/:repo': () => ({ status: 200, body: shapeFork(world, web, fork()) }),
    'GET /repos/:owner/:repo/branches/*branch': ({ params: { branch: name = '' } }) => {
      const id = forkHeads(fork()).get(name)
      if (id === undefined) throw notFound()
      return { status: 200, body: { name, commit: { id }, protected: false } }
    },
    'POST /repos/:owner/:repo/merge-upstream': () => {
      if (!syncFork(fork(), world.remote)) throw refuse(409, 'merge conflict')
      return { status: 200, body: { merge_type: 'fast-forward' } }
    },
  })
}

function fail(): never {
  throw notFound()
}

function mergeNow(world: World, body: Call['body'], pull: Pull): undefined {
  if (pull.state !== 'open' || pull.draft || (world.mergeable(pull) ?? world.mergeable(pull)) !== true) {
    throw refuse(405, 'Please try again later')
  }
  if (body['Do'] !== 'squash') throw refuse(422, '[Do]: Required')
  world.merge(pull.number, 'squash')
}

/** Nothing filters by branch. */
function listPulls(world: World, { query }: Call): readonly Pull[] {
  const state = query.get('state') ?? 'open'
  return world
    .listed()
    .filter((pull) => state === 'all' || (pull.state === 'open') === (state === 'open'))
    .filter((pull) => query.get('poster') === null || pull.author === query.get('poster'))
    .filter((pull) => query.get('base_branch') === null || pull.base === query.get('base_branch'))
}

function createPull(world: World, { body }: Call, token: Token): Pull {
  const [here = ''] = world.path.split('/')
  const [branch = '', owner = here] = textOf(body['head']).split(':').toReversed()
  const fork = owner === here ? null : owner
  const base = textOf(body['base'])
  if (branch === base) throw refuse(422, 'Invalid PullRequest: There are no changes between the head and the base')
  const head = world.headsOf(fork).get(branch)
  if (head === undefined || !world.heads().has(base)) throw notFound()
  world.sync()
  const open = world.openOf(branch, base, fork)
  if (world.switches.hasUniqueRule && open) {
    const ids = `id: ${open.number}, issue_id: ${open.number}, head_repo_id: ${repositoryId}, base_repo_id: ${repositoryId}`
    const targets = `${ids}, head_branch: ${branch}, base_branch: ${base}`
    throw refuse(409, `pull request already exists for these targets [${targets}]`)
  }
  const title = textOf(body['title'])
  const draft = draftPrefix.test(title)
  const text = textOf(body['body'])
  return world.createPull({ title, body: text, base, branch, head, draft, author: token.login, fork })
}

function editPull(world: World, { body }: Call, pull: Pull): void {
  const { title, body: text, base, state } = body
  if (state !== undefined && pull.state === 'merged') {
    throw refuse(412, 'cannot change state of this pull request, it was already merged')
  }
  if (base !== undefined && !world.heads().has(textOf(base))) throw notFound()
  if (title !== undefined) pull.title = textOf(title)
  pull.draft = draftPrefix.test(pull.title)
  if (text !== undefined) pull.body = textOf(text)
  if (base !== undefined) pull.base = textOf(base)
  if (state !== undefined) pull.state = state === 'open' ? 'open' : 'closed'
  const assignees = body['assignees'] as readonly string[] | undefined
  const unknown = assignees?.find((name) => !['ada', 'grace'].includes(name))
  if (unknown !== undefined) throw refuse(422, `Assignee does not exist: [name: ${unknown}]`)
  if (assignees) pull.assignees.splice(0, Infinity, ...assignees)
  if (body['milestone'] !== undefined) pull.milestone = world.milestones[Number(body['milestone']) - 1] ?? null
  world.touch(pull)
}
