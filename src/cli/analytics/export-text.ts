// An export as text, little by little: CSV as the API streams it, JSON put together of all pages of an answer.

import { Failure } from '../../lib/failure.ts'
import type { Api } from '../api/api.ts'

/** What is asked for: `/v1/analytics/prj_…/visitors` and its query. */
export type ExportRequest = { readonly path: string; readonly query: Readonly<Record<string, string>> }

/** Text as it comes, and how many rows have come with it. */
export type Part = { readonly text: string; readonly rows: number }

const pageSize = 250
const attempts = 5

function toAddress(path: string, query: ExportRequest['query']): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? path : `${path}?${text}`
}

/** The heading is no row. */
export async function* exportCsv(
  api: Api,
  { path, query }: ExportRequest,
  stop: AbortSignal,
): AsyncGenerator<Part, void> {
  let lines = -1
  for await (const text of api.download(toAddress(`${path}.csv`, query), { Accept: 'text/csv' }, stop)) {
    lines += text.split('\n').length - 1
    yield { text, rows: Math.max(0, lines) }
  }
}

type Page = Readonly<Record<string, unknown>> & { readonly hasMore?: boolean; readonly totals?: unknown }

/**
 * One object in the form of the API, with all rows. Page views that arrive in between move rows from page to page: when
 * the totals show that, it begins again. `tell` hears how many rows there are so far.
 */
export async function exportJson(
  api: Api,
  request: ExportRequest,
  tell: (rows: number) => void,
  stop: AbortSignal,
): Promise<Part> {
  for (let n = 0; n < attempts; n += 1) {
    const whole = await collect(api, request, tell, stop)
    if (whole) return whole
  }
  throw new Failure('unavailable', 'Page views arrive faster than all pages can be read. End the range before today.')
}

/** undefined: something changed on the way. */
async function collect(
  api: Api,
  { path, query }: ExportRequest,
  tell: (rows: number) => void,
  stop: AbortSignal,
): Promise<Part | undefined> {
  const all: unknown[] = []
  let totals: string | undefined
  for (;;) {
    stop.throwIfAborted()
    const paging = { limit: String(pageSize), offset: String(all.length) }
    const page = JSON.parse((await api.send('GET', toAddress(path, { ...query, ...paging }))).body) as Page
    const [name, rows] = rowsOf(page)
    const now = JSON.stringify(page.totals)
    if (all.length > 0 && now !== totals) return undefined
    totals = now
    all.push(...rows)
    tell(all.length)
    if (page.hasMore !== true || rows.length === 0) {
      const { hasMore: _, ...rest } = page
      return { text: `${JSON.stringify({ ...rest, [name]: all })}\n`, rows: all.length }
    }
  }
}

/** Every answer has one list, under the name of what is in it. */
function rowsOf(page: Page): readonly [string, readonly unknown[]] {
  for (const [name, value] of Object.entries(page)) {
    if (Array.isArray(value)) return [name, value]
  }
  throw new Failure('internal', 'The answer has no list.')
}
