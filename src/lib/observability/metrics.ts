// What the service counts, for Prometheus: one registry for each service, and a verb for each thing that happens.
// The one file that meets prom-client. Labels are bounded: routes are patterns, outcomes are codes, and models beyond
// the fiftieth are counted as `other`. No id of a project, a job or a key is ever a label.

import { setTimeout as delay } from 'node:timers/promises'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type RequestSeen = {
  readonly method: string
  /** The pattern, never the path. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}
export type RunSeen = {
  readonly outcome: 'completed' | 'failed' | 'retried' | 'handed_back'
  /** The code of the failure; `none` without one. */
  readonly code: string
}
export type TurnSeen = {
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** null: nobody knows the price. */
  readonly costUsd: number | null
}
export type PageViewsSeen = {
  readonly source: string
  /** `accepted`, or why it was dropped. */
  readonly outcome: string
  readonly views: number
}
export type QueueState = { readonly waiting: number; readonly oldestSeconds: number }

export interface Metrics {
  request(seen: RequestSeen): void
  runEnded(seen: RunSeen): void
  turn(seen: TurnSeen): void
  leaseLost(): void
  pageViews(seen: PageViewsSeen): void
  /** One insert of many page views. */
  stored(seen: { readonly views: number; readonly seconds: number }): void
  /** Asked at every scrape: is the clock trusted? */
  observeClock(isTrusted: () => boolean): void
  /** Asked at every scrape, for two seconds at most. While it does not answer, `docent_database_up` is 0. */
  observeQueue(read: () => Promise<QueueState>): void
  /** The text format 0.0.4. Never throws for a queue that does not answer. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>
}

type Options = {
  /** Memory, CPU, event loop and garbage collection of the process too: true in a service, false in most tests. */
  readonly ofProcess?: boolean
}

const queueTimeoutMs = 2_000
const maxModels = 50
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Seconds: reads take milliseconds, a merge through the API two minutes at most. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export function createMetrics(options: Options = {}): Metrics {
  const registry = new Registry()
  const count = createCounters(registry)
  const gauges = createGauges(registry)
  const model = bounded(maxModels)
  const source: { isTrusted?: () => boolean; read?: () => Promise<QueueState>; reading?: Promise<QueueState> } = {}
  // Scrapes of a database that hangs wait for one read: they do not pile up.
  const ask = (read: () => Promise<QueueState>) => (source.reading ??= read().finally(() => delete source.reading))
  if (options.ofProcess) collectDefaultMetrics({ register: registry })
  return {
    request: ({ method, route, status, seconds }) => {
      const known = methods.has(method) ? method : 'other'
      count.requests.inc({ method: known, route, status: String(status) })
      count.durations.observe({ method: known, route }, seconds)
    },
    runEnded: ({ outcome, code }) => count.runs.inc({ outcome, code }),
    turn: (seen) => {
      const label = { model: model(seen.model) }
      count.turns.inc(label)
      count.tokens.inc({ ...label, direction: 'input' }, atLeastZero(seen.inputTokens))
      count.tokens.inc({ ...label, direction: 'output' }, atLeastZero(seen.outputTokens))
      if (seen.costUsd !== null) count.cost.inc(label, atLeastZero(seen.costUsd))
    },
    leaseLost: () => count.leases.inc(),
    pageViews: ({ source, outcome, views }) => count.pageViews.inc({ source, outcome }, views),
    stored: ({ views, seconds }) => {
      count.stored.inc(views)
      count.inserts.observe(seconds)
    },
    observeClock: (isTrusted) => {
      source.isTrusted = isTrusted
    },
    observeQueue: (read) => {
      source.read = read
      delete source.reading
    },
    scrape: async () => {
      const { read, isTrusted } = source
      if (isTrusted) gauges.clock.set(isTrusted() ? 1 : 0)
      if (read) show(gauges, await within(queueTimeoutMs, () => ask(read)))
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

function createCounters(registry: Registry) {
  const counter = <Name extends string>(name: string, help: string, labelNames: readonly Name[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  return {
    requests: counter('docent_http_requests_total', 'Requests answered.', ['method', 'route', 'status']),
    durations: new Histogram({
      name: 'docent_http_request_duration_seconds',
      help: 'Time until a request was answered; of a stream, until it began.',
      labelNames: ['method', 'route'],
      buckets,
      registers: [registry],
    }),
    runs: counter('docent_runs_total', 'Runs that this process stopped working on, by how.', ['outcome', 'code']),
    turns: counter('docent_turns_total', 'Answers of the model that were stored.', ['model']),
    tokens: counter('docent_tokens_total', 'Tokens of these answers.', ['model', 'direction']),
    cost: counter('docent_cost_usd_total', 'What these answers cost, where the price is known.', ['model']),
    leases: counter('docent_leases_lost_total', 'Leases that this process lost while it worked on a run.', []),
    pageViews: counter('docent_page_views_total', 'Page views that came, by what became of them.', [
      'source',
      'outcome',
    ]),
    stored: counter('docent_page_views_stored_total', 'Page views that were new to the store.', []),
    inserts: new Histogram({
      name: 'docent_page_views_insert_duration_seconds',
      help: 'Time of one insert of page views.',
      buckets,
      registers: [registry],
    }),
  }
}

function createGauges(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  return {
    clock: gauge('docent_clock_trusted', 'Is the clock trusted? While it is 0, nothing is deleted or archived by age.'),
    up: gauge('docent_database_up', 'Did the database answer this scrape?'),
    waiting: gauge('docent_queue_runs', 'Runs that wait, of all processes on this database.'),
    oldest: gauge('docent_queue_oldest_seconds', 'For how long the oldest of them could have been begun.'),
  }
}

function show(gauges: ReturnType<typeof createGauges>, state: QueueState | undefined): void {
  gauges.up.set(state ? 1 : 0)
  gauges.waiting.set(state?.waiting ?? Number.NaN)
  gauges.oldest.set(state?.oldestSeconds ?? Number.NaN)
}

/** undefined: it failed, or took too long; then its end is nobody's business any more. */
async function within<T>(ms: number, read: () => Promise<T>): Promise<T | undefined> {
  const timer = new AbortController()
  const late = delay(ms, undefined, { signal: timer.signal }).catch(() => undefined)
  try {
    return await Promise.race([read().catch(() => undefined), late])
  } finally {
    timer.abort()
  }
}

/** A counter throws for anything else, and a metric must not throw into the work that it counts. */
function atLeastZero(amount: number): number {
  return amount > 0 && amount < Infinity ? amount : 0
}

/** The first `limit` names as they are, all later ones as `other`. */
function bounded(limit: number): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.size < limit) known.add(name)
    return known.has(name) ? name : 'other'
  }
}
