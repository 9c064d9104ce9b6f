// Floods a service with page views for minutes: measures the highest rate at which it takes batches, then sends a share of
// that rate at an even pace, and asks for the visitors of 30 days once a second. Prints a line a minute, and at the end
// compares the counts with those that the client knows. Fails if they differ, or if a response is neither 202 nor 503 with
// `Retry-After`. Run it with `node bench/flood.ts --minutes 10 --share 0.8`; `--log-bytes` limits the log of page views.
// Linux only: it reads /proc.

import { fork, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Environment } from '../src/config/environment.ts'
import { type Client, createClient } from '../test/support/service.ts'
import { megabytesOf } from '../test/support/process-memory.ts'
import { removeFolder, temporaryFolder } from '../test/support/temporary.ts'
import { type Counts, countedPages, type Flood, type Sent } from './flood-client.ts'

const limits = { minutes: { type: 'string', default: '10' }, share: { type: 'string', default: '0.8' } } as const
const { values } = parseArgs({ options: { ...limits, 'log-bytes': { type: 'string' } } })
const highestSeconds = 20
const dayMs = 86_400_000

type Sample = { readonly memory: number; readonly bytes: number; readonly seconds: number }
type Seen = { samples: Sample[]; times: number[]; refused: number }

const folder = await temporaryFolder('bench-flood')
const environment: Environment = {
  PATH: process.env['PATH'],
  DOCENT_DATA_DIR: join(folder, 'data'),
  DOCENT_PORT: '0',
  DOCENT_LOG_LEVEL: 'error',
  DOCENT_EXPORTS_PER_HOUR: '100000000',
  ...(values['log-bytes'] ? { DOCENT_COLLECT_LOG_BYTES: values['log-bytes'] } : {}),
}
const launcher = fileURLToPath(new URL('../bin/docent.cjs', import.meta.url))
const stdio = ['ignore', 'pipe', 'inherit'] as const
const service = spawn(process.execPath, [launcher, 'serve'], { env: environment, stdio: [...stdio] })
const sender = fork(fileURLToPath(new URL('flood-client.ts', import.meta.url)))
const gone = new AbortController()
sender.once('exit', () => gone.abort())
try {
  await measure()
} finally {
  if (sender.connected) sender.disconnect()
  service.kill('SIGTERM')
  if (service.exitCode === null) await once(service, 'exit')
  await removeFolder(folder)
}

async function measure(): Promise<void> {
  const [line] = (await once(service.stdout, 'data')) as [Buffer]
  const address = /http:\S+/.exec(line.toString())?.[0] ?? ''
  const client = await createClient(environment, [address], 'https://example.com/r.git')
  const until = Date.now()
  // All in one visitor window, because a visitor of two windows counts twice.
  const since = Math.max(Date.parse(`${toDay(until).slice(0, 8)}01`), until - 28 * dayMs)
  const flood = {
    url: `${address}/v1/analytics/${client.projectId}/page-views`,
    headers: { Authorization: `Bearer ${client.key}`, 'Content-Type': 'application/json' },
    since,
    until,
  }
  await send({ ...flood, seconds: 5, rate: undefined })
  const { accepted } = await send({ ...flood, seconds: highestSeconds, rate: undefined })
  const highest = accepted / highestSeconds
  const rate = highest * Number(values.share)
  console.log(`at most ${highest.toFixed(0)} page views/s; now ${rate.toFixed(0)}/s for ${values.minutes} minutes`)
  const watched = await watch(client, { ...flood, rate, seconds: Number(values.minutes) * 60 })
  const begin = performance.now()
  while ((await readLog(client)).bytes > 0) await delay(100)
  console.log(`the log was empty ${((performance.now() - begin) / 1_000).toFixed(1)} s after the last response`)
  reportMemory(watched.memory)
  await compare(client, watched.counts)
}

/** Sends page views, and prints a line every minute. Resolves when all of them are acknowledged. */
async function watch(client: Client, flood: Flood) {
  const state = { isOver: false }
  const seen: Seen = { samples: [], times: [], refused: 0 }
  const memory: number[] = []
  const asking = everySecond(state, async () => {
    const begin = performance.now()
    if (await ask(client, 'visitors')) seen.times.push(performance.now() - begin)
    else seen.refused += 1
  })
  const sampling = everySecond(state, async () => {
    seen.samples.push({ memory: await megabytesOf(service, 'VmRSS'), ...(await readLog(client)) })
  })
  const sending = send(flood, (sent) => {
    report(sent, seen)
    memory.push(...seen.samples.map((sample) => sample.memory))
    Object.assign(seen, { samples: [], times: [], refused: 0 })
  })
  const failed = Promise.all([asking, sampling]).then(() => undefined)
  const sent = await Promise.race([sending, failed])
  state.isOver = true
  await failed
  return { counts: sent?.counts ?? {}, memory }
}

/** Begins again after a second, or when the last work ends later than that. */
async function everySecond(state: { readonly isOver: boolean }, work: () => Promise<void>): Promise<void> {
  while (!state.isOver) {
    const begin = performance.now()
    await work()
    await delay(Math.max(0, 1_000 - (performance.now() - begin)))
  }
}

/** Resolves with the last message of the client. */
async function send(flood: Flood, seen?: (sent: Sent) => void): Promise<Sent> {
  sender.send(flood)
  for await (const [sent] of on(sender, 'message', { signal: gone.signal }) as AsyncIterable<[Sent]>) {
    seen?.(sent)
    if (sent.wrong.length > 0) throw new Error(`${sent.wrong.length} wrong responses: ${sent.wrong[0]}`)
    if (sent.counts) return sent
  }
  throw new Error('the client ended')
}

/** Returns undefined if the service refuses with `Retry-After`. */
async function get<T>(client: Client, path: string): Promise<T | undefined> {
  const answer = await client.fetch(path)
  const text = await answer.text()
  if (answer.status === 503 && answer.headers.has('Retry-After')) return undefined
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text) as T
}

type Row = Counts & { readonly path: string }
type Answer = { readonly totals: Counts; readonly visitors?: readonly Row[]; readonly views?: readonly Row[] }

/** The last 30 days of the site and of the first pages. */
function ask(client: Client, name: 'visitors' | 'views'): Promise<Answer | undefined> {
  const from = toDay(Date.now() - 29 * dayMs)
  return get(client, `/v1/analytics/${client.projectId}/${name}?dateFrom=${from}&search=/guides/page-00`)
}

async function readLog(client: Client): Promise<Pick<Sample, 'bytes' | 'seconds'>> {
  const ready = await get<{ readonly pageViewLog: Pick<Sample, 'bytes' | 'seconds'> }>(client, '/readyz')
  return ready?.pageViewLog ?? { bytes: Number.NaN, seconds: Number.NaN }
}

function report({ accepted, refused, times }: Sent, seen: Seen): void {
  if (seen.samples.length === 0) return
  const highest = (of: (sample: Sample) => number) => Math.max(...seen.samples.map(of).filter(Number.isFinite))
  const line = [
    `${new Date().toISOString().slice(11, 19)} accepted ${accepted} page views`,
    `refused ${refused} batches, ${seen.refused} queries`,
    `memory ${highest(({ memory }) => memory).toFixed(0)} MB`,
    `log ${(highest(({ bytes }) => bytes) / 1e6).toFixed(1)} MB, ${highest(({ seconds }) => seconds).toFixed(1)} s`,
    `collect ${timesOf(times)}`,
    `query ${timesOf(seen.times)}`,
  ]
  console.log(line.join('; '))
}

function timesOf(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN).toFixed(0)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

function reportMemory(memory: readonly number[]): void {
  const half = Math.floor(memory.length / 2)
  const [first, last] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
  const verdict = last <= 1.2 * first ? 'bounded' : 'not bounded'
  console.log(`memory: at most ${first.toFixed(0)} MB in the first half, ${last.toFixed(0)} MB in the last: ${verdict}`)
}

/** Throws if the service and the client count differently. */
async function compare(client: Client, counts: NonNullable<Sent['counts']>): Promise<void> {
  const differences: string[] = []
  for (const name of ['views', 'visitors'] as const) {
    const answer = await ask(client, name)
    for (const path of ['', ...countedPages]) {
      const row = path === '' ? answer?.totals : answer?.[name]?.find((one) => one.path === path)
      const text = (one?: Counts) => `human ${one?.human}, AI ${one?.ai}, total ${one?.total}`
      const line = `${name} of ${path || 'the site'}: ${text(row)}`
      console.log(line)
      const sent = text(counts[path]?.[name])
      if (text(row) !== sent) differences.push(`${line}; the client sent ${sent}`)
    }
  }
  if (differences.length > 0) throw new Error(differences.join('\n'))
  console.log('all counts are those of the client')
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
