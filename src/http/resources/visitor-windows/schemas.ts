// Requests and responses about the windows of visitors.

import { z } from '@hono/zod-openapi'
import { rebuildResults } from '../../../analytics/counts/uniques/rebuild.ts'
import { namedEnum } from '../../contract/schema-of.ts'

const nameSchema = z.string().max(100).openapi({
  description:
    'The visitor window and its begin. Empty: page views whose visitors may return at any time, or that were stored by an early release.',
  example: 'month:2026-11',
})

export const windowsSchema = z
  .object({
    visitorWindows: z.array(
      z.object({
        name: nameSchema,
        pageViews: z.int(),
        from: z.iso.datetime().openapi({ description: 'The time of the first page view.' }),
        to: z.iso.datetime().openapi({ description: 'The time of the last page view.' }),
      }),
    ),
  })
  .openapi('VisitorWindows', {
    example: {
      visitorWindows: [
        {
          name: 'month:2026-11',
          pageViews: 48_120,
          from: '2026-11-01T00:00:12.345Z',
          to: '2026-11-21T16:20:00.000Z',
        },
      ],
    },
  })

export const rebuildSchema = z
  .object({ name: nameSchema })
  .openapi('RebuildVisitorWindow', { example: { name: 'month:2026-11' } })

export const rebuiltSchema = z
  .object({
    result: namedEnum('RebuildResult', rebuildResults).openapi({
      description:
        '`equal` or `different`: the stored counters of the same page views were right or wrong. `new`: there were no such counters. `moving`: page views were stored meanwhile, so the counters were not stored.',
    }),
  })
  .openapi('RebuiltVisitorWindow', { example: { result: 'equal' } })
