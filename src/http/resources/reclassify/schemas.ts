// Request and response of the reclassification of page views.

import { z } from '@hono/zod-openapi'
import { parseDay } from '../../../analytics/counts/query/parse.ts'
import type { Reclassified } from '../../../analytics/upkeep/reclassify.ts'
import { schemaOf } from '../../contract/schema-of.ts'

export const daySchema = (description: string) =>
  z
    .string()
    .refine((text) => parseDay(text) === text, 'must be an existing day, YYYY-MM-DD')
    .openapi({ type: 'string', format: 'date', description, example: '2026-11-01' })

export const reclassifySchema = z
  .object({
    since: daySchema('The first day.'),
    until: daySchema('The day after the last one. Default: no end.').optional(),
  })
  .openapi('Reclassify', { example: { since: '2026-10-01', until: '2026-11-01' } })

export const reclassifiedSchema = schemaOf<Reclassified>()(
  z
    .object({
      looked: z
        .int()
        .openapi({ description: 'Number of distinct clients (user agent and headers) that were checked.' }),
      changed: z.int().openapi({ description: 'Number of those that have a new class.' }),
    })
    .openapi('Reclassified', { example: { looked: 1_204, changed: 3 } }),
)
