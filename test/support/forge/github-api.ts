// The loopback GitHub as a whole: its routes, the check of every request and reply against GitHub's description, its
// limits, and the two pages that a person meets while an App is created and installed.

import { randomBytes } from 'node:crypto'
import { type Apps, type NewApp, appRoutes } from './github-app.ts'
import { answerGraphql, graphqlRoute } from './github-graphql.ts'
import { gitRoutes } from './github-git.ts'
import { type Schemas, openGitHubSchemas } from './description.ts'
import { gitHubForkRoutes, pullRoutes, refuse } from './github.ts'
import { annotationsRoute, logRoute, remarkRoutes, storedLog } from './github-remarks.ts'
import { createLimit } from './limit.ts'
import { type Call, type Found, Refusal, type Reply, findRoute } from './routes.ts'
import type { Api } from './server.ts'
import { type World, repositoryId } from './world.ts'

type Parts = { readonly world: World; readonly apps: Apps; readonly problems: string[] }

export function openGitHubApi({ world, apps, problems }: Parts, web: string): Api {
  const addresses = { web, api: `${web}/api/v3` }
  const schemas = openGitHubSchemas(`${web}/unread`)
  const routes = gitHubForkRoutes(world, addresses, {
    ...gitRoutes(world, addresses),
    ...appRoutes(world, apps, addresses),
    ...remarkRoutes(world, addresses),
    ...pullRoutes(world, addresses),
    [graphqlRoute]: (call) => answerGraphql(world, problems, call),
  })
  const limit = createLimit(world)
  const find = (method: string, path: string): Found | undefined => findRoute(routes, method, numbered(world, path))
  return {
    prefix: '/api/v3',
    graphql: '/api/graphql',
    hasEtags: true,
    routeOf: (method, path) => find(method, path)?.name ?? `${method} ${path}`,
    headers: (token) => ({
      'X-GitHub-Request-Id': randomBytes(8).toString('hex'),
      'X-GitHub-Enterprise-Version': '3.18.0',
      'X-GitHub-Media-Type': 'github.v3; format=json',
      'X-RateLimit-Limit': '5000',
      'X-RateLimit-Remaining': '4999',
      'X-RateLimit-Reset': `${Math.ceil(world.now() / 1000) + 3600}`,
      ...(token?.expiresAt && !token.isInstallation
        ? { 'GitHub-Authentication-Token-Expiration': expiry(token.expiresAt) }
        : {}),
    }),
    handle: (call) => {
      const found = find(call.method, call.path)
      if (!found) {
        problems.push(`${call.method} ${call.path}: the loopback GitHub has no such route`)
        throw refuse(404, 'Not Found')
      }
      const wait = limit(call.method)
      if (wait) {
        const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
        throw refuse(403, message, { 'Retry-After': `${wait}` })
      }
      if (found.name === graphqlRoute) return replyOf(found.handler, call)
      const withParams = { ...call, path: numbered(world, call.path), params: found.params }
      // Types, or a redirect to a text, and no schema.
      if (found.name === annotationsRoute || found.name === logRoute) return replyOf(found.handler, withParams)
      return checked({ schemas, problems }, found, withParams)
    },
    page: (method, url, body) => storedLog(world, url) ?? pageOf(apps, addresses.web, { method, url, body }),
  }
}

/** A repository is also found by its number, wherever it has moved. */
function numbered(world: World, path: string): string {
  return path.replace(new RegExp(`^/repositories/${repositoryId}(?=/|$)`), `/repos/${world.path}`)
}

const expiry = (time: number) => new Date(time).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')

type Checking = { readonly schemas: Schemas; readonly problems: string[] }

function checked({ schemas, problems }: Checking, { name, handler }: Found, call: Call): Reply {
  const operation = name.replaceAll(/[:*](\w+)/g, '{$1}').replace('issues/{pull_number}', 'issues/{issue_number}')
  const body = Object.keys(call.body).length === 0 ? undefined : call.body
  const wrong = schemas.problemOfRequest(operation, { query: call.query, body })
  if (wrong !== undefined) problems.push(`request ${operation}: ${wrong}`)
  const reply = replyOf(handler, call)
  const filled = schemas.fill(operation, reply.status, reply.body)
  const problem = schemas.problemOfResponse(operation, reply.status, filled)
  if (problem !== undefined) problems.push(`response ${operation}: ${problem}`)
  return { ...reply, body: filled }
}

function replyOf(handler: Found['handler'], call: Call): Reply {
  try {
    return handler(call)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

type Visit = { readonly method: string; readonly url: URL; readonly body: string }

/** Pressing «Create» and «Install»: both come back to Docent at once. */
function pageOf(apps: Apps, web: string, { method, url, body }: Visit): Reply | undefined {
  if (/^(\/organizations\/[^/]+)?\/settings\/apps\/new$/.test(url.pathname) && method === 'POST') {
    const manifest = JSON.parse(new URLSearchParams(body).get('manifest') ?? '{}') as Manifest
    const code = randomBytes(20).toString('hex')
    const { name, default_permissions: permissions, default_events: events, setup_url: setupUrl } = manifest
    apps.codes.set(code, {
      ...(name ? { name } : {}),
      ...(permissions ? { permissions } : {}),
      ...(events ? { events } : {}),
      isHooked: manifest.hook_attributes?.active ?? false,
      setupUrl: setupUrl ?? null,
    })
    const target = new URL(manifest.redirect_url)
    target.searchParams.set('code', code)
    target.searchParams.set('state', url.searchParams.get('state') ?? '')
    return { status: 302, headers: { Location: target.href } }
  }
  const slug = /^\/(?:github-)?apps\/([^/]+)\/installations\/new$/.exec(url.pathname)?.[1]
  const app = apps.all.find((one) => one.slug === slug)
  if (!app) return undefined
  const target = new URL(app.setupUrl ?? `${web}/organizations/acme/settings/installations`)
  target.searchParams.set('installation_id', `${apps.install(app)}`)
  target.searchParams.set('setup_action', 'install')
  return { status: 302, headers: { Location: target.href } }
}

type Manifest = {
  readonly name?: string
  readonly redirect_url: string
  readonly setup_url?: string
  readonly default_permissions?: NewApp['permissions']
  readonly default_events?: readonly string[]
  readonly hook_attributes?: { readonly active?: boolean }
}
