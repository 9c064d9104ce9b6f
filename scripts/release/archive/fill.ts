// Fills a service with the data of an archive: jobs in each state that lasts, their pull requests, and page views of people, AI
// agents and crawlers. Uses the API alone, as a client does.

import { setTimeout as delay } from 'node:timers/promises'
import type { Call } from '../../../test/upgrades/figures.ts'

type Job = { readonly id: string; readonly status: string; readonly outcome: string | null }

/** In the words that the built-in rules understand. */
const prompts = {
  merged: 'Rename "Acme CLI" to "Acme Command"',
  open: 'Set the description of guides/ci.mdx to "Deploy from your pipeline"',
  followUp: 'Move guides/rollbacks.mdx to guides/rollback.mdx',
  unchanged: 'Rename "Nothing of this name" to "Something else"',
  asking: 'Improve the quickstart',
  archived: 'Set the description of guides/secrets.mdx to "Keep secrets out of your repository"',
}

export async function addJobs(call: Call, projectId: string): Promise<void> {
  const jobs = `/v2/agent/${projectId}/job`
  const ended = async (id: string) => {
    for (let tries = 0; tries < 600; tries += 1) {
      const job = await call<Job>('GET', `${jobs}/${id}`)
      if (job.status !== 'active') return job
      await delay(100)
    }
    throw new Error(`The job ${id} is still active after a minute.`)
  }
  const run = async (prompt: string) => (await ended((await call<Job>('POST', jobs, { prompt })).id)).id
  await run(prompts.merged)
  await call('POST', `/v1/projects/${projectId}/pulls/1/merge`)
  const open = await run(prompts.open)
  await call('POST', `${jobs}/${open}/message`, { prompt: prompts.followUp })
  await ended(open)
  await run(prompts.unchanged)
  await run(prompts.asking)
  const archived = await run(prompts.archived)
  await call('POST', `${jobs}/${archived}/archive`)
}

const dayMs = 86_400_000
const agents = {
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  safari:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  assistant:
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  crawler: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
}
const pages = ['/quickstart', '/installation', '/guides/ci', '/guides/secrets', '/guides/rollbacks', '/cli/deploy']
const referrers = ['https://www.google.com/search', 'https://news.ycombinator.com/item', '']

type Filling = {
  readonly projectId: string
  /** Milliseconds since 1970: the days of the page views follow it. */
  readonly from: number
  readonly days: number
  /** Each comes back every few days. */
  readonly readers: number
  /** Named by an id, which is for all time, instead of an address, which is for one window. */
  readonly byId?: boolean
}

/** Stores page views with one request: the addresses of one request are those of the same visitors, also after their month. */
export async function addPageViews(call: Call, filling: Filling): Promise<void> {
  const { projectId, days, readers } = filling
  const views = Array.from({ length: days }, (_, day) =>
    Array.from({ length: readers }, (_, reader) => reader)
      .filter((reader) => (reader + day * 7) % (2 + (reader % 5)) === 0)
      .flatMap((reader) => viewsOf(filling, day, reader)),
  )
  await call('POST', `/v1/analytics/${projectId}/page-views`, views.flat())
}

function viewsOf({ from, byId = false }: Filling, day: number, reader: number): readonly object[] {
  const who = reader % 11 === 0 ? 'assistant' : reader % 17 === 0 ? 'crawler' : reader % 3 === 0 ? 'safari' : 'firefox'
  const named = byId ? { visitorId: `reader-${reader}` } : { address: `192.0.2.${reader}` }
  return Array.from({ length: 1 + (reader % 3) }, (_, at) => ({
    id: `${from}-${day}-${reader}-${at}`,
    timestamp: from + day * dayMs + (reader * 97 + at * 311) * 1_000,
    path: pages[(reader + day + at) % pages.length],
    userAgent: agents[who],
    referrer: at === 0 ? referrers[reader % referrers.length] : '',
    ...named,
  }))
}
