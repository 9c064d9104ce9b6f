// Looks up one broken page: the pages and sites that link to it, and the page that was probably meant. That is
// chosen by its name among the pages that visitors saw, as `docent check` chooses among those of a repository.

import { type Candidate, choose, toParts } from '../../../../checks/suggest/choose.ts'
import type { ClickHouse } from '../../../../clickhouse/open.ts'
import type { Params } from '../../../../clickhouse/query.ts'
import { decodePercent } from '../../../../lib/plain-text.ts'
import { otherPath } from '../../../collect/path.ts'
import type { Plan } from '../plan.ts'
import type { Question } from '../rows.ts'
import { classOf, countViews, inRange, notFound, toParams } from '../sql.ts'
import type { RequestCounts } from './requests.ts'

/** The requests that came from one page or site. */
export type BrokenLink = Omit<RequestCounts, 'path'> & {
  /** A path on the same host, a host with or without a path, or an app; empty if it is unknown. */
  readonly from: string
  /** False: `from` is a site, an app or unknown. */
  readonly isPage: boolean
}

export type BrokenLinks = {
  readonly links: readonly BrokenLink[]
  readonly hasMore: boolean
  /** Undefined: no page is clearly meant. */
  readonly suggestion: string | undefined
}

/**
 * The pages that are compared, and the length of their paths. Anyone can report pages: 3,000 of them with names that take longest to
 * compare take a fifth of a second, those of a real site some milliseconds.
 */
const mostCompared = 3_000
const longestCompared = 120

/** `path` is in normal form. Throws `question_too_large`, `unavailable`. */
export async function readBrokenLinks(
  { store, plan, onAnswer }: Pick<Question, 'store' | 'plan' | 'onAnswer'>,
  path: string,
  signal?: AbortSignal,
): Promise<BrokenLinks> {
  onAnswer?.('rows')
  if (plan.from >= plan.to) return { links: [], hasMore: false, suggestion: undefined }
  const params: Params = { ...toParams(plan), path }
  const rows = await store.read<Omit<BrokenLink, 'isPage'> & { isPage: 0 | 1 }>(linksSql(plan), params, signal)
  const links = rows.slice(0, plan.limit).map((row) => ({ ...row, isPage: row.isPage === 1 }))
  return { links, hasMore: rows.length > plan.limit, suggestion: await suggest(store, params, path, signal) }
}

async function suggest(store: ClickHouse, params: Params, path: string, signal?: AbortSignal) {
  if (path.length > longestCompared) return undefined
  const pages = (await store.read<{ name: string }>(pagesSql, params, signal)).map(({ name }) => name)
  // Requests for another spelling of a page that is there fail, such as its Markdown.
  if (pages[0] === path) return undefined
  return choose(
    toName(path),
    pages.map((page): Candidate<string> => ({ value: page, name: toName(page) })),
  )
}

function linksSql(plan: Plan): string {
  const keys = `concat(referrer, referrer_path) AS linking, referrer_path NOT IN ('', '${otherPath}') AS isPage, ${classOf(plan)} AS class`
  return `/* analytics.broken-links */ SELECT toString(linking) AS from, isPage, sumIf(counted, class = 1) AS human,
      sumIf(counted, class = 2) AS ai, sumIf(counted, class = 0) AS neither, sum(counted) AS total
    FROM (${countViews(plan, { keys, where: `${notFound(plan)} AND path = {path:String}` })})
    GROUP BY linking, isPage ORDER BY total DESC, from LIMIT {end:UInt64}`
}

/** The pages that visitors saw, unless all that failed came later: first the path itself, then those with most page views. */
const pagesSql = `/* analytics.pages-seen */ SELECT toString(path) AS name FROM page_views
  WHERE ${inRange} AND is_download = 0 AND path != '${otherPath}' AND length(path) <= ${longestCompared}
  GROUP BY path HAVING countIf(status != 404) > 0 AND minIf(time, status = 404) < maxIf(time, status != 404)
  ORDER BY path = {path:String} DESC, countIf(status != 404) DESC, path LIMIT ${mostCompared}`

function toName(path: string): readonly string[] {
  return toParts(decodePercent(path))
}
