// Who is to be erased, and what was, as the API takes and gives it.

import { z } from '@hono/zod-openapi'
import type { Erased } from '../../../analytics/upkeep/erase.ts'
import { text } from '../../contract/text.ts'
import { schemaOf } from '../../contract/schema-of.ts'

export const whoToEraseSchema = z
  .object({
    visitorId: text({ max: 1_000, description: "The caller's own word for the visitor, as it was sent." }).optional(),
    address: text({
      max: 100,
      description: 'IPv4 or IPv6; of IPv6 the first 64 bits count.',
      example: '192.0.2.7',
    }).optional(),
  })
  .openapi('WhoToErase', { description: 'One of the two.', example: { address: '192.0.2.7' } })

export const erasedSchema = schemaOf<{ readonly erased: Erased }>()(
  z
    .object({
      erased: z.object({
        visitors: z.int().openapi({ description: 'An address is another visitor in each window and user agent.' }),
        pageViews: z.int(),
      }),
    })
    .openapi('Erased', { example: { erased: { visitors: 2, pageViews: 17 } } }),
)
