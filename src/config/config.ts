// The configuration: environment → frozen Config. The only reader of the environment; reports every mistake at once.
// A variable is a row of `settings`; the table in docs/operations.md is compared with it by a test.

import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Budget } from '../agent/budget.ts'
import { modelProblem, type ModelProvider, type ModelSettings, type ProviderSettings } from '../agent/model/model-id.ts'
import { parseOwnPrices } from '../agent/model/prices.ts'
import {
  boolean,
  databaseAddress,
  dataDir,
  dollars,
  identityPart,
  integer,
  list,
  logLevel,
  proxies,
  storeAddress,
  text,
  webAddress,
} from './values.ts'
import { Failure } from '../lib/failure.ts'
import type { LogLevel } from '../lib/log.ts'
import type { TrustedProxies } from '../lib/network.ts'
import { headerPairs, toTraceSettings, type TraceSettings } from '../lib/trace-settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Config = {
  readonly dataDir: string
  readonly database: {
    /** undefined: the embedded PostgreSQL under the data directory. */
    readonly url: string | undefined
    readonly connections: number
  }
  /** undefined: the embedded store of page views under the data directory. */
  readonly clickhouseUrl: string | undefined
  readonly host: string
  readonly port: number
  /** Without a trailing slash; undefined: made of the address that the server listens on. */
  readonly publicUrl: string | undefined
  readonly trustedProxies: TrustedProxies
  readonly model: ModelSettings & {
    /** Of projects that name none. */
    readonly id: string
  }
  readonly workerConcurrency: number
  /** Where a worker answers about its health; undefined: nowhere. */
  readonly workerPort: number | undefined
  readonly leaseSeconds: number
  readonly budget: Budget
  readonly repositories: {
    readonly allowLocal: boolean
    readonly privateHosts: readonly string[]
    readonly maxBytes: number
    readonly maxFiles: number
  }
  readonly commitIdentity: { readonly name: string; readonly email: string }
  readonly limits: {
    readonly createsPerHour: number
    readonly messagesPerHour: number
    readonly exportsPerHour: number
    readonly collectsPerMinute: number
  }
  readonly archiveAfterDays: number
  readonly logLevel: LogLevel
  /** undefined: no traces. */
  readonly traces: TraceSettings | undefined
}

/** Ours, and names that others have settled. */
type SettingName = `DOCENT_${string}` | `OTEL_${string}` | 'DATABASE_URL' | 'CLICKHOUSE_URL'

type Setting<T> = {
  readonly name: SettingName
  /** As it would be written; undefined: not set. */
  readonly fallback: string | undefined
  readonly about: string
  /** Throws an Error whose message continues "NAME …". */
  readonly parse: (text: string) => T
}

export const settings = {
  dataDir: setting('DOCENT_DATA_DIR', './data', 'folder of the embedded engines, mirrors and socket', dataDir),
  databaseUrl: setting(
    'DATABASE_URL',
    undefined,
    'address of a PostgreSQL server; default: the embedded one',
    databaseAddress,
  ),
  databaseConnections: setting(
    'DOCENT_DATABASE_CONNECTIONS',
    '10',
    'most connections of a process to that server',
    integer(2, 1_000),
  ),
  clickhouseUrl: setting(
    'CLICKHOUSE_URL',
    undefined,
    'address of a ClickHouse server for page views; default: the embedded one',
    storeAddress,
  ),
  host: setting('DOCENT_HOST', '127.0.0.1', 'address to listen on', text),
  port: setting('DOCENT_PORT', '4100', 'port to listen on; 0 takes a free one', integer(0, 65_535)),
  publicUrl: setting(
    'DOCENT_PUBLIC_URL',
    undefined,
    'address that clients use; default: the one listened on',
    webAddress,
  ),
  trustedProxies: setting('DOCENT_TRUSTED_PROXIES', '0', 'hops of X-Forwarded-For to trust: a count or CIDRs', proxies),
  modelId: setting(
    'DOCENT_MODEL',
    'docent/rules',
    'model of projects without one of their own: `provider/model`',
    text,
  ),
  anthropicApiKey: setting('DOCENT_ANTHROPIC_API_KEY', undefined, 'key for `anthropic/…`', text),
  anthropicBaseUrl: setting('DOCENT_ANTHROPIC_BASE_URL', undefined, 'another address of that API', webAddress),
  openaiApiKey: setting('DOCENT_OPENAI_API_KEY', undefined, 'key for `openai/…`', text),
  openaiBaseUrl: setting('DOCENT_OPENAI_BASE_URL', undefined, 'another address of that API', webAddress),
  googleApiKey: setting('DOCENT_GOOGLE_API_KEY', undefined, 'key for `google/…`', text),
  googleBaseUrl: setting('DOCENT_GOOGLE_BASE_URL', undefined, 'another address of that API', webAddress),
  compatibleApiKey: setting('DOCENT_COMPATIBLE_API_KEY', undefined, 'key of the server of `compatible/…`', text),
  compatibleBaseUrl: setting(
    'DOCENT_COMPATIBLE_BASE_URL',
    undefined,
    'base address of that OpenAI-compatible server',
    webAddress,
  ),
  modelPrices: setting(
    'DOCENT_MODEL_PRICES',
    '',
    'own prices, dollars for a million tokens: `provider/model=input/output, …`',
    parseOwnPrices,
  ),
  modelContextTokens: setting(
    'DOCENT_MODEL_CONTEXT_TOKENS',
    undefined,
    'size of the context, tokens; default: what is known of the model, else 128000',
    integer(4_000, 1e8),
  ),
  modelTimeout: setting('DOCENT_MODEL_TIMEOUT', '300', 'longest wait for one answer, seconds', integer(1, 3_600)),
  workerConcurrency: setting('DOCENT_WORKER_CONCURRENCY', '4', 'runs at the same time', integer(1, 100)),
  workerPort: setting(
    'DOCENT_WORKER_PORT',
    undefined,
    'port of `docent worker` for /metrics, /healthz and /readyz; default: none',
    integer(0, 65_535),
  ),
  leaseSeconds: setting('DOCENT_LEASE_SECONDS', '15', 'after which the runs of a dead worker go on', integer(1, 3_600)),
  maxTurns: setting('DOCENT_MAX_TURNS', '200', 'budget of a run: turns of the model', integer(1, 100_000)),
  maxTokens: setting('DOCENT_MAX_TOKENS', '4000000', 'budget of a run: input and output tokens', integer(1, 1e12)),
  maxCostUsd: setting('DOCENT_MAX_COST_USD', undefined, 'budget of a run: US dollars; default: no limit', dollars),
  maxRunSeconds: setting('DOCENT_MAX_RUN_SECONDS', '3600', 'budget of a run: seconds since its start', integer(1, 1e7)),
  maxChangedFiles: setting('DOCENT_MAX_CHANGED_FILES', '500', 'budget of a run: files changed', integer(1, 1e6)),
  maxChangedBytes: setting(
    'DOCENT_MAX_CHANGED_BYTES',
    '10485760',
    'budget of a run: bytes of changed files',
    integer(1, 1e10),
  ),
  allowLocal: setting('DOCENT_ALLOW_LOCAL_REPOSITORIES', 'false', 'allow paths and `file:` addresses', boolean),
  privateHosts: setting(
    'DOCENT_PRIVATE_REPOSITORY_HOSTS',
    '',
    'hosts (`host` or `host:port`) that may be private or plain http',
    list,
  ),
  maxRepositoryBytes: setting(
    'DOCENT_MAX_REPOSITORY_BYTES',
    '2147483648',
    'largest mirror of a repository',
    integer(1, 1e13),
  ),
  maxRepositoryFiles: setting('DOCENT_MAX_REPOSITORY_FILES', '100000', 'most files in a repository', integer(1, 1e7)),
  commitName: setting('DOCENT_COMMIT_NAME', 'Docent', 'author of the commits', identityPart),
  commitEmail: setting('DOCENT_COMMIT_EMAIL', 'docent@localhost', 'e-mail of that author', identityPart),
  createsPerHour: setting('DOCENT_CREATES_PER_HOUR', '100', 'jobs created, by project and hour', integer(1, 1e9)),
  messagesPerHour: setting('DOCENT_MESSAGES_PER_HOUR', '100', 'messages sent, by project and hour', integer(1, 1e9)),
  collectsPerMinute: setting(
    'DOCENT_COLLECTS_PER_MINUTE',
    '600',
    'page views from browsers, by site, address and minute',
    integer(1, 1e9),
  ),
  exportsPerHour: setting('DOCENT_EXPORTS_PER_HOUR', '1000', 'analytics read, by project and hour', integer(1, 1e9)),
  archiveAfterDays: setting(
    'DOCENT_ARCHIVE_AFTER_DAYS',
    '90',
    'days after which an idle job is archived',
    integer(1, 36_500),
  ),
  logLevel: setting('DOCENT_LOG_LEVEL', 'info', '`debug`, `info`, `warn`, `error` or `silent`', logLevel),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    undefined,
    'collector of traces, without `/v1/traces`',
    webAddress,
  ),
  otlpTraces: setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', undefined, 'the same, as the whole address', webAddress),
  otlpHeaders: setting('OTEL_EXPORTER_OTLP_HEADERS', undefined, 'headers for it: `name=value,…`', headerPairs),
  otelService: setting('OTEL_SERVICE_NAME', 'docent', 'name of the service in traces', text),
} as const

/** `.env` in the working directory, under what the environment itself says. */
export function readEnvironment(): Environment {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  return { ...file, ...process.env }
}

/** Throws `config_invalid` with all mistakes, one a line. An empty value counts as not set. */
export function parseConfig(environment: Environment): Config {
  const mistakes = unknownNames(environment)
  const get = <T>(one: Setting<T>): T | undefined => {
    const value = environment[one.name] || one.fallback
    if (value === undefined) return undefined
    try {
      return one.parse(value)
    } catch (error) {
      mistakes.push(`${one.name} ${error instanceof Error ? error.message : 'is invalid'}`)
      return undefined
    }
  }
  const must = <T>(one: Setting<T>): T => get(one) as T
  const config = readSettings(get, must)
  const problem = modelProblem(config.model.id, config.model)
  if (problem !== null) mistakes.push(`DOCENT_MODEL ${problem}`)
  if (mistakes.length === 0) return Object.freeze(config)
  throw new Failure('config_invalid', `The configuration is invalid:\n${mistakes.map((one) => `  ${one}`).join('\n')}`)
}

function readSettings(get: <T>(one: Setting<T>) => T | undefined, must: <T>(one: Setting<T>) => T): Config {
  const s = settings
  return {
    dataDir: must(s.dataDir),
    database: { url: get(s.databaseUrl), connections: must(s.databaseConnections) },
    clickhouseUrl: get(s.clickhouseUrl),
    host: must(s.host),
    port: must(s.port),
    publicUrl: get(s.publicUrl),
    trustedProxies: must(s.trustedProxies),
    model: {
      id: must(s.modelId),
      ...readProviders(get),
      prices: must(s.modelPrices),
      contextTokens: get(s.modelContextTokens),
      timeoutMs: must(s.modelTimeout) * 1_000,
    },
    workerConcurrency: must(s.workerConcurrency),
    workerPort: get(s.workerPort),
    leaseSeconds: must(s.leaseSeconds),
    budget: {
      turns: must(s.maxTurns),
      tokens: must(s.maxTokens),
      costUsd: get(s.maxCostUsd) ?? Infinity,
      seconds: must(s.maxRunSeconds),
      changedFiles: must(s.maxChangedFiles),
      changedBytes: must(s.maxChangedBytes),
    },
    repositories: {
      allowLocal: must(s.allowLocal),
      privateHosts: must(s.privateHosts),
      maxBytes: must(s.maxRepositoryBytes),
      maxFiles: must(s.maxRepositoryFiles),
    },
    commitIdentity: { name: must(s.commitName), email: must(s.commitEmail) },
    limits: {
      createsPerHour: must(s.createsPerHour),
      messagesPerHour: must(s.messagesPerHour),
      exportsPerHour: must(s.exportsPerHour),
      collectsPerMinute: must(s.collectsPerMinute),
    },
    archiveAfterDays: must(s.archiveAfterDays),
    logLevel: must(s.logLevel),
    traces: toTraceSettings({
      endpoint: get(s.otlpEndpoint),
      tracesEndpoint: get(s.otlpTraces),
      headers: get(s.otlpHeaders),
      serviceName: must(s.otelService),
    }),
  }
}

function readProviders(get: <T>(one: Setting<T>) => T | undefined): Record<ModelProvider, ProviderSettings> {
  const s = settings
  return {
    anthropic: { apiKey: get(s.anthropicApiKey), baseUrl: get(s.anthropicBaseUrl) },
    openai: { apiKey: get(s.openaiApiKey), baseUrl: get(s.openaiBaseUrl) },
    google: { apiKey: get(s.googleApiKey), baseUrl: get(s.googleBaseUrl) },
    compatible: { apiKey: get(s.compatibleApiKey), baseUrl: get(s.compatibleBaseUrl) },
  }
}

/** `DOCENT_URL` and `DOCENT_API_KEY` are the command line's own. */
const namesOfTheClient = ['DOCENT_URL', 'DOCENT_API_KEY']

function unknownNames(environment: Environment): string[] {
  const known = new Set<string>([...Object.values(settings).map((one) => one.name), ...namesOfTheClient])
  return Object.keys(environment)
    .filter((name) => name.startsWith('DOCENT_') && !known.has(name))
    .map((name) => `${name} is not a setting`)
}

function setting<T>(
  name: SettingName,
  fallback: string | undefined,
  about: string,
  parse: (text: string) => T,
): Setting<T> {
  return { name, fallback, about, parse }
}
