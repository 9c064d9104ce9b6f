// The operation that says where the requests for a broken page came from. Shared links don't open it: it names pages that the other
// statistics don't, such as those of a part of the site that no tracker is on.

import { boolean, count, list, string } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { normalisePath } from '../../../analytics/collect/path.ts'
import {
  type BrokenLink,
  type BrokenLinks,
  readBrokenLinks,
} from '../../../analytics/counts/query/exports/broken-links.ts'
import type { App, AppDeps } from '../../context.ts'
import { projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { conditional, json, notModified } from '../../contract/responses.ts'
import { schemaOf } from '../../contract/schema-of.ts'
import { findProject } from '../../request/auth.ts'
import { dataHeaders, successHeaders } from './contract.ts'
import { type ExportContext, respond } from './export-response.ts'
import { withFilters } from './filters.ts'
import { linksQuery } from './parameters.ts'

/** As responses have it. */
export type BrokenPageLinks = Omit<BrokenLinks, 'suggestion'> & { readonly suggestion: string | null }

const linksSchema = schemaOf<BrokenPageLinks>()(
  z
    .object({
      links: list(
        schemaOf<BrokenLink>()(
          z.object({
            from: string(
              'The page or site that the requests came from: a path on the same host, another host of the project with a path, or a host or an app. Empty: unknown, or no link.',
            ),
            isPage: boolean('True if `from` is a page of the project.'),
            human: count('Requests by browsers.'),
            ai: count('Requests by AI agents.'),
            neither: count('Requests by crawlers, tools and scanners.'),
            total: count('All requests.'),
          }),
        ),
        'Sorted by `total` (descending), then by `from`.',
      ),
      hasMore: boolean('True if there are more than `limit`.'),
      suggestion: string('The page that was probably meant; null if it is not clear.').nullable(),
    })
    .openapi('BrokenPageLinks', {
      example: {
        links: [
          { from: '/start', isPage: true, human: 9, ai: 2, neither: 0, total: 11 },
          { from: 'example.org', isPage: false, human: 3, ai: 0, neither: 0, total: 3 },
          { from: '', isPage: false, human: 0, ai: 1, neither: 41, total: 42 },
        ],
        hasMore: false,
        suggestion: '/guide',
      },
    }),
)

const path = '/v1/analytics/{projectId}/broken-pages/links'

const route = operationsOn('Analytics').get('read', path, {
  operationId: 'getBrokenPageLinks',
  summary: 'List the links to a broken page',
  description:
    'Where the requests for a page that returned 404 came from, and the page that was probably meant: the one with the most similar name, of those that visitors saw in the range and that are still there. A request that a browser and a server report with different pages counts for both.',
  request: { params: projectParams, query: linksQuery, headers: conditional },
  responses: { 200: json('The links.', linksSchema, ...successHeaders), ...notModified(...dataHeaders) },
  codes: ['rate_limited', 'question_too_large'],
})

export function addBrokenLinksRoute(app: App, deps: AppDeps, context: ExportContext): void {
  app.use('/v1/analytics/:projectId/broken-pages/links', findProject(deps.projects))
  app.openapi(route, (c) => {
    const { path: asked, ...others } = c.req.valid('query')
    const query = withFilters(others)
    // One that is too long in normal form is no page.
    const path = normalisePath(asked) ?? asked
    return respond(c, context, { form: `broken-pages/links ${path}`, query }, async (prepared, signal) => {
      const { suggestion = null, ...found } = await readBrokenLinks(prepared, path, signal)
      return () => c.json({ ...found, suggestion }, 200)
    })
  })
}
