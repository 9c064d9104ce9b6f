// The operation that serves the tracker. It needs no key: browsers of visitors ask.

import { createRoute, z } from '@hono/zod-openapi'
import { headers, problems } from '../../contract/responses.ts'

export const scriptRoute = createRoute({
  method: 'get',
  path: '/v1/script.js',
  operationId: 'getScript',
  tags: ['Page views'],
  security: [],
  summary: 'Get the tracker',
  description:
    'For pages of a site: `<script defer src="…/v1/script.js" data-site="site_…"></script>`. It posts to ' +
    '`/v1/collect/{siteId}` beside its own address. Sent in gzip to whoever takes it.',
  responses: {
    200: {
      description: 'The script.',
      headers: headers('ETag'),
      content: { 'text/javascript': { schema: z.string() } },
    },
    304: { description: 'Nothing changed since the answer with this tag.', headers: headers('ETag') },
    ...problems(),
  },
})
