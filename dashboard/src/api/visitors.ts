// The statistics of a project: for people who are signed in, and for anyone with a shared link.

import { queryOptions } from '@tanstack/react-query'
import { prefix } from '../base.ts'
import { ask } from './client.ts'
import { Problem } from './problem.ts'
import type { components, operations } from '../../../client/src/api/types.gen.ts'

/** `token`: of a shared link. Without it, the session counts. */
export type Reader = { readonly projectId: string; readonly token?: string | undefined }

/** Days, `YYYY-MM-DD`. `dateTo` is the day after the last one. */
export type Range = { readonly dateFrom: string; readonly dateTo: string }
export type Interval = 'day' | 'week' | 'month'

type Schemas = components['schemas']
export type About = Schemas['Statistics']
export type Realtime = Schemas['Realtime']
export type Counts = Schemas['VisitorCounts']
/** Why a number can count a person twice, or null. */
export type PerWindow = Schemas['Visitors']['perWindow']
/** The totals of a range, and how its visitors were distinguished. */
export type RangeTotals = { readonly totals: Counts; readonly perWindow: PerWindow }
export type Timeseries = Schemas['Timeseries']['timeseries']
export type EarlierDay = Schemas['EarlierDays']['days'][number]
export type PageRow = Schemas['Visitors']['visitors'][number]
export type AgentRow = Schemas['AiAgents']['agents'][number]
export type CrawlerRow = Schemas['Crawlers']['crawlers'][number]
export type ReferrerRow = Schemas['Referrers']['referrers'][number]
export type BrokenRow = Schemas['BrokenPages']['brokenPages'][number]
export type BrokenLinks = Schemas['BrokenPageLinks']
export type BrokenLink = BrokenLinks['links'][number]
export type ValueRow = Schemas['Breakdown']['rows'][number]
export type BreakdownBy = Schemas['BreakdownBy']
export type DownloadRow = Schemas['Downloads']['downloads'][number]
export type Rows<Row> = { readonly rows: readonly Row[]; readonly hasMore: boolean }

export type Page = { readonly limit: number; readonly offset: number; readonly search?: string }
export type Sort = 'total' | 'human' | 'ai'

type FiltersAndDays = NonNullable<operations['getTimeseries']['parameters']['query']>
export type FilterName = Exclude<keyof FiltersAndDays, 'dateFrom' | 'dateTo' | 'interval'>
/** As the API takes them: with a leading `!`, all but that. `segment`: the names of saved ones. */
export type Filters = { readonly [Name in FilterName]?: string[] }

/** `grows`: the range includes today. Most of the repeated requests are answered with 304. */
export type Asked = {
  readonly reader: Reader
  readonly range: Range
  readonly filters: Filters
  readonly grows: boolean
}

const growsMs = 30_000
const firstViewMs = 10_000
const settingsMs = 300_000
const nowMs = 15_000

export const aboutQuery = (reader: Reader) =>
  queryOptions({
    queryKey: ['statistics', reader],
    queryFn: ({ signal }) =>
      ask((api) => api.GET('/v1/analytics/{projectId}', { ...as(reader), params: { path: reader }, signal })),
    // Until the first page view arrives, someone is waiting for it.
    refetchInterval: ({ state }) => (state.data?.pageViews === 0 ? firstViewMs : settingsMs),
  })

/** The last five minutes, and today by the hour. Asked again only while the page is visible. */
export const realtimeQuery = ({ reader, filters }: Pick<Asked, 'reader' | 'filters'>) =>
  queryOptions({
    queryKey: ['realtime', reader, filters],
    queryFn: ({ signal }) =>
      ask((api) => api.GET('/v1/analytics/{projectId}/realtime', { ...request(reader, filters), signal })),
    refetchInterval: nowMs,
  })

export const timeseriesQuery = ({ reader, range, filters, grows }: Asked, interval: Interval) =>
  queryOptions({
    ...shared(reader, 'timeseries', grows, { ...range, ...filters, interval }),
    queryFn: ({ signal }) =>
      ask((api) =>
        api.GET('/v1/analytics/{projectId}/timeseries', {
          ...request(reader, { ...range, ...filters, interval }),
          signal,
        }),
      ),
  })

/** Daily sums of other tools, for the days before the first one measured here. */
export const earlierDaysQuery = ({ reader, range }: Omit<Asked, 'grows'>) =>
  queryOptions({
    ...shared(reader, 'earlier-days', false, range),
    staleTime: settingsMs,
    queryFn: async ({ signal }) =>
      (await ask((api) => api.GET('/v1/analytics/{projectId}/earlier-days', { ...request(reader, range), signal })))
        .days,
  })

/** Are there page views of people or AI agents? */
export const hasViewsQuery = ({ reader, range, filters }: Omit<Asked, 'grows'>) =>
  queryOptions({
    queryKey: ['has-views', reader, range, filters],
    staleTime: settingsMs,
    queryFn: async ({ signal }) => {
      const query = { ...range, ...filters, limit: 1 }
      const { totals } = await ask((api) =>
        api.GET('/v1/analytics/{projectId}/views', { ...request(reader, query), signal }),
      )
      return totals.total > 0
    },
  })

/** Unique visitors of a range, without pages. */
export const totalsQuery = ({ reader, range, filters }: Omit<Asked, 'grows'>) =>
  queryOptions({
    ...shared(reader, 'totals', false, { ...range, ...filters }),
    staleTime: settingsMs,
    queryFn: ({ signal }): Promise<RangeTotals> => {
      const query = { ...range, ...filters, limit: 1 }
      return ask((api) => api.GET('/v1/analytics/{projectId}/visitors', { ...request(reader, query), signal }))
    },
  })

/** Page views of a range, without pages. */
export const viewTotalsQuery = ({ reader, range, filters, grows }: Asked) =>
  queryOptions({
    ...shared(reader, 'view-totals', grows, { ...range, ...filters }),
    queryFn: async ({ signal }): Promise<Counts> => {
      const query = { ...range, ...filters, limit: 1 }
      const { totals } = await ask((api) =>
        api.GET('/v1/analytics/{projectId}/views', { ...request(reader, query), signal }),
      )
      return totals
    },
  })

export const pagesQuery = (asked: Asked, page: Page & { readonly sort: Sort }) =>
  rowsQuery<PageRow, typeof page>(asked, 'visitors', page, async (init) => {
    const { visitors: rows, hasMore } = await ask((api) => api.GET('/v1/analytics/{projectId}/visitors', init))
    return { rows, hasMore }
  })

export const agentsQuery = (asked: Asked, page: Page) =>
  rowsQuery<AgentRow, Page>(asked, 'ai-agents', page, async (init) => {
    const { agents: rows, hasMore } = await ask((api) => api.GET('/v1/analytics/{projectId}/ai-agents', init))
    return { rows, hasMore }
  })

export const crawlersQuery = (asked: Asked, page: Page) =>
  rowsQuery<CrawlerRow, Page>(asked, 'crawlers', page, async (init) => {
    const { crawlers: rows, hasMore } = await ask((api) => api.GET('/v1/analytics/{projectId}/crawlers', init))
    return { rows, hasMore }
  })

export const referrersQuery = (asked: Asked, page: Page) =>
  rowsQuery<ReferrerRow, Page>(asked, 'referrers', page, async (init) => {
    const { referrers: rows, hasMore } = await ask((api) => api.GET('/v1/analytics/{projectId}/referrers', init))
    return { rows, hasMore }
  })

export const breakdownQuery = (asked: Asked, page: Page & { readonly sort: Sort; readonly by: BreakdownBy }) =>
  rowsQuery<ValueRow, typeof page>(asked, 'breakdown', page, async (init) => {
    const { rows, hasMore } = await ask((api) => api.GET('/v1/analytics/{projectId}/breakdown', init))
    return { rows, hasMore }
  })

export const brokenPagesQuery = (asked: Asked, page: Page) =>
  rowsQuery<BrokenRow, Page>(asked, 'broken-pages', page, async (init) => {
    const { brokenPages: rows, hasMore } = await ask((api) => api.GET('/v1/analytics/{projectId}/broken-pages', init))
    return { rows, hasMore }
  })

/** Where the requests for a broken page came from. */
export function brokenLinksQuery({ reader, range, filters, grows }: Asked, path: string) {
  const { path: _, ...others } = filters
  const query = { ...range, ...others, path }
  const { queryKey, refetchInterval } = shared(reader, 'broken-links', grows, query)
  return queryOptions({
    queryKey,
    refetchInterval,
    queryFn: ({ signal }) =>
      ask((api) => api.GET('/v1/analytics/{projectId}/broken-pages/links', { ...request(reader, query), signal })),
  })
}

/** Page views of `llms.txt` and the like by AI agents, wherever they are. Null: there are too many of them to know. */
export const llmsViewsQuery = ({ reader, range, filters, grows }: Asked) => {
  const query = { ...range, ...filters, search: 'llms', sort: 'ai' as const, limit: 250 }
  return queryOptions({
    ...shared(reader, 'llms', grows, query),
    queryFn: async ({ signal }): Promise<number | null> => {
      const { views, hasMore } = await ask((api) =>
        api.GET('/v1/analytics/{projectId}/views', { ...request(reader, query), signal }),
      )
      const wanted = views.filter(({ path }) => /\/llms(?:-[^/]*)?\.txt$/.test(path))
      return hasMore ? null : wanted.reduce((sum, { ai }) => sum + ai, 0)
    },
  })
}

export const downloadsQuery = (asked: Asked, page: Page) =>
  rowsQuery<DownloadRow, Page>(asked, 'downloads', page, async (init) => {
    const { downloads: rows, hasMore } = await ask((api) => api.GET('/v1/analytics/{projectId}/downloads', init))
    return { rows, hasMore }
  })

/** All rows of a list as a file. Throws a `Problem`. */
export async function readCsv(
  { reader, range, filters }: Omit<Asked, 'grows'>,
  list: string,
  chosen: Readonly<Record<string, string>>,
): Promise<Blob> {
  const query = new URLSearchParams({ ...range, ...chosen })
  for (const [name, values] of Object.entries(filters)) for (const value of values) query.append(name, value)
  const address = `${prefix}v1/analytics/${reader.projectId}/${list}.csv?${query.toString()}`
  const response = await fetch(address, as(reader)).catch((error: unknown) => {
    throw Problem.unreachable(error)
  })
  if (!response.ok) throw Problem.from(response, await response.json().catch(() => undefined))
  return response.blob()
}

function as({ token }: Reader): { readonly headers: Readonly<Record<string, string>> } {
  return { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } }
}

function request<Query>(reader: Reader, query: Query) {
  return { ...as(reader), params: { path: { projectId: reader.projectId }, query } }
}

type Init<Query> = ReturnType<typeof request<Range & Filters & Query>> & { readonly signal: AbortSignal }

/** One page of a list. */
function rowsQuery<Row, Query extends Page>(
  { reader, range, filters, grows }: Asked,
  list: string,
  page: Query,
  read: (init: Init<Query>) => Promise<Rows<Row>>,
) {
  const query = { ...range, ...filters, ...page }
  return queryOptions({
    ...shared(reader, list, grows, query),
    queryFn: ({ signal }) => read({ ...request(reader, query), signal }),
  })
}

function shared(reader: Reader, list: string, grows: boolean, query: object) {
  return {
    queryKey: [list, reader, query] as const,
    refetchInterval: grows ? growsMs : (false as const),
    // The page keeps its height while the next numbers come from the same project.
    placeholderData: <Data>(before: Data | undefined, query?: { readonly queryKey: readonly unknown[] }) =>
      JSON.stringify(query?.queryKey[1]) === JSON.stringify(reader) ? before : undefined,
  }
}

/** A file that was imported from another tool. */
export type History = components['schemas']['History']

/** Their names, where people read them. */
export const sourceNames: Readonly<Record<History['source'], string>> = {
  plausible: 'Plausible',
  ga4: 'Google Analytics',
  goatcounter: 'GoatCounter',
  umami: 'Umami',
}

export const historiesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['histories', projectId],
    queryFn: async ({ signal }) =>
      (await ask((api) => api.GET('/v1/analytics/{projectId}/histories', { params: { path: { projectId } }, signal })))
        .histories,
  })

export function deleteHistory(projectId: string, historyId: string): Promise<unknown> {
  return ask((api) =>
    api.DELETE('/v1/analytics/{projectId}/histories/{historyId}', { params: { path: { projectId, historyId } } }),
  )
}
