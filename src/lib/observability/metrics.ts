// The metrics of the service for Prometheus: one registry for each service, and one method for each kind of event.
// No other file imports prom-client. The values of labels are limited: routes are patterns, outcomes are codes, and all
// models after the fiftieth are counted as `other`. The id of a project, a job or a key is never a label.

import { setTimeout as delay } from 'node:timers/promises'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MemoryState } from '../memory/watch.ts'
import type { DiskState } from './disk-watch.ts'

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
/** The usage of a response, or of an attempt at one. */
export type Spent = {
  readonly model: string
  readonly inputTokens: number
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** null: the price is not known. */
  readonly costUsd: number | null
}
export type PageViewsSeen = {
  readonly source: string
  /** `accepted`, or the reason why it was dropped. */
  readonly outcome: string
  readonly views: number
}
export type LogState = { readonly bytes: number; readonly seconds: number; readonly damaged: number }
export type DeliverySeen = {
  readonly channel: 'webhook' | 'mail'
  /** `retried`: the attempt failed, and another one follows. */
  readonly outcome: 'delivered' | 'failed' | 'retried'
}
export type DeliveryState = { readonly waiting: number; readonly disabledWebhooks: number }
export type QueueState = { readonly waiting: number; readonly oldestSeconds: number }

export interface Metrics {
  request(seen: RequestSeen): void
  runEnded(seen: RunSeen): void
  turn(spent: Spent): void
  /** Counts an attempt at a response that failed after it began. */
  failedAttempt(spent: Spent): void
  leaseLost(): void
  pageViews(seen: PageViewsSeen): void
  /** Counts one insert of many page views. */
  stored(seen: { readonly views: number; readonly seconds: number }): void
  /** Counts an attempt to deliver a notification. */
  delivery(seen: DeliverySeen): void
  /** Counts a window of visitors whose stored counters or version were wrong. */
  countersDiffered(): void
  /** `read` is called at every scrape. */
  observePageViewLog(read: () => Promise<LogState>): void
  /** `read` is called at every scrape. */
  observeDisk(read: () => Promise<DiskState>): void
  /** `look` is called at every scrape. */
  observeMemory(look: () => MemoryState): void
  /** `isTrusted` is called at every scrape. */
  observeClock(isTrusted: () => boolean): void
  /** `read` is called at every scrape. When it fails or takes over two seconds, `docent_database_up` is 0. */
  observeQueue(read: () => Promise<QueueState>): void
  /** `read` is called at every scrape. */
  observeDeliveries(read: () => Promise<DeliveryState>): void
  /** The text format 0.0.4. Does not throw when the queue cannot be read. */
  scrape(): Promise<{ readonly contentType: string; readonly text: string }>
}

type Options = {
  /** Adds memory, CPU, event loop and garbage collection of the process, from the first scrape on: true in a service. */
  readonly ofProcess?: boolean
}

type Sources = {
  isTrusted?: () => boolean
  readDisk?: () => Promise<DiskState>
  lookAtMemory?: () => MemoryState
  readLog?: () => Promise<LogState>
  readDeliveries?: () => Promise<DeliveryState>
  read?: () => Promise<QueueState>
  reading?: Promise<QueueState>
}

const queueTimeoutMs = 2_000
const maxModels = 50
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** In seconds: a read takes milliseconds, a merge through the API at most two minutes. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export function createMetrics(options: Options = {}): Metrics {
  const registry = new Registry()
  const count = createCounters(registry)
  const gauges = createGauges(registry)
  const model = bounded(maxModels)
  const source: Sources = {}
  // While the database hangs, all scrapes wait for the same read.
  const readQueue = (read: () => Promise<QueueState>) =>
    (source.reading ??= read().finally(() => delete source.reading))
  const measureProcess = once(options.ofProcess ? () => beginMeasuring(registry) : () => Promise.resolve())
  const spend = (spent: Spent) => {
    const label = { model: model(spent.model) }
    count.tokens.inc({ ...label, direction: 'input' }, atLeastZero(spent.inputTokens))
    count.tokens.inc({ ...label, direction: 'output' }, atLeastZero(spent.outputTokens))
    count.cached.inc(label, atLeastZero(spent.cachedInputTokens))
    if (spent.costUsd !== null) count.cost.inc(label, atLeastZero(spent.costUsd))
  }
  return {
    request: ({ method, route, status, seconds }) => {
      const known = methods.has(method) ? method : 'other'
      count.requests.inc({ method: known, route, status: String(status) })
      count.durations.observe({ method: known, route }, seconds)
    },
    runEnded: ({ outcome, code }) => count.runs.inc({ outcome, code }),
    turn: (spent) => {
      count.turns.inc({ model: model(spent.model) })
      spend(spent)
    },
    failedAttempt: spend,
    leaseLost: () => count.leases.inc(),
    pageViews: ({ source, outcome, views }) => count.pageViews.inc({ source, outcome }, views),
    stored: ({ views, seconds }) => {
      count.stored.inc(views)
      count.inserts.observe(seconds)
    },
    delivery: (seen) => count.deliveries.inc(seen),
    countersDiffered: () => count.countersDiffered.inc(),
    ...createObservers(source),
    scrape: async () => {
      await measureProcess()
      const { read, readDeliveries, readLog, readDisk, lookAtMemory, isTrusted } = source
      if (readLog) showLog(gauges, await readLog())
      if (readDisk) gauges.disk.set((await readDisk()).state === 'enough' ? 1 : 0)
      if (lookAtMemory) showMemory(gauges, lookAtMemory())
      if (isTrusted) gauges.clock.set(isTrusted() ? 1 : 0)
      if (read) show(gauges, await within(queueTimeoutMs, () => readQueue(read)))
      if (readDeliveries) showDeliveries(gauges, await within(queueTimeoutMs, readDeliveries))
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}

type Observers = Pick<
  Metrics,
  'observeClock' | 'observeDeliveries' | 'observeDisk' | 'observeMemory' | 'observePageViewLog' | 'observeQueue'
>

function createObservers(source: Sources): Observers {
  return {
    observePageViewLog: (read) => {
      source.readLog = read
    },
    observeDisk: (read) => {
      source.readDisk = read
    },
    observeMemory: (look) => {
      source.lookAtMemory = look
    },
    observeClock: (isTrusted) => {
      source.isTrusted = isTrusted
    },
    observeQueue: (read) => {
      source.read = read
      delete source.reading
    },
    observeDeliveries: (read) => {
      source.readDeliveries = read
    },
  }
}

/** The event loop is sampled every 10 ms, and the first sample comes after two of these. */
const firstSampleMs = 50

/** Sampling the event loop takes as much CPU time as everything else at rest, so it begins with the first scrape. */
async function beginMeasuring(registry: Registry): Promise<void> {
  collectDefaultMetrics({ register: registry })
  await delay(firstSampleMs)
}

/** Scrapes that come meanwhile wait for the same work. */
function once(work: () => Promise<void>): () => Promise<void> {
  const state: { begun?: Promise<void> } = {}
  return () => (state.begun ??= work())
}

function createCounters(registry: Registry) {
  const counter = <Name extends string>(name: string, help: string, labelNames: readonly Name[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  return {
    requests: counter('docent_http_requests_total', 'Completed requests.', ['method', 'route', 'status']),
    durations: new Histogram({
      name: 'docent_http_request_duration_seconds',
      help: 'Time until the response was complete; for a stream, until it began.',
      labelNames: ['method', 'route'],
      buckets,
      registers: [registry],
    }),
    runs: counter('docent_runs_total', 'Runs that this process stopped working on, by outcome.', ['outcome', 'code']),
    turns: counter('docent_turns_total', 'Responses of the model that were stored.', ['model']),
    tokens: counter('docent_tokens_total', 'Tokens of these responses, and of answers that broke off.', [
      'model',
      'direction',
    ]),
    cached: counter('docent_cached_tokens_total', 'The input tokens that providers read from their caches.', ['model']),
    cost: counter('docent_cost_usd_total', 'Cost of these tokens in US dollars, where the price is known.', ['model']),
    leases: counter('docent_leases_lost_total', 'Leases that this process lost while it worked on a run.', []),
    pageViews: counter('docent_page_views_total', 'Page views received, by source and outcome.', ['source', 'outcome']),
    stored: counter('docent_page_views_stored_total', 'New page views in the store.', []),
    deliveries: counter('docent_deliveries_total', 'Attempts to deliver notifications, by channel and outcome.', [
      'channel',
      'outcome',
    ]),
    countersDiffered: counter(
      'docent_visitor_counters_wrong_total',
      'Windows of visitors whose counters or version differed from the page views.',
      [],
    ),
    inserts: new Histogram({
      name: 'docent_page_views_insert_duration_seconds',
      help: 'Duration of an insert of page views.',
      buckets,
      registers: [registry],
    }),
  }
}

function createGauges(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  return {
    clock: gauge(
      'docent_clock_trusted',
      '1 while the clock is trusted. While it is 0, nothing is deleted or archived by age, and no scheduled automation starts.',
    ),
    disk: gauge(
      'docent_disk_has_space',
      '1 while the disk of the data directory has space. While it is 0, page views are refused.',
    ),
    memory: gauge('docent_memory_bytes', 'Memory that this process has for itself.'),
    memoryBudget: gauge('docent_memory_budget_bytes', 'Memory that this process plans with.'),
    logBytes: gauge('docent_page_view_log_bytes', 'Size of the page views that wait to be inserted.'),
    logSeconds: gauge('docent_page_view_log_seconds', 'How long the oldest of them has waited.'),
    logDamaged: gauge('docent_page_view_log_damaged', 'Damaged files of page views that were kept aside.'),
    up: gauge('docent_database_up', '1 when the database responded to this scrape.'),
    waiting: gauge('docent_queue_runs', 'Waiting runs of all processes on this database.'),
    oldest: gauge('docent_queue_oldest_seconds', 'How long the oldest of them has been ready to start.'),
    deliveriesWaiting: gauge(
      'docent_deliveries_waiting',
      'Notifications that wait for their next attempt, on this database.',
    ),
    webhooksDisabled: gauge(
      'docent_webhooks_disabled',
      'Webhooks that the service disabled because nothing could be delivered.',
    ),
  }
}

function show(gauges: ReturnType<typeof createGauges>, state: QueueState | undefined): void {
  gauges.up.set(state ? 1 : 0)
  gauges.waiting.set(state?.waiting ?? Number.NaN)
  gauges.oldest.set(state?.oldestSeconds ?? Number.NaN)
}

function showDeliveries(gauges: ReturnType<typeof createGauges>, state: DeliveryState | undefined): void {
  gauges.deliveriesWaiting.set(state?.waiting ?? Number.NaN)
  gauges.webhooksDisabled.set(state?.disabledWebhooks ?? Number.NaN)
}

function showLog(gauges: ReturnType<typeof createGauges>, { bytes, seconds, damaged }: LogState): void {
  gauges.logBytes.set(bytes)
  gauges.logSeconds.set(seconds)
  gauges.logDamaged.set(damaged)
}

function showMemory(gauges: ReturnType<typeof createGauges>, { used, total }: MemoryState): void {
  gauges.memory.set(used)
  gauges.memoryBudget.set(total)
}

/** The result of `read`, or undefined when it fails or takes longer. */
async function within<T>(ms: number, read: () => Promise<T>): Promise<T | undefined> {
  const timer = new AbortController()
  const late = delay(ms, undefined, { signal: timer.signal }).catch(() => undefined)
  try {
    return await Promise.race([read().catch(() => undefined), late])
  } finally {
    timer.abort()
  }
}

/** A counter throws for other amounts, and a metric must never fail the work that it counts. */
function atLeastZero(amount: number): number {
  return amount > 0 && amount < Infinity ? amount : 0
}

/** Keeps the first `limit` names; all later ones become `other`. */
function bounded(limit: number): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.size < limit) known.add(name)
    return known.has(name) ? name : 'other'
  }
}
