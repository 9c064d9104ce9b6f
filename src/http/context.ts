// What the HTTP layer needs from outside and what its parts share: the types of the app, its bindings and variables.

import type { IncomingMessage } from 'node:http'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Collecting } from '../analytics/collect/ingest.ts'
import type { AnalyticsContext } from '../analytics/context.ts'
import type { DiffContext } from '../jobs/diff.ts'
import type { EventFeed } from '../jobs/events/feed.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { Principal } from '../projects/keys.ts'
import type { Project, ProjectsContext } from '../projects/projects.ts'
import type { PullsContext } from '../forge/own/pulls.ts'
import type { TrustedProxies } from '../lib/network.ts'

/** What the command line asks the service beside it, through the socket. */
export type LocalOperations = {
  readonly status: () => Promise<Readonly<Record<string, string | number | readonly string[]>>>
  /** The bytes of a backup. Throws when there is none to be made. */
  readonly backup: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>
}

export type AppDeps = {
  readonly jobs: DiffContext
  readonly events: EventFeed
  readonly projects: ProjectsContext
  readonly pulls: PullsContext
  readonly log: Log
  readonly metrics: Metrics
  readonly analytics: AnalyticsContext
  readonly collecting: Collecting
  readonly limits: {
    readonly createsPerHour: number
    readonly messagesPerHour: number
    readonly exportsPerHour: number
    readonly collectsPerMinute: number
  }
  /** Without a trailing slash. */
  readonly publicUrl: string
  readonly local?: LocalOperations
  /** Of the service, as the OpenAPI document shows it. */
  readonly version: string
  /** Settles when every store answers; rejects when one does not. */
  readonly ready: () => Promise<void>
  /** Who a key belongs to; undefined: nobody. Throws `forbidden` for a key of other addresses. */
  readonly identify: (key: string, address: string | undefined) => Promise<Principal | undefined>
  readonly trustedProxies: TrustedProxies
}

/** A caller that is known by the way it came (the socket in the data directory) hands its principal in. */
export type AppBindings = { readonly principal?: Principal; readonly incoming?: IncomingMessage }

export type AppEnv = {
  Bindings: AppBindings
  Variables: {
    requestId: string
    /** Of the client; undefined: the request came through the socket or in this process. */
    address: string | undefined
    /** Set behind `authenticate`. */
    principal: Principal
    /** Set behind `seeProject`. */
    projectId: string
    /** Set behind `findProject`. */
    project: Project
    /** Set behind `readBody`. */
    body: Uint8Array
  }
}

export type App = OpenAPIHono<AppEnv>
export type AppContext = Context<AppEnv>
