// The operation that compares pages before and after the merge of a job's pull request.

import { z } from '@hono/zod-openapi'
import { fewestDays, mostDays } from '../../../analytics/effect/days.ts'
import type { DayCounts, Effect } from '../../../analytics/effect/effect.ts'
import { count, list, string, time } from '../../contract/fields.ts'
import { jobParams, projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { json } from '../../contract/responses.ts'
import { schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'

/** Without a merge, `note` says so. */
export type EffectResponse = Omit<Effect, 'mergedOn'> & {
  readonly mergedOn: string | null
  readonly pullRequest: { readonly number: number; readonly title: string; readonly mergedAt: string } | null
}

const query = z.object({
  job: jobParams.shape.id,
  path: text({
    max: 2_000,
    description:
      'The path of a page. Default: the pages that the pull request changed, as far as the configuration of the site tells their paths, and the failing pages that the runs of the job were given.',
  }).optional(),
})

const day = (description: string) => z.string().openapi({ format: 'date', description })
const counts = {
  readers: count('Human visitors.'),
  agents: count('Visitors through AI agents.'),
  failures: count('Requests of people and AI agents that returned 404.'),
}
const sums = schemaOf<DayCounts>()(z.object(counts).openapi('EffectCounts'))
const range = z.object({ dateFrom: day('The first day.'), dateTo: day('The day after the last one.') })

const pageSchema = z
  .object({
    path: string('Path of the page, normalised.'),
    before: sums.openapi({ description: 'Sums over the days before: a reader who came on two days counts on both.' }),
    after: sums.openapi({ description: 'The same for the days after.' }),
    days: list(z.object({ date: day('The day.'), ...counts }), 'All days of both ranges, in order.'),
  })
  .openapi({ title: 'PageEffect' })

const effectSchema = schemaOf<EffectResponse>()(
  z
    .object({
      pullRequest: z
        .object({ number: z.int(), title: z.string(), mergedAt: time('When it was merged.') })
        .nullable()
        .openapi({ description: 'The pull request of the job that was merged last; null: no pull request is.' }),
      mergedOn: day('The day of the merge, which is in neither range; null: it is not merged.').nullable(),
      timeZone: string('Its days are those of the ranges.'),
      days: count(`How many days each range has: at most ${mostDays}, and whole weeks once there is one.`),
      needs: count(
        `How many more days must pass until the numbers say anything: ${fewestDays} whole days are the fewest. Null: they never will, and \`note\` says why.`,
      ).nullable(),
      note: string('Why the numbers say nothing yet, or never will; null: they do.').nullable(),
      before: range.nullable().openapi({ description: 'The days before the merge; null: there is no day to compare.' }),
      after: range.nullable().openapi({ description: 'As many days after the merge.' }),
      pages: list(pageSchema, 'At most 20: those with the most readers, agents and failures, the most first.'),
      pagesLeftOut: count('Further pages, with fewer of them.'),
    })
    .openapi('Effect', {
      example: {
        pullRequest: { number: 7, title: 'Redirect the old address', mergedAt: '2026-11-10T12:00:00.000Z' },
        mergedOn: '2026-11-10',
        timeZone: 'Europe/Berlin',
        days: 7,
        needs: 0,
        note: null,
        before: { dateFrom: '2026-11-03', dateTo: '2026-11-10' },
        after: { dateFrom: '2026-11-11', dateTo: '2026-11-18' },
        pages: [
          {
            path: '/quickstart',
            before: { readers: 81, agents: 12, failures: 0 },
            after: { readers: 90, agents: 15, failures: 0 },
            days: [{ date: '2026-11-03', readers: 11, agents: 2, failures: 0 }],
          },
        ],
        pagesLeftOut: 0,
      },
    }),
)

/** Not for shared links: jobs are no part of the statistics. */
export const getEffectRoute = operationsOn('Analytics').get('read', '/v1/analytics/{projectId}/effect', {
  operationId: 'getEffect',
  summary: 'Compare before and after a merge',
  description:
    "Counts readers, AI agents and failures of pages by day, in as many whole days before the day of the merge as after it. The numbers are those of the exports of visitors and of broken pages, a day at a time. They don't say why something changed. Counts as an export, by its cost.",
  request: { params: projectParams, query },
  responses: { 200: json('The pages before and after.', effectSchema, 'RateLimit', 'RateLimit-Policy') },
  codes: [
    'rate_limited',
    'question_too_large',
    'repository_unreachable',
    'repository_unauthorized',
    'repository_too_large',
  ],
})
