// Which pages of the documentation a change concerns, as the OpenAPI document describes the operation.

import { z } from '@hono/zod-openapi'
import type { AffectedPages } from '../../../jobs/affected-pages/read.ts'
import { boolean, list, string } from '../../contract/fields.ts'
import { projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { json } from '../../contract/responses.ts'
import { schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'

const name = (description: string) => text({ max: 200, description })

const query = z.object({
  source: text({
    max: 40,
    description: 'The name of a source. Default: the repository of the documentation.',
  }).optional(),
  from: name('The change begins after this one: a tag, a branch, a commit, a date or `last-tag`.'),
  to: name('The last commit of the change. Default: the newest one of the branch.').optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20).openapi({ description: 'The most pages.' }),
})

const schema = schemaOf<AffectedPages>()(
  z
    .object({
      concernsDocs: boolean('Whether the change concerns the documentation at all.'),
      score: z.number().openapi({ description: 'How likely it does, from 0 to 1.' }),
      from: string('The commit after which the change begins.'),
      to: string('Its last commit.'),
      pages: list(
        z
          .object({
            path: z.string(),
            score: z.number().openapi({ description: 'Above 0; only comparable within one response.' }),
            terms: list(z.string(), 'Those that the change and the page share, the most telling first.'),
          })
          .openapi({ title: 'AffectedPage' }),
        'The likeliest first.',
      ),
    })
    .openapi('Affected', {
      example: {
        concernsDocs: true,
        score: 0.84,
        from: '095f46e2b7a94c1e0d5f3a8c6b7d9e0f1a2b3c4d',
        to: 'c4d40d88a1b2c3d4e5f60718293a4b5c6d7e8f90',
        pages: [{ path: 'docs/options.md', score: 1.2, terms: ['--max-columns', 'ACME_MAX_COLUMNS'] }],
      },
    }),
)

export const getAffectedRoute = operationsOn('Sources').get('read', '/v1/projects/{projectId}/affected', {
  operationId: 'getAffected',
  summary: 'Rank affected pages',
  description:
    'Ranks the pages of the documentation that a change of the product concerns, by the terms that they share and, within one repository, by what changed together before. No model is asked. The repositories are read at their newest commits; the first request for a repository may take long.',
  request: { params: projectParams, query },
  responses: { 200: json('The pages.', schema) },
  codes: ['repository_unreachable', 'repository_unauthorized', 'repository_too_large', 'base_not_found'],
})
