// Exports as text: CSV as the API streams it, and JSON as one object that holds the rows of all pages.

import { Failure } from '../../lib/failure.ts'
import type { Api } from '../api/api.ts'

/** A list: the parameter is repeated. */
type Query = Readonly<Record<string, string | readonly string[]>>

/** A path of the API such as `/v1/analytics/prj_…/visitors`, with its parameters. */
export type ExportRequest = { readonly path: string; readonly query: Query }

/** A piece of text, and the number of rows up to its end. */
export type Part = { readonly text: string; readonly rows: number }

const pageSize = 250
const attempts = 5

export function toAddress(path: string, query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  )
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? path : `${path}?${text}`
}

/** Yields the CSV as it arrives. The heading does not count as a row. */
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

/** Yields lines of JSON as they arrive. */
export async function* exportRows(
  api: Api,
  { path, query }: ExportRequest,
  stop: AbortSignal,
): AsyncGenerator<Part, void> {
  let rows = 0
  for await (const text of api.download(toAddress(path, query), { Accept: 'application/x-ndjson' }, stop)) {
    rows += text.split('\n').length - 1
    yield { text, rows }
  }
}

type Page = Readonly<Record<string, unknown>> & { readonly hasMore?: boolean; readonly totals?: unknown }

/**
 * Returns one object like the API's, with all rows. New page views may move rows from one page to another: if the totals
 * change meanwhile, it starts again. Calls `onRows` with the number of rows so far. Throws `unavailable` after 5 attempts.
 */
export async function exportJson(
  api: Api,
  request: ExportRequest,
  onRows: (rows: number) => void,
  stop: AbortSignal,
): Promise<Part> {
  for (let n = 0; n < attempts; n += 1) {
    const whole = await collect(api, request, onRows, stop)
    if (whole) return whole
  }
  throw new Failure('unavailable', 'Page views arrive faster than all pages can be read. End the range before today.')
}

/** Returns undefined if the totals change between pages. */
async function collect(
  api: Api,
  { path, query }: ExportRequest,
  onRows: (rows: number) => void,
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
    onRows(all.length)
    if (page.hasMore !== true || rows.length === 0) {
      const { hasMore: _, ...rest } = page
      return { text: `${JSON.stringify({ ...rest, [name]: all })}\n`, rows: all.length }
    }
  }
}

/** Every response has one list, named after its items. */
function rowsOf(page: Page): readonly [string, readonly unknown[]] {
  for (const [name, value] of Object.entries(page)) {
    if (Array.isArray(value)) return [name, value]
  }
  throw new Failure('internal', 'The response has no list.')
}
