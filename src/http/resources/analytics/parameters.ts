// Query parameters of the analytics exports: the range of days, the page, and the interval of a time series.

import { z } from '@hono/zod-openapi'
import { filterParameters } from './filters.ts'
import { breakdownNames, viewDimensions } from '../../../analytics/dimensions/view-dimensions.ts'
import { parseDay } from '../../../analytics/counts/query/parse.ts'
import { intervals } from '../../../analytics/counts/query/plan.ts'
import { integerParameter, text } from '../../contract/text.ts'
import { namedEnum } from '../../contract/schema-of.ts'

const noDate = 'must be an existing date, YYYY-MM-DD or ISO 8601'

/** A day as people write it. */
export function dayParameter(description: string) {
  return z
    .string()
    .transform((text, context) => {
      const day = parseDay(text)
      if (day !== undefined) return day
      context.addIssue({ code: 'custom', message: noDate })
      return z.NEVER
    })
    .optional()
    .openapi({ type: 'string', description, example: '2026-11-01' })
}

export const dateRange = {
  dateFrom: dayParameter(
    "The first day, in the project's time zone. In a date-time, only the date counts, as written. Default: the first day kept.",
  ),
  dateTo: dayParameter('The day after the last one: the range ends before it. Default: through today.'),
}

/** The days and the filters that every export has. */
export const asked = { ...dateRange, ...filterParameters }

const offset = z
  .string()
  .regex(/^\d{1,40}$/, 'must be a whole number from 0')
  // No export has this many rows, and every number up to it is exact.
  .transform((digits) => Math.min(Number(digits), 1e15))
  .default(0)
  .openapi({ type: 'integer', minimum: 0, default: 0, description: 'Number of rows to skip: (page - 1) * `limit`.' })

type Range = { readonly dateFrom?: string | undefined; readonly dateTo?: string | undefined }

export function inOrder({ dateFrom, dateTo }: Range, context: z.core.$RefinementCtx): void {
  if (dateFrom === undefined || dateTo === undefined || dateFrom <= dateTo) return
  context.issues.push({ code: 'custom', input: dateFrom, path: ['dateFrom'], message: 'must not be after `dateTo`' })
}

const mostSearched = 200

const search = z
  .string()
  .max(mostSearched, `must have at most ${mostSearched} characters`)
  .optional()
  .openapi({ description: 'Only rows whose first field contains this text. Totals are those of all rows.' })

type RowsQuery = { readonly search: typeof search; readonly sort: z.ZodType<string | undefined> }

/** The parameters that choose and sort rows. `sorts`: the fields that the export can be sorted by, the default first. */
function rowsQuery([first, ...others]: readonly string[]): RowsQuery {
  // Without a field to sort by there is no such parameter, and no value of it.
  if (first === undefined) return { search } as RowsQuery
  const sort = z.enum([first, ...others]).default(first)
  return { search, sort: sort.openapi({ description: 'The field to sort by, largest first.' }) }
}

export function csvQuery(sorts: readonly string[]) {
  return z.object({ ...asked, ...rowsQuery(sorts) }).superRefine(inOrder)
}

const limit = integerParameter({ min: 1, max: 250, fallback: 50, description: 'Number of rows on a page.' })

export function pageQuery(sorts: readonly string[]) {
  return z.object({ ...asked, limit, offset, ...rowsQuery(sorts) }).superRefine(inOrder)
}

const dimensions = viewDimensions.map((name) => `\`${name}\``).join(', ')

const by = namedEnum('BreakdownBy', breakdownNames).openapi({
  description: `The dimension of the rows: ${dimensions}; \`site\`; or \`entry\`, the page that a visitor saw first on a day, where a visitor counts once on each day.`,
})

const breakdownRows = { ...asked, by, ...rowsQuery(['total', 'human', 'ai']) }

export const breakdownCsvQuery = z.object(breakdownRows).superRefine(inOrder)
export const breakdownQuery = z.object({ ...breakdownRows, limit, offset }).superRefine(inOrder)

/** `path`: the page that the rows are about, so it is no filter here. */
export const linksQuery = z
  .object({
    ...asked,
    limit,
    path: text({
      max: 2_048,
      description: 'Path of the broken page, as `/broken-pages` has it.',
      example: '/old-guide',
    }),
  })
  .superRefine(inOrder)

const interval = namedEnum('Interval', intervals).default('day')

export const timeseriesQuery = z
  .object({ ...asked, interval: interval.openapi({ description: 'Weeks start on Monday.' }) })
  .superRefine(inOrder)
