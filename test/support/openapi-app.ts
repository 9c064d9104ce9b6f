// The HTTP app on a real in-memory database, for tests: projects, keys of every kind, and calls that are validated against
// the served OpenAPI document.

import assert from 'node:assert/strict'
import { pino } from 'pino'
import type { Access, ForgeHost } from '../../src/forge/host.ts'
import type { Git, Repository, RepositoryAccess, SourceRepository } from '../../src/git/types.ts'
import { branchProblem } from '../../src/git/write/refname.ts'
import { createApp } from '../../src/http/app.ts'
import { refuseMergingReaders } from '../../src/automations/outsiders.ts'
import { noCountries } from '../../src/analytics/dimensions/country.ts'
import { createIngest } from '../../src/analytics/collect/ingest.ts'
import { createEventFeed } from '../../src/jobs/events/feed.ts'
import type { App, AppDeps } from '../../src/http/context.ts'
import type { Problem } from '../../src/http/contract/problem.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { Failure } from '../../src/lib/failure.ts'
import { sharesOf } from '../../src/lib/memory/budget.ts'
import { createProcessRedactor } from '../../src/lib/outbound/redactor.ts'
import { createMetrics } from '../../src/lib/observability/metrics.ts'
import type { Postgres } from '../../src/postgres/types.ts'
import { atEnd } from './at-end.ts'
import { openTestDatabase } from './engine.ts'
import { pageProblem } from '../../src/projects/groups/page-addresses.ts'
import { createConnections } from '../../src/projects/connections.ts'
import { createKey, operator, type Scope } from '../../src/projects/keys.ts'
import { generateKey, parseKeys } from '../../src/secrets/keys.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { modelSettings } from './model-settings.ts'
import { createSessionRecognition } from '../../src/people/sessions.ts'
import { createRecognition } from '../../src/projects/recognise.ts'
import { createPreviews } from '../../src/preview/previews.ts'
import { createProject } from '../../src/projects/projects.ts'
import { type Call, documentOf, validated } from './openapi-validate.ts'
import { createPolicyQuestions } from '../../src/jobs/policy/ask/ask.ts'
import { createTextChecks } from '../../src/jobs/review/check-texts.ts'
import { createBehindReader } from '../../src/jobs/pulls/behind.ts'
import { pullJobs } from '../../src/jobs/pulls/pull-jobs.ts'

export const publicUrl = 'https://docs.test'

export type CallOptions = {
  readonly method?: string
  /** The text of a key; null for a request without a key. Default: a key with the scope `write` for the project. */
  readonly key?: string | null
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent unchanged. */
  readonly body?: NonNullable<RequestInit['body']>
  readonly headers?: Readonly<Record<string, string>>
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>

/** Starts an app without a database, for tests that need no database. */
export async function startBareApp(changes: Partial<AppDeps> = {}): Promise<Started> {
  const deps = createDeps({ db: {} as AppDeps['projects']['db'], git: {}, host: {}, log: [] })
  return startApp({ ...deps, ...changes }, null)
}

/**
 * Opening a database takes a second or two, so all suites of a process share one, each with its own projects and keys.
 */
const shared: { postgres?: Promise<Postgres> } = {}

/** `git` and `host` are the parts that the tests need. Deletes the jobs and pull requests of earlier suites. */
export async function openTestApp(
  git: Partial<Repository & Pick<SourceRepository, 'probeRead'>> = {},
  host: Partial<ForgeHost> = {},
) {
  const { db } = await (shared.postgres ??= openShared())
  await db.deleteFrom('projects').execute()
  const log: Record<string, unknown>[] = []
  const deps = createDeps({ db, git, host, log })
  const project = await createProject(deps.projects, newProject('Acme docs'))
  const other = await createProject(deps.projects, newProject('Other docs'))
  const newKey = async (scope: Scope, projectIds: readonly string[] | null) =>
    (await createKey(db, operator, { ...operator, name: scope, scope, projectIds })).key
  const keys = {
    read: await newKey('read', [project.id]),
    write: await newKey('write', [project.id]),
    admin: await newKey('admin', null),
    adminOfProject: await newKey('admin', [project.id]),
    foreign: await newKey('write', [other.id]),
  }
  const start = (changes: Partial<AppDeps> = {}) => startApp({ ...deps, ...changes }, keys.write)
  return { ...(await start()), db, log, deps, keys, project, other, start }
}

async function openShared(): Promise<Postgres> {
  const postgres = await openTestDatabase()
  atEnd(() => postgres.close())
  return postgres
}

/** An app, its OpenAPI document, and a function that calls it. */
export type Started = { readonly app: App; readonly document: unknown; readonly call: TestCall }
export type TestCall = (path: string, options?: CallOptions) => Promise<Response>

async function startApp(deps: AppDeps, defaultKey: string | null): Promise<Started> {
  const app = createApp(deps)
  const document = await documentOf(`${deps.version} ${deps.publicUrl}`, () => app.request('/openapi.json'))
  return { app, document, call: createCall(app, document, defaultKey) }
}

function createCall(app: App, document: unknown, defaultKey: string | null): TestCall {
  const call: Call = validated((request) => app.fetch(request), document)
  return (path, { method, key = defaultKey, json, body, headers } = {}) => {
    const sent = json === undefined ? body : JSON.stringify(json)
    return call(path, {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent, duplex: 'half' }),
    })
  }
}

type Parts = {
  readonly db: AppDeps['projects']['db']
  readonly git: Partial<Repository & Pick<SourceRepository, 'probeRead'>>
  readonly host: Partial<ForgeHost>
  readonly log: Record<string, unknown>[]
}

const ring = parseKeys(generateKey())
const secrets = createSecrets(() => ring)
const mayAll: Access = {
  account: 'octocat',
  rights: { read: 'yes', push: 'unknown', pullRequests: 'yes' },
  missing: [],
  expiresAt: null,
}
const mayPush: RepositoryAccess = { read: 'yes', push: 'yes', code: null, isRefused: false, detail: '' }

function createDeps({ db, git: given, host: hosted, log }: Parts): AppDeps {
  const atMain = { branch: 'main', commit: '0'.repeat(40) }
  const repository = {
    probeAccess: () => Promise.resolve(mayPush),
    probeRead: () => Promise.resolve({ ...mayPush, push: 'unknown' as const }),
    fetch: () => Promise.reject(new Failure('repository_unreachable', 'The host did not answer.')),
    probe: () => Promise.resolve(atMain),
    refuseBlocked: () => Promise.resolve(),
    ...given,
  }
  const identity = { name: 'Docent', email: 'docent@localhost' }
  const git = { identity, repository: () => repository, source: () => repository } as unknown as Git
  const host = { access: () => Promise.resolve(mayAll), ...hosted } as ForgeHost
  const connections = createConnections({
    db,
    secrets,
    clock: systemClock,
    openHost: () => host,
    mintToken: () => Promise.reject(new Error('no App')),
  })
  const facts = { keptIn: () => Promise.reject(new Error('no pages')), hold: () => () => undefined }
  const metrics = createMetrics()
  const policy = createPolicyQuestions({ db, git })
  atEnd(() => policy.close())
  const analytics = { db, openStore: () => Promise.reject(new Error('no store')), clock: systemClock }
  return {
    jobs: { db, clock: systemClock, git, modelId: 'docent/rules', publicUrl, previews: createPreviews() },
    policy,
    events: createEventFeed({ postgres: { db, listen: async () => async () => undefined }, clock: systemClock }),
    projects: {
      db,
      checkAddress,
      branchProblem,
      modelProblem: (model) => (model.includes('/') ? null : 'is not of the form provider/model'),
      pageProblem: (address, isPrefix) => pageProblem(address, isPrefix, ['docs.internal:8080']),
      identity: { name: 'Docent', email: 'docent@localhost' },
    },
    access: { db, secrets, connections, git, clock: systemClock, privateHosts: [] },
    affected: { db, git, facts },
    checkTexts: createTextChecks({ db, git, facts }),
    sources: { db, git, branchProblem, checkAddress, refuseMergingReaders },
    forgeApps: { db, secrets, clock: systemClock, publicUrl, checkAddress, openClient: noForge },
    models: createModels(db),
    pulls: {
      db,
      git,
      jobs: pullJobs,
      publicUrl,
      clock: systemClock,
      hostOf: async (projectId, signal) => (await connections.of(projectId, signal)).host,
      behind: createBehindReader({ clock: systemClock, log: { debug: () => undefined } }),
    },
    analytics,
    mailProblem: 'This service sends no mail: DOCENT_SMTP_URL is not set.',
    ingest: createIngest(analytics, {
      metrics,
      verify: () => 'none',
      countryOf: noCountries,
      memory: { shares: sharesOf(undefined), watch: { refuse: () => undefined } },
    }),
    log: pino({ level: 'info', base: null }, { write: (line) => void log.push(JSON.parse(line)) }),
    redactor: createProcessRedactor(),
    metrics,
    limits: { createsPerHour: 1_000, messagesPerHour: 1_000, exportsPerHour: 1_000_000, collectsPerMinute: 1_000 },
    publicUrl,
    version: '0.1.0',
    ready: async () => ({ bytes: 0, seconds: 0, damaged: 0 }),
    diskState: async () => ({ state: 'enough', freeBytes: 5e9, detail: null }),
    clockState: () => ({ kind: 'trusted' }),
    identify: createRecognition(db),
    identifySession: createSessionRecognition(db),
    allowHttpSignIn: false,
    dashboard: undefined,
    trustedProxies: { hops: 0 },
    countryHeader: undefined,
    unusedForwards: {
      note: () => undefined,
      see: () => undefined,
      find: () => undefined,
      counts: () => ({ requests: 0, peers: 0, clients: 0, examples: [] }),
    },
  }
}

/** Tests that need a forge pass their own. */
function noForge(): never {
  throw new Error('no forge')
}

/** Creates the models of an environment without keys. Requests to a model fail. */
function createModels(db: AppDeps['projects']['db']): AppDeps['models'] {
  return {
    db,
    secrets,
    settings: modelSettings({}),
    modelId: 'docent/rules',
    privateHosts: [],
    clock: systemClock,
    openModel: () => Promise.reject(new Failure('model_not_configured', 'There is no model.')),
    resolve: async () => ['93.184.215.14'],
  }
}

function checkAddress(address: string): string {
  if (address.startsWith('https://')) return address
  const message = 'is not allowed: only https:// is'
  throw new Failure('invalid_input', `\`repository\` ${message}.`, { details: [{ message, pointer: '#/repository' }] })
}

function newProject(name: string) {
  return { name, repository: 'https://git.example/docs.git', branch: null }
}

/** Asserts that the response is this problem in the common format, and returns it. */
export async function expectProblem(response: Response, status: number, code: string): Promise<Problem> {
  const text = await response.text()
  assert.equal(response.status, status, text)
  assert.equal(response.headers.get('Content-Type'), 'application/problem+json')
  const problem = JSON.parse(text) as Problem
  assert.equal(problem.code, code, text)
  assert.equal(problem.status, status)
  assert.equal(problem.error, problem.detail)
  assert.equal(problem.requestId, response.headers.get('X-Request-Id'))
  assert.equal(problem.type, `${publicUrl}/reference#code-${code}`)
  return problem
}
