// The API of Docent with its types: one method for each HTTP method, which takes a path of the OpenAPI document and throws
// a `DocentError` for every refusal; and what takes more than one request, waiting for a job and following its events.

import createApi, {
  type Client as Api,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch'
import { toBaseAddress } from '../address.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Connection, JobPath } from './connection.ts'
import { toError } from './error.ts'
import { type EventsOptions, followEvents, type JobEvent } from './events.ts'
import { takesIdempotencyKey } from './idempotent.ts'
import { send } from './send.ts'
import type { paths } from './types.gen.ts'
import { type Job, waitForJob, type WaitOptions } from './wait-for-job.ts'

export { DocentError } from './error.ts'
export type { EventsOptions, Job, JobEvent, JobPath, WaitOptions }
export type { components, paths } from './types.gen.ts'

export type ClientOptions = {
  /** The address of the service, such as `https://docent.example.com`. */
  readonly url: string
  /** A key with the scope that the operations need. */
  readonly key: string
  /** Default: `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch
  /** The most attempts of a request that may be repeated, the first one included. Default: 5. */
  readonly attempts?: number
  /** The timeout of one attempt, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number
  readonly clock?: Clock
}

type Methods = 'get' | 'put' | 'post' | 'patch' | 'delete'
type PathsOf<Method extends Methods> = ClientPathsWithMethod<Api<paths>, Method>
type Body<Method extends Methods, Path extends PathsOf<Method>, Init> =
  MethodResponse<Api<paths>, Method, Path, Init> extends infer Data
    ? [Data] extends [never]
      ? undefined
      : Data
    : never

type Call<Method extends Methods> = <Path extends PathsOf<Method>, Init extends MaybeOptionalInit<paths[Path], Method>>(
  path: Path,
  ...init: undefined extends Init ? [Init?] : [Init]
) => Promise<{ readonly data: Body<Method, Path, Init>; readonly response: Response }>

export type DocentClient = {
  readonly GET: Call<'get'>
  readonly PUT: Call<'put'>
  /** Where the operation takes an `Idempotency-Key`, the client sends one and may repeat the request. */
  readonly POST: Call<'post'>
  readonly PATCH: Call<'patch'>
  readonly DELETE: Call<'delete'>
  /** Waits until the job is no longer active. A job that waits for an answer has the outcome `needs_input`. */
  readonly waitForJob: (job: JobPath, options?: WaitOptions) => Promise<Job>
  /** The events of a job: those so far, then new ones until the job is no longer active. */
  readonly events: (job: JobPath, options?: EventsOptions) => AsyncGenerator<JobEvent, void>
}

/** Throws a TypeError when `url` is not an http address, or `key` is missing. */
export function createClient(options: ClientOptions): DocentClient {
  const { url, key, fetch = globalThis.fetch, clock = systemClock, attempts = 5, timeoutMs = 60_000 } = options
  if (!key) throw new TypeError('`key` is missing.')
  const connection: Connection = { base: toBaseAddress(url), key, fetch, clock, attempts, timeoutMs }
  const api = createApi<paths>({
    baseUrl: connection.base,
    headers: { Authorization: `Bearer ${key}` },
    redirect: 'manual',
    fetch: (request) => send(request, connection),
  })
  api.use({
    onRequest: ({ request, schemaPath }) => {
      if (request.method !== 'POST' || !takesIdempotencyKey(schemaPath)) return
      if (!request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', crypto.randomUUID())
    },
    onResponse: async ({ response }) => {
      if (!response.ok) throw await toError(response, clock.now())
    },
  })
  // A refusal has been thrown, so there is data.
  const { GET, PUT, POST, PATCH, DELETE } = api as unknown as DocentClient
  return {
    GET,
    PUT,
    POST,
    PATCH,
    DELETE,
    waitForJob: (job, options) => waitForJob(connection, job, options),
    events: (job, options) => followEvents(connection, job, options),
  }
}
