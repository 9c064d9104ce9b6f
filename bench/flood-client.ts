// The client of `flood.ts`, in a process of its own. Sends page views in batches of a hundred: as fast as they are
// answered, or at an even pace. Sends a refused batch again, with the same ids, after the time that the service asks for.
// Page view `n` is always the same, so this knows the counts that the service must have.

import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export type Flood = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The times of the page views, in milliseconds. */
  readonly since: number
  readonly until: number
  readonly seconds: number
  /** Page views per second. Undefined: as many as `atOnce` requests at a time get through. */
  readonly rate: number | undefined
}
export type Counts = { readonly human: number; readonly ai: number; readonly total: number }
export type Sent = {
  /** Since the last message. */
  readonly accepted: number
  readonly refused: number
  /** Milliseconds that each accepted batch took. */
  readonly times: readonly number[]
  /** Responses other than 202, and 503 with `Retry-After`. */
  readonly wrong: readonly string[]
  /** Sent at the end, when every page view is acknowledged: views and visitors of the site ('') and of some pages. */
  readonly counts?: Readonly<Record<string, { readonly views: Counts; readonly visitors: Counts }>>
}

export const countedPages = ['/guides/page-000', '/guides/page-001', '/guides/page-002'] as const
const size = 100
const atOnce = 64
/** Batches that are on their way or refused. Beyond this many, the pace slows down. */
const mostOpen = 3_000
const visitors = 100_000

type Answer = { readonly status: number | undefined; readonly retryAfter: string | undefined; readonly text: string }
type Known = { readonly human: Uint8Array; readonly ai: Uint8Array; humanViews: number; aiViews: number }

const known = new Map(['', ...countedPages].map((path) => [path, createKnown()]))
const agent = new Agent({ keepAlive: true })
const state = { next: 0, open: 0, accepted: 0, refused: 0, times: [] as number[], wrong: [] as string[] }

process.on('message', (flood: Flood) => void run(flood))
process.on('disconnect', () => process.exit())

async function run(flood: Flood): Promise<void> {
  const every = setInterval(() => report(), 60_000)
  const begin = performance.now()
  const isOver = () => performance.now() - begin >= flood.seconds * 1_000
  if (flood.rate === undefined) await Promise.all(Array.from({ length: atOnce }, () => sendUntil(flood, isOver)))
  else {
    let sent = 0
    while (!isOver()) {
      const due = ((performance.now() - begin) / 1_000) * (flood.rate / size)
      for (; sent < due && state.open < mostOpen; sent += 1) void sendNext(flood)
      await delay(10)
    }
    while (state.open > 0) await delay(10)
  }
  clearInterval(every)
  report(Object.fromEntries([...known].map(([path, one]) => [path, countsOf(one)])))
}

function report(counts?: Sent['counts']): void {
  const { accepted, refused, times, wrong } = state
  process.send?.({ accepted, refused, times, wrong, ...(counts ? { counts } : {}) } satisfies Sent)
  Object.assign(state, { accepted: 0, refused: 0, times: [], wrong: [] })
}

async function sendUntil(flood: Flood, isOver: () => boolean): Promise<void> {
  while (!isOver()) await sendNext(flood)
}

/** Resolves when the next batch is acknowledged. */
async function sendNext(flood: Flood): Promise<void> {
  const first = state.next
  state.next += size
  state.open += 1
  for (;;) {
    const begin = performance.now()
    const { status, retryAfter, text } = await post(flood, makeBatch(flood, first))
    if (status === 202 && text === `{"accepted":${size},"rejected":[]}`) {
      state.times.push(performance.now() - begin)
      break
    }
    if (status !== 503 || !retryAfter) {
      state.wrong.push(`${status} (Retry-After ${retryAfter}): ${text}`)
      break
    }
    state.refused += 1
    await delay(Number(retryAfter) * 1_000)
  }
  for (let n = first; n < first + size; n += 1) remember(n)
  state.accepted += size
  state.open -= 1
}

function post({ url, headers }: Flood, body: string) {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const failed = (error: unknown) => resolve({ status: undefined, retryAfter: undefined, text: String(error) })
  const length = { 'Content-Length': String(Buffer.byteLength(body)) }
  const read = async (incoming: IncomingMessage) => {
    const text = (await incoming.setEncoding('utf8').toArray()).join('')
    resolve({ status: incoming.statusCode, retryAfter: incoming.headers['retry-after'], text })
  }
  const outgoing = request(url, { agent, method: 'POST', headers: { ...headers, ...length } }, (incoming) => {
    read(incoming).catch(failed)
  })
  outgoing.on('error', failed)
  outgoing.end(body)
  return promise
}

/**
 * A visitor reads 20 pages. One visitor of ten is an AI agent, and one page view of fifty asks for Markdown, also from
 * visitors with a browser.
 */
function describe(n: number) {
  const visitor = (Math.imul(n, 0x9e_37_79_b1) >>> 0) % visitors
  const page = (visitor * 13 + (Math.floor(n / 7) % 20)) % 500
  const isAgent = visitor % 10 === 0
  const asksForMarkdown = n % 50 === 7
  return { visitor, page: `/guides/page-${String(page).padStart(3, '0')}`, isAgent, asksForMarkdown }
}

function makeBatch({ since, until }: Flood, first: number): string {
  return JSON.stringify(Array.from({ length: size }, (_, at) => makeView(first + at, { since, until })))
}

function makeView(n: number, { since, until }: Pick<Flood, 'since' | 'until'>) {
  const { visitor, page, isAgent, asksForMarkdown } = describe(n)
  return {
    id: `flood-${n}`,
    timestamp: since + ((n * 7_919) % (until - since)),
    url: `https://docs.example.com${page}`,
    userAgent: isAgent
      ? 'Claude-User (claude-code/2.1.201; +https://support.anthropic.com/)'
      : `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${120 + (visitor % 23)}.0.0.0 Safari/537.36`,
    address: `10.${visitor >> 16}.${(visitor >> 8) & 255}.${visitor & 255}`,
    status: 200,
    ...(asksForMarkdown ? { headers: { accept: 'text/markdown, text/html;q=0.5' } } : {}),
  }
}

function createKnown(): Known {
  return { human: new Uint8Array(visitors), ai: new Uint8Array(visitors), humanViews: 0, aiViews: 0 }
}

function remember(n: number): void {
  const { visitor, page, isAgent, asksForMarkdown } = describe(n)
  for (const path of ['', page]) {
    const one = known.get(path)
    if (!one) continue
    const isAi = isAgent || asksForMarkdown
    ;(isAi ? one.ai : one.human)[visitor] = 1
    if (isAi) one.aiViews += 1
    else one.humanViews += 1
  }
}

function countsOf({ human, ai, humanViews, aiViews }: Known) {
  const sum = (of: (at: number) => number) => human.reduce((before, _, at) => before + of(at), 0)
  return {
    views: { human: humanViews, ai: aiViews, total: humanViews + aiViews },
    visitors: {
      human: sum((at) => human[at] ?? 0),
      ai: sum((at) => ai[at] ?? 0),
      total: sum((at) => (human[at] ?? 0) | (ai[at] ?? 0)),
    },
  }
}
