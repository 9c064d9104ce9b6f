// Calls GitHub as an App: reads the App and its installations, and mints tokens of one installation. Requests are
// authenticated with the App's JWT, except the exchange of a manifest code, which needs no credential. Repeats only
// requests that GitHub refused because of this machine's clock.

import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { Failure } from '../../lib/failure.ts'
import { shorten } from '../../lib/plain-text.ts'
import type { Authorization, ForgeClient, ForgeRequest, ForgeResponse } from '../client.ts'
import { failureOf } from '../errors.ts'
import { type ListedDelivery, nextCursor, toDeliveries } from './app-deliveries.ts'
import { type AppIdentity, blamesClock, createAppJwt } from './app-jwt.ts'

export type OpenClient = (apiUrl: string, authorization: Authorization | undefined) => ForgeClient

export type AppDetails = {
  readonly appId: number
  readonly slug: string
  readonly name: string
  /** The login of the account that the App belongs to. */
  readonly owner: string | null
  readonly permissions: Permissions
}

export type Permissions = Readonly<Record<string, string>>

export type Installation = {
  readonly id: number
  /** The login of the account whose repositories it has. */
  readonly account: string
  /** The page of its settings on GitHub. */
  readonly settingsUrl: string
  readonly repositories: 'all' | 'selected'
  readonly isSuspended: boolean
  readonly permissions: Permissions
}

/** A response of `POST …/access_tokens`, or why there is no token. */
export type Minted =
  | {
      readonly kind: 'minted'
      readonly token: string
      readonly expiresAt: Date
      readonly permissions: Permissions
      /** Full names; undefined when GitHub does not list them. */
      readonly repositories: readonly { readonly name: string; readonly isPrivate: boolean | undefined }[] | undefined
    }
  | { readonly kind: 'gone' | 'refused'; readonly words: string }

/** Methods throw `forge_unavailable`, `forge_rate_limited`, and `repository_unauthorized` when the key is not accepted. */
export interface AppApi {
  read(signal: AbortSignal): Promise<AppDetails>
  installations(signal: AbortSignal): Promise<readonly Installation[]>
  /** Undefined: the App has no such installation. */
  installation(id: number, signal: AbortSignal): Promise<Installation | undefined>
  /** Mints a token for one repository of the installation, with these permissions only. */
  mint(
    id: number,
    wanted: { readonly repository: string; readonly permissions: Permissions },
    signal: AbortSignal,
  ): Promise<Minted>
  /** A page of the deliveries to its webhook, the newest first. `next`: the cursor of the page after it. */
  deliveries(
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly deliveries: readonly ListedDelivery[]; readonly next: string | undefined }>
  /** Asks for a delivery again. Returns whether GitHub will send it. */
  redeliver(id: number, signal: AbortSignal): Promise<boolean>
}

type AppOptions = {
  readonly apiUrl: string
  readonly identity: AppIdentity
  readonly openClient: OpenClient
  readonly clock: Clock
}

const text = (characters: number) => z.string().transform((value) => shorten(value, characters))
const login = z.string().min(1).max(200)
const permissionsSchema = z.record(z.string().max(100), z.string().max(20))

export const appSchema = z.object({
  id: z.int().positive(),
  slug: z.string().regex(/^[a-z0-9_-]{1,100}$/i),
  name: text(200),
  owner: z.object({ login }).nullish(),
  permissions: permissionsSchema.optional(),
})

const installationSchema = z.object({
  id: z.int().positive(),
  account: z.object({ login: text(200).optional(), slug: text(200).optional() }).nullable(),
  html_url: z.string().regex(/^https?:\/\/[\u0021-\u007e]{1,500}$/),
  repository_selection: z.enum(['all', 'selected']),
  suspended_at: z.string().nullish(),
  permissions: permissionsSchema,
})

const mintedSchema = z.object({
  token: z.string().min(1).max(10_000),
  expires_at: z.iso.datetime({ offset: true }),
  permissions: permissionsSchema.optional(),
  repositories: z.array(z.object({ full_name: z.string().max(500), private: z.boolean().optional() })).optional(),
})

const pageSize = 100
const mostPages = 50

export function createAppApi({ apiUrl, identity, openClient, clock }: AppOptions): AppApi {
  // GitHub's clock minus this machine's, after GitHub refused a signed time.
  const state = { offsetMs: 0 }
  const token = () => Promise.resolve(createAppJwt(identity, new Date(clock.now().getTime() + state.offsetMs)))
  const client = openClient(apiUrl, { scheme: 'Bearer', token })
  const ask = async (request: ForgeRequest, signal: AbortSignal) => {
    const first = await whole(client, request, signal)
    const date = Date.parse(first.headers.date ?? '')
    if (!blamesClock(first.status, first.words) || Number.isNaN(date)) return accepted(first)
    state.offsetMs = date - clock.now().getTime()
    return accepted(await whole(client, request, signal))
  }
  return {
    read: async (signal) => toDetails(parse(appSchema, await ask({ method: 'GET', path: '/app' }, signal))),
    installations: (signal) => listAll(ask, signal),
    installation: async (id, signal) => {
      const response = await ask({ method: 'GET', path: `/app/installations/${id}` }, signal)
      return response.status === 404 ? undefined : toInstallation(parse(installationSchema, response))
    },
    mint: async (id, { repository, permissions }, signal) => {
      const body = { repositories: [repository], permissions }
      return toMinted(await ask({ method: 'POST', path: `/app/installations/${id}/access_tokens`, body }, signal))
    },
    deliveries: async (cursor, signal) => {
      // It comes from a link, where it is escaped.
      const query = { per_page: pageSize, ...(cursor === undefined ? {} : { cursor: decodeURIComponent(cursor) }) }
      const response = await ask({ method: 'GET', path: '/app/hook/deliveries', query }, signal)
      const entries = parse(z.array(z.unknown()), response)
      return { deliveries: toDeliveries(entries), next: nextCursor(String(response.headers['link'] ?? '')) }
    },
    redeliver: async (id, signal) => {
      const response = await ask({ method: 'POST', path: `/app/hook/deliveries/${id}/attempts` }, signal)
      return response.status < 300
    },
  }
}

export function toDetails(app: z.infer<typeof appSchema>): AppDetails {
  const { id, slug, name, owner, permissions } = app
  return { appId: id, slug, name, owner: owner?.login ?? null, permissions: permissions ?? {} }
}

type Ask = (request: ForgeRequest, signal: AbortSignal) => Promise<ForgeResponse>

async function listAll(ask: Ask, signal: AbortSignal): Promise<readonly Installation[]> {
  const found: Installation[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { per_page: pageSize, page }
    const rows = parse(
      z.array(installationSchema),
      await ask({ method: 'GET', path: '/app/installations', query }, signal),
    )
    found.push(...rows.map(toInstallation))
    if (rows.length < pageSize) break
  }
  return found
}

function toInstallation(row: z.infer<typeof installationSchema>): Installation {
  return {
    id: row.id,
    account: row.account?.login || row.account?.slug || '(unknown)',
    settingsUrl: row.html_url,
    repositories: row.repository_selection,
    isSuspended: typeof row.suspended_at === 'string',
    permissions: row.permissions,
  }
}

function toMinted(response: ForgeResponse): Minted {
  if (response.status === 404) return { kind: 'gone', words: response.words }
  if (response.status >= 400) return { kind: 'refused', words: response.words }
  const { token, expires_at, permissions, repositories } = parse(mintedSchema, response)
  return {
    kind: 'minted',
    token,
    expiresAt: new Date(expires_at),
    permissions: permissions ?? {},
    repositories: repositories?.map((one) => ({ name: one.full_name, isPrivate: one.private })),
  }
}

/** Minting has no visible effect, so a lost response is treated like that of a read. */
async function whole(client: ForgeClient, request: ForgeRequest, signal: AbortSignal): Promise<ForgeResponse> {
  const reply = await client.ask(request, signal)
  if (reply.kind === 'response') return reply
  if (reply.kind === 'moved') {
    throw new Failure('forge_refused', `GitHub redirects the requests of the App to ${reply.to}: use that address.`)
  }
  throw failureOf(reply, asked)
}

const asked = { name: 'GitHub', repository: 'the App', right: 'read', remedy: '' } as const

function accepted(response: ForgeResponse): ForgeResponse {
  if (response.status !== 401) return response
  const words =
    'GitHub does not accept the private key of the App. Create one on the page of the App and set it: docent github set-app --app-id ID --private-key-file FILE'
  throw new Failure('repository_unauthorized', `${words}. GitHub says: ${response.words}`)
}

/** Throws `forge_unavailable` for a body of another form, such as a proxy's. */
function parse<Schema extends z.ZodType>(schema: Schema, response: ForgeResponse): z.infer<Schema> {
  const parsed = schema.safeParse(response.body)
  if (response.status < 300 && parsed.success) return parsed.data
  const words = response.words === '' ? 'The response has another form than expected.' : response.words
  throw new Failure('forge_unavailable', `GitHub did not do what the App asked (status ${response.status}): ${words}`)
}
