// The routes of the loopback GitHub that belong to Apps: made from a manifest, installed, and given tokens for an hour
// that can do no more than was asked for and granted. The JWT of an App is checked as GitHub checks it.

import { type KeyObject, createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import { refuse } from './github.ts'
import { type Addresses, shapeRepository, shapeUser } from './github-shapes.ts'
import { type Call, Refusal, type Routes } from './routes.ts'
import { type Token, type World, repositoryId } from './world.ts'

type Permissions = Readonly<Record<string, string>>

export type App = {
  readonly id: number
  readonly slug: string
  readonly clientId: string
  readonly name: string
  /** PKCS#1, as GitHub gives it. */
  readonly privateKey: string
  readonly publicKey: KeyObject
  readonly setupUrl: string | null
  permissions: Permissions
  readonly events: readonly string[]
  readonly webhookSecret: string | null
  /** To its webhook, the newest first, as the API lists them. */
  readonly deliveries: AppDelivery[]
  /** The ids of the deliveries that were asked for again. */
  readonly askedAgain: number[]
  /** Undefined: it is not installed. */
  installation: { readonly id: number; permissions: Permissions; isSuspended: boolean } | undefined
}

export type AppDelivery = {
  readonly id: number
  readonly guid: string
  readonly delivered_at: string
  readonly redelivery: boolean
  readonly status_code: number
  readonly event: string
  readonly repository_id: number | null
}

export type NewApp = {
  readonly name?: string
  readonly permissions?: Permissions
  readonly events?: readonly string[]
  /** Whether the webhook is on. */
  readonly isHooked?: boolean
  readonly setupUrl?: string | null
}

const usualPermissions = {
  contents: 'write',
  pull_requests: 'write',
  issues: 'write',
  metadata: 'read',
  checks: 'read',
  statuses: 'read',
  actions: 'read',
} as const
const minuteMs = 60_000

export type Apps = ReturnType<typeof createApps>

export function createApps(world: World) {
  const all: App[] = []
  const codes = new Map<string, NewApp>()
  return {
    all,
    codes,
    create: (given: NewApp = {}): App => {
      const { publicKey, privateKey } = keysOf(all.length)
      const id = 5000 + all.length
      const name = given.name ?? 'Docent'
      const app: App = {
        id,
        name,
        slug: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
        clientId: `Iv23li${id}`,
        privateKey,
        publicKey,
        setupUrl: given.setupUrl ?? null,
        permissions: given.permissions ?? usualPermissions,
        events: given.events ?? [],
        webhookSecret: given.isHooked ? randomBytes(20).toString('hex') : null,
        deliveries: [],
        askedAgain: [],
        installation: undefined,
      }
      all.push(app)
      return app
    },
    /** On the repository of the forge. Returns the id of the installation. */
    install: (app: App): number => {
      app.installation ??= { id: app.id + 100_000, permissions: app.permissions, isSuspended: false }
      return app.installation.id
    },
    /** The second use of a code fails. */
    takeManifest: (code: string): NewApp | undefined => {
      const found = codes.get(code)
      codes.delete(code)
      return found
    },
    now: () => world.now(),
  }
}

type Keys = { readonly publicKey: KeyObject; readonly privateKey: string }
const made: Keys[] = []

/** A key takes a while to make: the Apps of all tests of a process share theirs, by their number. */
function keysOf(at: number): Keys {
  const known = made[at]
  if (known) return known
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const keys = { publicKey: createPublicKey(publicKey), privateKey }
  made[at] = keys
  return keys
}

export function appRoutes(world: World, apps: Apps, addresses: Addresses): Routes {
  const login = (call: Call): App => authenticate(apps, call)
  const installationOf = (call: Call): App => {
    const app = login(call)
    if (app.installation?.id !== Number(call.params['installation_id'])) throw refuse(404, 'Not Found')
    return app
  }
  const shape = (app: App) => shapeInstallation(world, app, addresses)
  return {
    'GET /app': (call) => ({ status: 200, body: shapeApp(login(call), addresses) }),
    'PATCH /app/hook/config': (call) => ({ status: 200, body: login(call) && { ...call.body, secret: '********' } }),
    'GET /app/hook/deliveries': (call) => {
      const { deliveries } = login(call)
      const size = Number(call.query.get('per_page') ?? 30)
      const from = Number(call.query.get('cursor')?.replace('v1_', '') ?? 0)
      const next = from + size
      const link = `<${addresses.api}/app/hook/deliveries?per_page=${size}&cursor=v1_${next}>; rel="next"`
      return {
        status: 200,
        body: deliveries.slice(from, next).map(shapeDelivery),
        headers: next < deliveries.length ? { Link: link } : {},
      }
    },
    'POST /app/hook/deliveries/:delivery_id/attempts': (call) => {
      const app = login(call)
      const id = Number(call.params['delivery_id'])
      if (!app.deliveries.some((one) => one.id === id)) throw refuse(404, 'Not Found')
      app.askedAgain.push(id)
      return { status: 202, body: {} }
    },
    'GET /app/installations': (call) => {
      const app = login(call)
      return { status: 200, body: app.installation ? [shape(app)] : [] }
    },
    'GET /app/installations/:installation_id': (call) => ({ status: 200, body: shape(installationOf(call)) }),
    'GET /repos/:owner/:repo/installation': (call) => {
      const app = login(call)
      const isHere = `${call.params['owner']}/${call.params['repo']}` === world.path
      if (!isHere || !app.installation) throw refuse(404, 'Not Found')
      return { status: 200, body: shape(app) }
    },
    'POST /app/installations/:installation_id/access_tokens': (call) => {
      const token = mint(world, installationOf(call), call)
      const [owner = ''] = world.path.split('/')
      const isNarrow = 'repositories' in call.body || 'repository_ids' in call.body
      const repositories = [{ ...shapeRepository(world, addresses, token), owner: shapeUser(owner, addresses) }]
      const expires_at = new Date(token.expiresAt ?? 0).toISOString().replace(/\.\d+/, '')
      const selection = { repository_selection: 'selected', ...(isNarrow ? { repositories } : {}) }
      return { status: 201, body: { token: token.value, expires_at, permissions: token.permissions, ...selection } }
    },
    'GET /installation/repositories': (call) => {
      if (!call.token?.isInstallation) throw refuse(401, 'Bad credentials')
      const repositories = [shapeRepository(world, addresses, call.token)]
      return { status: 200, body: { total_count: 1, repositories, repository_selection: 'selected' } }
    },
    'DELETE /installation/token': (call) => {
      if (!call.token?.isInstallation) throw refuse(401, 'Bad credentials')
      call.token.isRevoked = true
      return { status: 204 }
    },
    'POST /app-manifests/:code/conversions': (call) => {
      const manifest = apps.takeManifest(call.params['code'] ?? '')
      if (!manifest) throw refuse(404, 'Not Found')
      const app = apps.create(manifest)
      const secrets = { client_id: app.clientId, client_secret: randomBytes(20).toString('hex'), pem: app.privateKey }
      return { status: 201, body: { ...shapeApp(app, addresses), ...secrets, webhook_secret: app.webhookSecret } }
    },
  }
}

function shapeApp(app: App, addresses: Addresses) {
  return {
    id: app.id,
    slug: app.slug,
    client_id: app.clientId,
    name: app.name,
    owner: shapeUser('acme', addresses),
    html_url: `${addresses.web}/apps/${app.slug}`,
    permissions: app.permissions,
    events: app.events,
  }
}

function shapeDelivery(delivery: AppDelivery) {
  const status = delivery.status_code === 0 ? 'failed to connect to host' : String(delivery.status_code)
  return { ...delivery, duration: 0.1, status, action: null, installation_id: null, throttled_at: null }
}

function shapeInstallation(world: World, app: App, addresses: Addresses) {
  const { id = 0, permissions = {}, isSuspended = false } = app.installation ?? {}
  const account = shapeUser('acme', addresses)
  return {
    id,
    account,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: 'Organization',
    repository_selection: 'selected',
    permissions,
    html_url: `${addresses.web}/organizations/acme/settings/installations/${id}`,
    suspended_at: isSuspended ? world.date() : null,
  }
}

/** Narrowed to what is asked for; more than was granted is refused. */
function mint(world: World, app: App, { body }: Call): Token {
  if (!app.installation || app.installation.isSuspended) throw refuse(403, 'This installation has been suspended')
  const [, name = ''] = world.path.split('/')
  const names = (body['repositories'] ?? [name]) as readonly string[]
  const ids = (body['repository_ids'] ?? [repositoryId]) as readonly number[]
  if (names.some((one) => one !== name) || ids.some((id) => id !== repositoryId) || world.switches.isDeleted) {
    const message =
      'There is at least one repository that does not exist or is not accessible to the parent installation.'
    throw new Refusal(422, { message, documentation_url: 'https://docs.github.com/rest', status: '422' })
  }
  const granted = app.installation.permissions
  const wanted = (body['permissions'] ?? granted) as Permissions
  const isGranted = ([permission, level]: [string, string]) =>
    granted[permission] === 'write' || granted[permission] === level
  if (!Object.entries(wanted).every(isGranted)) {
    throw refuse(422, 'The permissions requested are not granted to this installation.')
  }
  const permissions = { metadata: 'read', ...wanted }
  const rights = (['read', 'push', 'pullRequests'] as const).filter((right) => hasRight(permissions, right))
  const given = { login: `${app.slug}[bot]`, rights, permissions, isInstallation: true, lifeMs: 60 * minuteMs }
  return world.createToken({ ...given, prefix: 'ghs_' })
}

export function hasRight(permissions: Permissions, right: 'read' | 'push' | 'pullRequests'): boolean {
  if (right === 'read') return 'contents' in permissions || 'metadata' in permissions
  return permissions[right === 'push' ? 'contents' : 'pull_requests'] === 'write'
}

function authenticate(apps: Apps, { authorization }: Call): App {
  const [head = '', claims = '', signature = ''] = authorization.replace(/^bearer /i, '').split('.')
  const undecodable = refuse(401, 'A JSON web token could not be decoded')
  const read = (part: string): Readonly<Record<string, unknown>> => {
    try {
      return JSON.parse(Buffer.from(part, 'base64url').toString()) as Readonly<Record<string, unknown>>
    } catch {
      throw undecodable
    }
  }
  if (read(head)['alg'] !== 'RS256') throw undecodable
  const { iss, iat, exp } = read(claims)
  const app = apps.all.find((one) => String(one.id) === String(iss) || one.clientId === iss)
  if (!app) throw refuse(404, 'Integration not found')
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    app.publicKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw undecodable
  const seconds = apps.now() / 1000
  const expired = "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the"
  if (typeof exp !== 'number' || exp <= seconds) throw refuse(401, `${expired} assertion expires`)
  if (exp > seconds + 600) throw refuse(401, "'Expiration time' claim ('exp') is too far in the future")
  const issued = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
  if (!Number.isInteger(iat) || Number(iat) > seconds + 5) throw refuse(401, issued)
  return app
}
