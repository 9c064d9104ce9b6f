// The routes of the loopback GitHub that read and write a repository and its pull requests. Messages are GitHub's own.

import { type Call, type Handler, Refusal, type Routes, forkRoutes, pageOf, textOf } from './routes.ts'
import { type Fork, forkHeads, syncFork } from './fork.ts'
import { type Addresses, shapeFork, shapePull, shapeRepository, shapeUser } from './github-shapes.ts'
import { type Pull, type Token, type World, people, repositoryId } from './world.ts'

const help = 'https://docs.github.com/rest'
const pages = { name: 'per_page', usual: 30, most: 100 }

export const refuse = (status: number, message: string, headers?: Readonly<Record<string, string>>): Refusal =>
  new Refusal(status, { message, documentation_url: help, status: `${status}` }, headers)

const invalid = (message: string, error: Readonly<Record<string, string>>): Refusal =>
  new Refusal(422, { message, errors: [error], documentation_url: help, status: '422' })

export type Access = { readonly permission: string; readonly level: 'read' | 'write' }

/** The token, when it may; GitHub hides what it does not let see. */
export function authorize(world: World, call: Call, access: Access): Token {
  const { token } = call
  if (!token) throw refuse(401, call.authorization === '' ? 'Requires authentication' : 'Bad credentials')
  const granted = token.permissions[access.permission]
  if (granted === 'write' || granted === access.level) return token
  const kind = token.isInstallation ? 'integration' : 'personal access token'
  if (world.switches.hidesForbidden) throw refuse(404, 'Not Found')
  throw refuse(403, `Resource not accessible by ${kind}`, {
    'X-Accepted-GitHub-Permissions': `${access.permission}=${access.level}`,
  })
}

/** The repository of the path, under its present name; writes need one that is not archived. */
export function openRepository(world: World, call: Call, access: Access, addresses: Addresses): Token {
  const path = `${call.params['owner']}/${call.params['repo']}`
  if (call.token === undefined && (call.authorization !== '' || world.switches.isPrivate)) {
    throw refuse(call.authorization === '' ? 404 : 401, call.authorization === '' ? 'Not Found' : 'Bad credentials')
  }
  if (world.formerPaths.has(path)) {
    const rest = call.path.slice(`/repos/${path}`.length)
    const url = `${addresses.api}/repositories/${repositoryId}${rest}${call.query.size ? `?${call.query.toString()}` : ''}`
    throw new Refusal(301, { message: 'Moved Permanently', url, documentation_url: help }, { Location: url })
  }
  if (path !== world.path || world.switches.isDeleted) throw refuse(404, 'Not Found')
  const token = authorize(world, call, access)
  if (!token.rights.has('read')) throw refuse(404, 'Not Found')
  if (access.level === 'write' && world.switches.isArchived) {
    throw refuse(403, 'Repository was archived so is read-only.')
  }
  return token
}

export function pullRoutes(world: World, addresses: Addresses): Routes {
  const open = (call: Call, permission: string, level: Access['level']) =>
    openRepository(world, call, { permission, level }, addresses)
  const onPull =
    (level: Access['level'], handler: (call: Call, pull: Pull) => unknown, status = 200): Handler =>
    (call) => {
      open(call, 'pull_requests', level)
      const pull = world.pull(Number(call.params['pull_number']))
      if (!pull) throw refuse(404, 'Not Found')
      return { status, body: handler(call, pull) }
    }
  const shape = (pull: Pull) => shapePull(world, addresses, pull)
  return {
    'GET /repos/:owner/:repo': (call) => {
      const token = open(call, 'metadata', 'read')
      const { tokenScopes: scopes } = world.switches
      const headers: Record<string, string> = scopes === null ? {} : { 'X-OAuth-Scopes': scopes }
      return { status: 200, headers, body: shapeRepository(world, addresses, token) }
    },
    'GET /meta': () => ({ status: 200, body: { verifiable_password_authentication: true } }),
    'GET /user': (call) => {
      if (!call.token) throw refuse(401, call.authorization === '' ? 'Requires authentication' : 'Bad credentials')
      if (call.token.isInstallation) throw refuse(403, 'Resource not accessible by integration')
      return { status: 200, body: shapeUser(call.token.login, addresses) }
    },
    'GET /users/:username': ({ params: { username = '' } }) => {
      if (!(people as readonly string[]).includes(username) && !username.endsWith('[bot]'))
        throw refuse(404, 'Not Found')
      return { status: 200, body: shapeUser(username, addresses) }
    },
    'GET /repos/:owner/:repo/pulls': (call) => {
      open(call, 'pull_requests', 'read')
      const found = listPulls(world, call)
      const address = `${addresses.api}${call.path}`
      const { items, headers } = pageOf(call, found, pages, address)
      return { status: 200, headers, body: items.map((pull) => shapePull(world, addresses, pull, true)) }
    },
    'GET /repos/:owner/:repo/commits/:commit_sha/pulls': (call) => {
      open(call, 'pull_requests', 'read')
      const found = world.pullsOf(call.params['commit_sha'] ?? '')
      return { status: 200, body: found.map((pull) => shapePull(world, addresses, pull, true)) }
    },
    'POST /repos/:owner/:repo/pulls': (call) => {
      const token = open(call, 'pull_requests', 'write')
      return { status: 201, body: shape(createPull(world, call, token)) }
    },
    'GET /repos/:owner/:repo/pulls/:pull_number': onPull('read', (_, pull) => shape(pull)),
    'PATCH /repos/:owner/:repo/pulls/:pull_number': onPull('write', (call, pull) => {
      editPull(world, call, pull)
      return shape(pull)
    }),
    'PUT /repos/:owner/:repo/pulls/:pull_number/merge': (call) => {
      open(call, 'contents', 'write')
      const pull = world.pull(Number(call.params['pull_number']))
      if (!pull) throw refuse(404, 'Not Found')
      return { status: 200, body: mergePull(world, call, pull) }
    },
    'POST /repos/:owner/:repo/pulls/:pull_number/requested_reviewers': onPull(
      'write',
      (call, pull) => {
        requestReviewers(world, call, pull)
        return shapePull(world, addresses, pull, true)
      },
      201,
    ),
    'GET /repos/:owner/:repo/issues/:pull_number/labels': onPull('read', (_, pull) => shapeLabels(pull)),
    'POST /repos/:owner/:repo/issues/:pull_number/labels': onPull('write', (call, pull) => {
      const given = Array.isArray(call.body) ? call.body : (call.body['labels'] as readonly string[])
      // GitHub creates a label that does not exist.
      for (const name of given as readonly string[]) if (!pull.labels.includes(name)) pull.labels.push(name)
      world.touch(pull)
      return shapeLabels(pull)
    }),
    'POST /repos/:owner/:repo/issues/:pull_number/assignees': onPull(
      'write',
      (call, pull) => {
        // GitHub leaves out whom it does not accept.
        const names = (call.body['assignees'] as readonly string[]).filter((name) => ['ada', 'grace'].includes(name))
        for (const name of names) if (!pull.assignees.includes(name)) pull.assignees.push(name)
        return shapeIssue(pull, addresses)
      },
      201,
    ),
    'GET /repos/:owner/:repo/milestones': (call) => {
      open(call, 'pull_requests', 'read')
      return { status: 200, body: world.milestones.map((title, at) => ({ number: at + 1, title })) }
    },
    'PATCH /repos/:owner/:repo/issues/:pull_number': onPull('write', (call, pull) => {
      pull.milestone = world.milestones[Number(call.body['milestone']) - 1] ?? null
      return shapeIssue(pull, addresses)
    }),
    'POST /repos/:owner/:repo/forks': (call) => {
      const { value, login } = open(call, 'metadata', 'read')
      if (!value.startsWith('ghp_')) throw refuse(403, 'Resource not accessible by personal access token')
      return { status: 202, body: shapeFork(world, addresses, world.makeFork(login)) }
    },
  }
}

/** The routes that answer for the fork. */
export function gitHubForkRoutes(world: World, addresses: Addresses, routes: Routes): Routes {
  const isFork = ({ params }: Call) => `${params['owner']}/${params['repo']}` === world.fork?.path
  return forkRoutes(routes, isFork, {
    'GET /repos/:owner/:repo': () => ({ status: 200, body: shapeFork(world, addresses, forkOf(world)) }),
    'GET /repos/:owner/:repo/branches/*branch': ({ params: { branch = '' } }) => {
      const sha = forkHeads(forkOf(world)).get(branch)
      if (sha === undefined || forkOf(world).copying-- > 0) throw refuse(404, 'Branch not found')
      return { status: 200, body: { name: branch, commit: { sha }, protected: false } }
    },
    'POST /repos/:owner/:repo/merge-upstream': ({ body }) => {
      const branch = textOf(body['branch'])
      if (!syncFork(forkOf(world), world.remote)) throw refuse(409, 'There are merge conflicts')
      return { status: 200, body: { message: 'Synced', merge_type: 'fast-forward', base_branch: `acme:${branch}` } }
    },
  })
}

function forkOf({ fork }: World): Fork {
  if (!fork) throw refuse(404, 'Not Found')
  return fork
}
const shapeIssue = (pull: Pull, addresses: Addresses) => ({
  number: pull.number,
  title: pull.title,
  assignees: pull.assignees.map((login) => shapeUser(login, addresses)),
})

const shapeLabels = (pull: Pull) => pull.labels.map((name) => ({ name }))

/** GitHub ignores a `head` without an owner, and lists all. */
function listPulls(world: World, { query }: Call): readonly Pull[] {
  const state = query.get('state') ?? 'open'
  const [owner, ...rest] = (query.get('head') ?? '').split(':')
  const branch = rest.join(':')
  const [here] = world.path.split('/')
  return world
    .listed()
    .filter((pull) => state === 'all' || (pull.state === 'open') === (state === 'open'))
    .filter((pull) => branch === '' || (pull.branch === branch && (pull.fork ?? here) === owner))
    .filter((pull) => query.get('base') === null || pull.base === query.get('base'))
}

function createPull(world: World, { body }: Call, token: Token): Pull {
  const base = textOf(body['base'])
  const [here = ''] = world.path.split('/')
  const [branch = '', owner = here] = textOf(body['head']).split(':').toReversed()
  const fork = owner === here ? null : owner
  const title = textOf(body['title'])
  const text = textOf(body['body'])
  const heads = world.heads()
  const head = world.headsOf(fork).get(branch) ?? (world.switches.takesAnyHead ? heads.get(base) : undefined)
  const resource = 'PullRequest'
  if (head === undefined) throw invalid('Validation Failed', { resource, field: 'head', code: 'invalid' })
  const baseHead = heads.get(base)
  if (baseHead === undefined) throw invalid('Validation Failed', { resource, field: 'base', code: 'invalid' })
  if (text.length > 65_536) {
    const message = 'body is too long (maximum is 65536 characters)'
    throw invalid('Validation Failed', { resource: 'Issue', code: 'custom', field: 'body', message })
  }
  world.sync()
  if (world.switches.hasUniqueRule && world.openOf(branch, base, fork)) {
    const message = `A pull request already exists for ${owner}:${branch}.`
    throw invalid('Validation Failed', { resource, code: 'custom', message })
  }
  if (!world.switches.takesAnyHead && world.between(baseHead, head).length === 0) {
    const message = `No commits between ${base} and ${branch}`
    throw invalid('Validation Failed', { resource, code: 'custom', message })
  }
  const draft = body['draft'] === true
  return world.createPull({ title, body: text, base, branch, head, draft, author: token.login, fork })
}

function editPull(world: World, { body }: Call, pull: Pull): void {
  const { title, body: text, base, state } = body
  if (base !== undefined && !world.heads().has(textOf(base))) {
    throw invalid('Validation Failed', { resource: 'PullRequest', field: 'base', code: 'invalid' })
  }
  if (state === 'open' && pull.state === 'merged') {
    const message = 'state cannot be changed. The pull request cannot be reopened.'
    throw invalid('Validation Failed', { resource: 'PullRequest', code: 'custom', field: 'state', message })
  }
  if (title !== undefined) pull.title = textOf(title)
  if (text !== undefined) pull.body = textOf(text)
  if (base !== undefined) pull.base = textOf(base)
  if (state !== undefined && pull.state !== 'merged') pull.state = state === 'open' ? 'open' : 'closed'
  world.touch(pull)
}

function mergePull(world: World, { body }: Call, pull: Pull) {
  const canMerge = pull.state === 'open' && !pull.draft && (world.mergeable(pull) ?? world.mergeable(pull))
  if (canMerge !== true) throw refuse(405, 'Pull Request is not mergeable')
  if (!world.switches.allowsAutoMerge)
    throw refuse(405, 'At least 1 approving review is required by reviewers with write access.')
  if (body['sha'] !== undefined && body['sha'] !== pull.head) {
    throw refuse(409, 'Head branch was modified. Review and try the merge again.')
  }
  const sha = world.merge(pull.number, body['merge_method'] === 'squash' ? 'squash' : 'merge')
  return { sha, merged: true, message: 'Pull Request successfully merged' }
}

function requestReviewers(world: World, { body }: Call, pull: Pull): void {
  const logins = (body['reviewers'] ?? []) as readonly string[]
  if (logins.includes(pull.author)) throw refuse(422, 'Review cannot be requested from pull request author.')
  if (logins.some((login) => !['ada', 'grace'].includes(login))) {
    const message =
      'Reviews may only be requested from collaborators. One or more of the users or teams you specified is '
    throw refuse(422, `${message}not a collaborator of the ${world.path} repository.`)
  }
  for (const login of logins) if (!pull.reviewers.includes(login)) pull.reviewers.push(login)
  world.touch(pull)
}
