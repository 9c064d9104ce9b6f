// Which page views are to be labelled anew, and what came of it.

import { z } from '@hono/zod-openapi'
import { parseDay } from '../../../analytics/query/parse.ts'
import type { Reclassified } from '../../../analytics/upkeep/reclassify.ts'
import { schemaOf } from '../../contract/schema-of.ts'

const day = (description: string) =>
  z
    .string()
    .refine((text) => parseDay(text) === text, 'must be a day such as 2026-11-01')
    .openapi({ type: 'string', format: 'date', description, example: '2026-11-01' })

export const reclassifySchema = z
  .object({
    since: day('The first day.'),
    until: day('The day after the last one; absent: there is no end.').optional(),
  })
  .openapi('Reclassify', { example: { since: '2026-10-01', until: '2026-11-01' } })

export const reclassifiedSchema = schemaOf<Reclassified>()(
  z
    .object({
      looked: z.int().openapi({ description: 'Kinds of client that were looked at.' }),
      changed: z.int().openapi({ description: 'Those of them whose label is another one now.' }),
    })
    .openapi('Reclassified', { example: { looked: 1_204, changed: 3 } }),
)
