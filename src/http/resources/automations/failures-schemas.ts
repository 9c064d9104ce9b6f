// The schema of what became of the pages that a run of an automation was given.

import { z } from '@hono/zod-openapi'
import { comparedDays, fewestDays, type RunFailures, verdicts } from '../../../automations/runs/pages/failures.ts'
import { list, string, time } from '../../contract/fields.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'

const count = (description: string) => z.int().openapi({ description })
const counted = z.object({
  visitors: count('At least so many.'),
  views: count('Page views of people and AI agents.'),
})

export const runFailuresSchema = schemaOf<RunFailures>()(
  z
    .object({
      mergedAt: time('When the pull request of the run was merged; null: it is not.').nullable(),
      note: string('Why something is not known yet; null: everything is known.').nullable(),
      pages: list(
        z.object({
          path: z.string(),
          given: z
            .object({ visitors: count('At least so many.'), days: count('On so many days.') })
            .openapi({ description: 'When the run was given the page: of the 28 days before.' }),
          before: counted.nullable().openapi({
            description: `In the ${comparedDays} days before the merge; null: it is not merged, or these page views are no longer kept.`,
          }),
          since: counted.nullable().openapi({
            description: `Since the merge, in the last ${comparedDays} days at most; null: it is not merged, or there are no page views.`,
          }),
          verdict: namedEnum('FailureVerdict', verdicts).openapi({
            description: `By page views a day. \`unknown\`: fewer than ${fewestDays} days since the merge, or no failure before it is known.`,
          }),
          text: string('The same in words.'),
        }),
        'The pages that the run was given; empty: it was given no such page, or their addresses were erased with the transcript.',
      ),
    })
    .openapi('AutomationRunFailures'),
)
