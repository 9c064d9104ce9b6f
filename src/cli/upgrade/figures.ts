// The figures that an upgrade must not change, as the API answers them: jobs and their pull requests, windows of visitors, and the
// unique visitors and page views of each day and page.

import { readCsv } from '../../analytics/histories/csv.ts'
import type { Api } from '../api/api.ts'
import { readProjects } from '../api/projects.ts'
import { readWindows } from '../api/visitor-windows.ts'
import { Failure } from '../../lib/failure.ts'

/** By what they are about, in words. */
export type Figures = ReadonlyMap<string, string>

export type Asking = {
  readonly api: Pick<Api, 'send' | 'download'>
  readonly stop: AbortSignal
  readonly now: Date
  readonly withPageViews: boolean
}

type Project = { readonly id: string; readonly name: string }

/** Page views of the last day still arrive. */
const day = 24 * 60 * 60 * 1_000

/** Only fields that every release has: a later one may add others. Throws what the API throws. */
export async function readFigures(asking: Asking): Promise<Figures> {
  const figures = new Map<string, string>()
  for (const { id, name } of await readProjects<Project>(asking.api)) {
    const of = `of ${name} (${id})`
    await readJobs(asking, id, (job, value) => figures.set(`job ${job} ${of}`, value))
    if (!asking.withPageViews) continue
    for (const { name: window, pageViews } of await readWindows(asking.api, id)) {
      figures.set(`window ${window || 'without a name'} ${of}`, String(pageViews))
    }
    for (const what of ['timeseries', 'visitors', 'views']) {
      for await (const [row, value] of readRows(asking, id, what)) figures.set(`${what}: ${row} ${of}`, value)
    }
  }
  return figures
}

type Job = {
  readonly id: string
  readonly status: string
  readonly outcome: string | null
  readonly pullRequest: { readonly number: number; readonly state: string } | null
}

async function readJobs({ api, stop }: Asking, projectId: string, found: (id: string, value: string) => void) {
  for (let query = ''; ;) {
    stop.throwIfAborted()
    const { body } = await api.send('GET', `/v2/agent/${projectId}/jobs?limit=100${query}`)
    const { jobs, nextCursor } = JSON.parse(body) as { jobs: readonly Job[]; nextCursor: string | null }
    for (const { id, status, outcome, pullRequest } of jobs) {
      const pull = pullRequest && ` #${pullRequest.number} ${pullRequest.state}`
      found(id, `${status}${outcome ? ` ${outcome}` : ''}${pull ?? ''}`)
    }
    if (!nextCursor) return
    query = `&cursor=${encodeURIComponent(nextCursor)}`
  }
}

/** The rows of an export by their first field, over all days that have ended. */
async function* readRows(
  { api, stop, now }: Asking,
  projectId: string,
  what: string,
): AsyncGenerator<readonly [string, string], void> {
  const dateTo = new Date(now.getTime() - day).toISOString().slice(0, 10)
  const path = `/v1/analytics/${projectId}/${what}.csv?dateTo=${dateTo}${what === 'timeseries' ? '&interval=day' : ''}`
  let columns: readonly number[] | undefined
  for await (const records of readCsv(bytesOf(api.download(path, {}, stop)))) {
    for (const record of records) {
      if (columns === undefined) columns = columnsOf(record, what)
      else if (record.length > 1) yield [record[0] ?? '', columns.map((at) => record[at]).join(' ')]
    }
  }
}

/** Throws if one is missing: nothing would be compared, and nothing would differ. */
function columnsOf(header: readonly string[], what: string): readonly number[] {
  const columns = ['human', 'ai', 'total'].map((name) => header.indexOf(name))
  if (columns.includes(-1)) throw new Failure('internal', `${what}.csv has no columns human, ai and total.`)
  return columns
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}
