// The dependencies of the HTTP layer, and the types that its parts share: bindings, variables, and the type of a
// resource.

import type { IncomingMessage } from 'node:http'
import type { OpenAPIHono, RouteConfig, RouteHandler } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Ingest } from '../analytics/collect/ingest.ts'
import type { AnalyticsContext } from '../analytics/context.ts'
import type { AffectedContext } from '../jobs/affected-pages/read.ts'
import type { CheckTexts } from '../jobs/review/check-texts.ts'
import type { FilesContext } from '../jobs/files.ts'
import type { PolicyQuestions } from '../jobs/policy/ask/ask.ts'
import type { EventFeed } from '../jobs/events/feed.ts'
import type { ClockState } from '../time-guard/clock-state.ts'
import type { DiskState } from '../lib/observability/disk-watch.ts'
import type { Log } from '../lib/observability/log.ts'
import type { Redactor } from '../lib/outbound/redactor.ts'
import type { LogState, Metrics } from '../lib/observability/metrics.ts'
import type { ForgeAppsContext } from '../projects/forge-apps/forge-apps.ts'
import type { ModelsContext } from '../models/settings.ts'
import type { SignInPurpose } from '../people/links.ts'
import type { RecogniseSession, Session } from '../people/sessions.ts'
import type { Principal } from '../projects/keys.ts'
import type { ProofContext } from '../projects/access/prove.ts'
import type { EnterContext } from '../projects/access/enter.ts'
import type { Project, ProjectsContext } from '../projects/projects.ts'
import type { SourcesContext } from '../projects/sources/sources.ts'
import type { PullNowContext } from '../jobs/pulls/show.ts'
import type { TrustedProxies } from '../lib/network.ts'
import type { Declared } from './contract/need.ts'
import type { ForwardCounts, UnusedForwards } from './request/address/unused-forwards.ts'

/** The operations that the service offers the command line on the same machine, through the socket. */
export type LocalOperations = {
  readonly status: () => Promise<
    Readonly<Record<string, string | number | readonly (string | object)[] | ForwardCounts>>
  >
  /** Accepts the clock on behalf of the operator. Throws `unavailable` while it differs from the database's. */
  readonly acceptClock: () => Promise<void>
  /** Encrypts some stored secrets again with the newest key, and returns how many are left. */
  readonly rotateSecrets: () => Promise<Readonly<Record<string, unknown>>>
  /** The link that creates the first account. Throws `setup_done` when there is one. */
  readonly setupLink: () => Promise<string>
  /** A link that signs the person in, once. Throws `not_found`. */
  readonly signInLink: (email: string, purpose: SignInPurpose) => Promise<string>
  /** The bytes of a backup; undefined if there is nothing to back up yet. Throws when no backup can be made. */
  readonly backup: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined>
}

export type AppDeps = {
  readonly jobs: FilesContext
  readonly policy: Pick<PolicyQuestions, 'ask'>
  readonly events: EventFeed
  readonly projects: ProjectsContext
  /** Credentials, and what they allow. */
  readonly access: ProofContext & EnterContext
  readonly sources: SourcesContext
  readonly affected: AffectedContext
  readonly checkTexts: CheckTexts
  readonly forgeApps: ForgeAppsContext
  readonly models: ModelsContext
  readonly pulls: PullNowContext
  readonly log: Log
  /** Removes secrets from what is stored or answered. */
  readonly redactor: Pick<Redactor, 'hide' | 'redact'>
  readonly metrics: Metrics
  readonly analytics: AnalyticsContext
  readonly ingest: Ingest
  /** Why this service sends no mail; null if it does. */
  readonly mailProblem: string | null
  readonly limits: {
    readonly createsPerHour: number
    readonly messagesPerHour: number
    readonly exportsPerHour: number
    readonly collectsPerMinute: number
  }
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly local?: LocalOperations
  /** The release of the service, as the OpenAPI document shows it. */
  readonly version: string
  /** The log of page views. Rejects when a store does not respond. */
  readonly ready: () => Promise<LogState>
  /** The space on the disk of the data directory. Never throws. */
  readonly diskState: () => Promise<DiskState>
  /** The state of the clock at the last sweep. */
  readonly clockState: () => ClockState
  /** The owner of a key, or undefined. Throws `forbidden` when the key is limited to other addresses. */
  readonly identify: (key: string, address: string | undefined) => Promise<Principal | undefined>
  readonly trustedProxies: TrustedProxies
  /** The header in which a trusted proxy names the country of a visitor. */
  readonly countryHeader: string | undefined
  readonly unusedForwards: UnusedForwards
  readonly identifySession: RecogniseSession
  /** The folder of the built dashboard. Undefined: it is not built. */
  readonly dashboard: string | undefined
  /** May people sign in over plain http from other machines? */
  readonly allowHttpSignIn: boolean
}

/**
 * The socket in the data directory sets the principal: anyone who can open it is the operator. A request that this app sends to
 * itself has the principal and the address of the one that it belongs to.
 */
export type AppBindings = {
  readonly principal?: Principal
  readonly address?: string | undefined
  readonly incoming?: IncomingMessage
}

export type AppEnv = {
  Bindings: AppBindings
  Variables: {
    requestId: string
    /** The address of the client; undefined if the request came through the socket or from within this process. */
    address: string | undefined
    /** Set by `authenticate`. */
    principal: Principal
    /** The session of the cookie. Set by `authenticate` for operations that need a session. */
    session: Session
    /** Finds the caller again, for long responses. Set by `authenticate`. */
    findCaller: () => Promise<Principal>
    /** The id of what the request changed, for the audit record. */
    subject: string | undefined
    /** Set by `seeProject`. */
    projectId: string
    /** Set by `findProject`. */
    project: Project
    /** Set by `readJson`. */
    body: Uint8Array
  }
}

export type OpenApiApp = OpenAPIHono<AppEnv>
/** Takes only operations that declare what they need. */
export type App = Omit<OpenApiApp, 'openapi'> & {
  openapi<Route extends RouteConfig & Declared>(route: Route, handler: RouteHandler<Route, AppEnv>): unknown
}
export type AppContext = Context<AppEnv>

/** Adds the operations of one folder in `resources/` to the app, with what the OpenAPI document says about them. */
export type Resource = (app: App, deps: AppDeps) => void

/** The path of the public address, without a trailing slash: empty unless the service is published under a path. */
export function prefixOf({ publicUrl }: Pick<AppDeps, 'publicUrl'>): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '')
}

/**
 * Returns the bindings. A request within this process has no bindings, although the type says otherwise; it gets an
 * empty object.
 */
export function bindingsOf(c: AppContext): AppBindings {
  const bindings: AppBindings | undefined = c.env
  return bindings ?? {}
}
