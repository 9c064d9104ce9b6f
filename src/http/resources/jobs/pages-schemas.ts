// Pages outside of the repository that a job read, as responses have them.

import { count, string } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import type { PageRead } from '../../../jobs/pages-read.ts'
import { schemaOf } from '../../contract/schema-of.ts'

export const pagesReadSchema = z
  .array(
    schemaOf<PageRead>()(
      z
        .object({
          address: string('As the agent asked for it; at most 500 characters.'),
          status: z.int().nullable().openapi({
            description: 'The HTTP status of the response, before or after redirects; null without a response.',
          }),
          bytes: count('The size of the response in bytes; 0 if there was no page.'),
        })
        .openapi('PageRead', { example: { address: 'https://example.com/changelog', status: 200, bytes: 18_240 } }),
    ),
  )
  .readonly()
  .openapi({
    description: 'The last 100 pages outside of the repository that its runs requested, in order.',
  })
