// Requests and responses about what was imported from other tools.

import { z } from '@hono/zod-openapi'
import { normalisePath } from '../../../analytics/collect/path.ts'
import { mostCounted, sumSources } from '../../../analytics/histories/daily-sums.ts'
import type { EarlierDay, EarlierDays } from '../../../analytics/histories/earlier-days.ts'
import type { DeletedHistory } from '../../../analytics/histories/histories.ts'
import { type History, historySources } from '../../../analytics/histories/records.ts'
import { dayParameter } from '../analytics/parameters.ts'
import { boolean, count, list, string, time } from '../../contract/fields.ts'
import { historyIdPattern } from '../../contract/ids.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'
import { daySchema } from '../reclassify/schemas.ts'

/** Sums of one request. */
export const mostSumsOfRequest = 5_000

const exampleHistory = {
  id: 'his_0123456789abcdefghij',
  source: 'plausible',
  name: 'imported_visitors_20250101_20251031.csv',
  sums: 304,
  pageViews: 0,
  firstDay: '2025-01-01',
  lastDay: '2025-10-31',
  isComplete: true,
  createdAt: '2026-11-20T08:00:00.000Z',
} as const

const day = (description: string) => z.string().openapi({ format: 'date', description })

export const historySchema = schemaOf<History>()(
  z
    .object({
      id: z.string(),
      source: namedEnum('HistorySource', historySources),
      name: string('The name of the file.'),
      sums: count('Stored daily sums: one for each day and page. 0: the file has page views.'),
      pageViews: count('Stored page views that came from the file. 0: the file has daily sums.'),
      firstDay: day('The first day of what is stored; null: nothing is.').nullable(),
      lastDay: day('The last day of what is stored; null: nothing is.').nullable(),
      isComplete: boolean('False: the import did not reach the end of the file. Import it again to continue.'),
      createdAt: time(),
    })
    .openapi('History', { example: exampleHistory }),
)

export const historiesSchema = z
  .object({ histories: z.array(historySchema).readonly() })
  .openapi('Histories', { example: { histories: [exampleHistory] } })

const counted = (description: string) =>
  z.int().min(0).max(mostCounted).nullable().default(null).openapi({ minimum: 0, maximum: mostCounted, description })

const sumSchema = z
  .object({
    date: daySchema('The day, in the time zone that the tool counted in.'),
    path: text({ max: 16_384, description: 'The path of the page; null: the whole site.' }).nullable().default(null),
    visitors: counted('People on that day; null: unknown.'),
    pageViews: counted('Page views of people on that day; null: unknown.'),
  })
  .superRefine(({ visitors, pageViews, path }, context) => {
    const issue = (pointer: string, message: string) =>
      context.issues.push({ code: 'custom', input: path, path: [pointer], message })
    if (visitors === null && pageViews === null) issue('visitors', 'must be there if `pageViews` is not')
    if (path !== null && (!path.startsWith('/') || normalisePath(path) === undefined)) {
      issue('path', 'must be a path that begins with a slash and has at most 2,048 bytes')
    }
  })
  .openapi('DailySum', { example: { date: '2025-10-31', path: null, visitors: 412, pageViews: 1_290 } })

const sums = z.array(sumSchema).max(mostSumsOfRequest).readonly()
const isComplete = z.boolean().default(true).openapi({ description: 'False: more sums of the file follow.' })

export const newHistorySchema = z
  .object({
    source: namedEnum('SumSource', sumSources),
    name: text({ max: 500, description: 'The name of the file.', example: exampleHistory.name }),
    fingerprint: text({
      max: 200,
      description: 'A digest of the file: with the same one, the sums are added to the same history.',
    }),
    sums: sums.default([]),
    isComplete,
  })
  .openapi('NewHistory', {
    example: {
      source: 'plausible',
      name: exampleHistory.name,
      fingerprint: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
      sums: [{ date: '2025-10-31', path: null, visitors: 412, pageViews: 1_290 }],
      isComplete: true,
    },
  })

export const moreSumsSchema = z.object({ sums, isComplete }).openapi('MoreSums', {
  example: { sums: [{ date: '2025-10-31', path: '/guide', visitors: 31, pageViews: 44 }], isComplete: true },
})

export const deletedHistorySchema = schemaOf<{ readonly deleted: DeletedHistory }>()(
  z
    .object({ deleted: z.object({ sums: count('Daily sums.'), pageViews: count('Page views.') }) })
    .openapi('DeletedHistory', { example: { deleted: { sums: 304, pageViews: 0 } } }),
)

export const earlierQuery = z.object({
  dateFrom: dayParameter('The first day. Default: the first one that there is.'),
  dateTo: dayParameter('The day after the last one. Default: no end.'),
  path: z
    .string()
    .max(16_384)
    .optional()
    .openapi({ description: 'The path of a page. Default: the whole site.', example: '/guide' }),
  historyId: z
    .string()
    .regex(historyIdPattern, 'must be an id that begins with his_')
    .optional()
    .openapi({ description: 'Only what came from this file, and all of its days.' }),
})

const earlierDay = schemaOf<EarlierDay>()(
  z.object({
    date: day('The day.'),
    source: namedEnum('SumSource', sumSources),
    historyId: string('The file.'),
    visitors: count('People on that day; null: unknown.').nullable(),
    pageViews: count('Page views of people on that day; null: unknown.').nullable(),
  }),
)

export const earlierDaysSchema = schemaOf<EarlierDays>()(
  z
    .object({
      firstMeasured: day('The first day with page views of your own; null: no page view is stored.').nullable(),
      days: list(earlierDay, 'By date, each day once. A day that several files have is that of the last one imported.'),
    })
    .openapi('EarlierDays', {
      example: {
        firstMeasured: '2025-11-01',
        days: [
          {
            date: '2025-10-31',
            source: 'plausible',
            historyId: exampleHistory.id,
            visitors: 412,
            pageViews: 1_290,
          },
        ],
      },
    }),
)
