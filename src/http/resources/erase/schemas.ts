// Requests and responses of erasures: of a visitor, and of page views that came from logs.

import { z } from '@hono/zod-openapi'
import type { ErasureResult } from '../../../analytics/upkeep/erase.ts'
import { text } from '../../contract/text.ts'
import { daySchema } from '../reclassify/schemas.ts'
import { schemaOf } from '../../contract/schema-of.ts'

export const whoToEraseSchema = z
  .object({
    visitorId: text({
      max: 1_000,
      description: 'Your id for the visitor, as you sent it with the page views.',
    }).optional(),
    address: text({
      max: 100,
      description: 'IPv4 or IPv6. Only the first 64 bits of an IPv6 address count.',
      example: '192.0.2.7',
    }).optional(),
  })
  .openapi('ErasureTarget', { description: 'Exactly one of the two fields.', example: { address: '192.0.2.7' } })

export const erasedSchema = schemaOf<{ readonly erased: ErasureResult }>()(
  z
    .object({
      erased: z.object({
        visitors: z.int().openapi({
          description: 'Erased visitors. With `address`, each pair of visitor window and user agent is one visitor.',
        }),
        pageViews: z.int().openapi({ description: 'Deleted page views.' }),
      }),
    })
    .openapi('ErasureResult', { example: { erased: { visitors: 2, pageViews: 17 } } }),
)

export const importedToEraseSchema = z
  .object({
    since: daySchema('The first day.'),
    until: daySchema('The day after the last one. Default: no end.').optional(),
  })
  .openapi('ImportedToErase', { example: { since: '2026-10-01', until: '2026-11-01' } })

export const erasedImportedSchema = schemaOf<{ readonly erased: Pick<ErasureResult, 'pageViews'> }>()(
  z
    .object({ erased: z.object({ pageViews: z.int().openapi({ description: 'Deleted page views.' }) }) })
    .openapi('ErasedImported', { example: { erased: { pageViews: 10_020 } } }),
)
