// Declares every setting once: its variable, default, description and parser. `Config` derives from this table and has
// the same nesting. The table in docs/operations.md and .env.example have the same order: tests compare them.

import { parseOwnPrices } from '../agent/model/prices.ts'
import { headerPairs } from '../lib/observability/trace-settings.ts'
import { leastMemory } from '../lib/memory/budget.ts'
import { parseKeys } from '../secrets/keys.ts'
import {
  boolean,
  databaseAddress,
  dataDir,
  dollars,
  headerName,
  identityPart,
  integer,
  list,
  logLevel,
  mailSender,
  mailServer,
  memorySize,
  proxies,
  secondsAsMs,
  storeAddress,
  text,
  webAddress,
} from './values.ts'

/** Docent's own names, and established names of other projects. */
type SettingName = `DOCENT_${string}` | `OTEL_${string}` | 'DATABASE_URL' | 'CLICKHOUSE_URL'

export type Setting<T> = {
  readonly name: SettingName
  /** The default as text. Undefined: no default. */
  readonly fallback: string | undefined
  readonly about: string
  /** Throws an Error whose message continues "NAME …". */
  readonly parse: (text: string) => T
}

type Parse<T> = (text: string) => T

/** Declares a setting that always has a value. */
function setting<T>(name: SettingName, fallback: string, about: string, parse: Parse<T>): Setting<T> {
  return { name, fallback, about, parse }
}

/** Declares a setting whose value is undefined if it is not set. */
function optional<T>(name: SettingName, about: string, parse: Parse<T>): Setting<T | undefined> {
  return { name, fallback: undefined, about, parse }
}

export const settings = {
  dataDir: setting('DOCENT_DATA_DIR', './data', 'folder of the embedded engines, mirrors and socket', dataDir),
  database: {
    url: optional('DATABASE_URL', 'address of a PostgreSQL server; default: the embedded one', databaseAddress),
    connections: setting(
      'DOCENT_DATABASE_CONNECTIONS',
      '10',
      'most connections of a process to that server',
      integer(2, 1_000),
    ),
  },
  secretKey: optional(
    'DOCENT_SECRET_KEY',
    'key that encrypts secrets, 32 bytes in base64, or `new,old`; default: a file; required with `DATABASE_URL`',
    parseKeys,
  ),
  clickhouseUrl: optional(
    'CLICKHOUSE_URL',
    'address of a ClickHouse server for page views; default: the embedded one',
    storeAddress,
  ),
  host: setting('DOCENT_HOST', '127.0.0.1', 'address to listen on', text),
  port: setting('DOCENT_PORT', '4100', 'port to listen on; 0 takes a free one', integer(0, 65_535)),
  /** Without a trailing slash. Undefined: the address that the server listens on. */
  publicUrl: optional('DOCENT_PUBLIC_URL', 'address that clients use; default: the one listened on', webAddress),
  allowHttpSignIn: setting(
    'DOCENT_ALLOW_HTTP_SIGN_IN',
    'false',
    'let people sign in over plain http from other machines',
    boolean,
  ),
  trustedProxies: setting('DOCENT_TRUSTED_PROXIES', '0', 'hops of X-Forwarded-For to trust: a count or CIDRs', proxies),
  country: {
    header: optional(
      'DOCENT_COUNTRY_HEADER',
      'header in which your CDN names the country, of a trusted proxy only',
      headerName,
    ),
    database: optional('DOCENT_COUNTRY_DATABASE', 'MMDB file with the country of addresses; read at the start', text),
  },
  model: {
    /** The model of projects without a model of their own. */
    id: setting('DOCENT_MODEL', 'docent/rules', 'model of projects without one of their own: `provider/model`', text),
    anthropic: {
      apiKey: optional('DOCENT_ANTHROPIC_API_KEY', 'key for `anthropic/…`', text),
      baseUrl: optional('DOCENT_ANTHROPIC_BASE_URL', 'another address of that API', webAddress),
    },
    openai: {
      apiKey: optional('DOCENT_OPENAI_API_KEY', 'key for `openai/…`', text),
      baseUrl: optional('DOCENT_OPENAI_BASE_URL', 'another address of that API', webAddress),
    },
    google: {
      apiKey: optional('DOCENT_GOOGLE_API_KEY', 'key for `google/…`', text),
      baseUrl: optional('DOCENT_GOOGLE_BASE_URL', 'another address of that API', webAddress),
    },
    compatible: {
      apiKey: optional('DOCENT_COMPATIBLE_API_KEY', 'key of the server of `compatible/…`', text),
      baseUrl: optional('DOCENT_COMPATIBLE_BASE_URL', 'base address of that OpenAI-compatible server', webAddress),
    },
    prices: setting(
      'DOCENT_MODEL_PRICES',
      '',
      'own prices, dollars per million tokens: `provider/model=input/output, …`, or `…=input/output/cached/cacheWrite`',
      parseOwnPrices,
    ),
    contextTokens: optional(
      'DOCENT_MODEL_CONTEXT_TOKENS',
      'size of the context, tokens; default: the known size of the model, else 128000',
      integer(4_000, 1e8),
    ),
    timeoutMs: setting(
      'DOCENT_MODEL_TIMEOUT',
      '3600',
      'longest time for one response, also if it arrives slowly, seconds',
      secondsAsMs(1, 86_400),
    ),
    idleMs: setting(
      'DOCENT_MODEL_IDLE_TIMEOUT',
      '300',
      'longest pause before or within a response, seconds',
      secondsAsMs(1, 86_400),
    ),
  },
  workerConcurrency: setting('DOCENT_WORKER_CONCURRENCY', '4', 'runs at the same time', integer(1, 100)),
  workerPort: optional(
    'DOCENT_WORKER_PORT',
    'port of `docent worker` for /metrics, /healthz and /readyz; default: not served',
    integer(0, 65_535),
  ),
  leaseSeconds: setting(
    'DOCENT_LEASE_SECONDS',
    '15',
    'seconds until another worker takes over the runs of a dead one',
    integer(1, 3_600),
  ),
  budget: {
    turns: setting('DOCENT_MAX_TURNS', '200', 'budget of a run: turns of the model', integer(1, 100_000)),
    tokens: setting(
      'DOCENT_MAX_TOKENS',
      '4000000',
      "budget of a run: input and output tokens; input from the provider's cache counts one tenth",
      integer(1, 1e12),
    ),
    costUsd: optional('DOCENT_MAX_COST_USD', 'budget of a run: US dollars; default: no limit', dollars),
    seconds: setting(
      'DOCENT_MAX_RUN_SECONDS',
      '3600',
      'budget of a run: seconds of work, without waiting',
      integer(1, 1e7),
    ),
    changedFiles: setting('DOCENT_MAX_CHANGED_FILES', '500', 'budget of a run: files changed', integer(1, 1e6)),
    changedBytes: setting(
      'DOCENT_MAX_CHANGED_BYTES',
      '10485760',
      'budget of a run: bytes of changed files',
      integer(1, 1e10),
    ),
  },
  repositories: {
    allowLocal: setting('DOCENT_ALLOW_LOCAL_REPOSITORIES', 'false', 'allow paths and `file:` addresses', boolean),
    privateHosts: setting(
      'DOCENT_PRIVATE_REPOSITORY_HOSTS',
      '',
      'hosts that may be private or plain http: `host`, or `host:port` for another port than the usual one',
      list,
    ),
    maxBytes: setting('DOCENT_MAX_REPOSITORY_BYTES', '2147483648', 'largest mirror of a repository', integer(1, 1e13)),
    maxFiles: setting('DOCENT_MAX_REPOSITORY_FILES', '100000', 'most files in a repository', integer(1, 1e7)),
  },
  mail: {
    smtpUrl: optional(
      'DOCENT_SMTP_URL',
      'mail server: `smtp://user:password@host:587`, or `smtps://…`; default: no mail is sent',
      mailServer,
    ),
    from: optional('DOCENT_MAIL_FROM', 'sender of mail: `Docent <docent@example.com>`', mailSender),
  },
  commitIdentity: {
    name: setting('DOCENT_COMMIT_NAME', 'Docent', 'author of the commits', identityPart),
    email: setting('DOCENT_COMMIT_EMAIL', 'docent@localhost', 'e-mail of that author', identityPart),
  },
  limits: {
    createsPerHour: setting(
      'DOCENT_CREATES_PER_HOUR',
      '100',
      'most jobs created per project and hour',
      integer(1, 1e9),
    ),
    messagesPerHour: setting(
      'DOCENT_MESSAGES_PER_HOUR',
      '100',
      'most messages sent per project and hour',
      integer(1, 1e9),
    ),
    collectsPerMinute: setting(
      'DOCENT_COLLECTS_PER_MINUTE',
      '600',
      'most page views from browsers per site, address and minute',
      integer(1, 1e9),
    ),
    exportsPerHour: setting(
      'DOCENT_EXPORTS_PER_HOUR',
      '90000',
      'exports of the statistics per hour for each key, person and shared link of a project; one counts once for every 20 ms of the store',
      integer(1, 1e9),
    ),
    forgeReadsPerHour: setting(
      'DOCENT_FORGE_READS_PER_HOUR',
      '500',
      'requests per account of a forge and hour with which pull requests and comments are read; looks are stretched for it',
      integer(1, 1e9),
    ),
  },
  memory: optional(
    'DOCENT_MEMORY',
    'memory that a process plans with, such as `1536m` or `4g`; default: the limit of its container or machine, at most `2g`',
    memorySize(leastMemory, 2 ** 44),
  ),
  collectLogBytes: setting(
    'DOCENT_COLLECT_LOG_BYTES',
    '1073741824',
    'most bytes of page views that wait in the log of the embedded store',
    integer(1_000_000, 1e13),
  ),
  archiveAfterDays: setting(
    'DOCENT_ARCHIVE_AFTER_DAYS',
    '90',
    'idle days after which a job is archived',
    integer(1, 36_500),
  ),
  logLevel: setting('DOCENT_LOG_LEVEL', 'info', '`debug`, `info`, `warn`, `error` or `silent`', logLevel),
  traces: {
    endpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', 'collector of traces, without `/v1/traces`', webAddress),
    tracesEndpoint: optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'the same, as the whole address', webAddress),
    headers: optional('OTEL_EXPORTER_OTLP_HEADERS', 'headers for it: `name=value,…`', headerPairs),
    serviceName: setting('OTEL_SERVICE_NAME', 'docent', 'name of the service in traces', text),
  },
} as const
