// The check of texts that somebody sends, as the OpenAPI document describes it and as requests are checked.

import { z } from '@hono/zod-openapi'
import { findingKindNames } from '../../../checks/finding.ts'
import type { CheckedTexts } from '../../../jobs/review/check-texts.ts'
import { count, list, string } from '../../contract/fields.ts'
import { projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { body, json } from '../../contract/responses.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'
import { coverageShape, lossSchema, toCoverage, type CoverageResponse } from '../jobs/review-schemas.ts'

const mostFiles = 20

const givenSchema = z
  .object({
    files: z
      .array(
        z.object({
          path: text({ max: 1_024, description: 'The path in the repository.', example: 'docs/start.md' }),
          text: z.string().nullable().openapi({ description: 'The text of the file; null: it is deleted.' }),
        }),
      )
      .min(1, 'must have at least one file')
      .max(mostFiles, `must have at most ${mostFiles} files`)
      .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'must have each path once')
      .openapi({ description: 'Checked as one change of the base branch.' }),
  })
  .openapi('GivenTexts', { example: { files: [{ path: 'docs/start.md', text: '# Start\n\n[Setup](setup.md)\n' }] } })

type Response = Omit<CheckedTexts, 'coverage' | 'findings'> & {
  readonly findings: readonly (Omit<CheckedTexts['findings'][number], 'suggestion'> & {
    readonly suggestion: string | null
  })[]
  readonly coverage: CoverageResponse
}

export function toCheckResponse({ findings, coverage, ...rest }: CheckedTexts): Response {
  return {
    ...rest,
    findings: findings.map(({ suggestion = null, ...finding }) => ({ ...finding, suggestion })),
    coverage: toCoverage(coverage),
  }
}

const responseSchema = schemaOf<Response>()(
  z
    .object({
      commit: string('The commit of the base branch that the files were compared with.'),
      introduced: count('Problems that the files would bring. Those that the project ignores count nowhere.'),
      fixed: count('Problems that they would fix.'),
      findings: list(
        z
          .object({
            path: string(
              'The path in the repository. It may be another file, such as one that links to a deleted page.',
            ),
            line: z.int().openapi({ minimum: 1, description: 'Counted from 1.' }),
            kind: namedEnum('FindingKind', findingKindNames),
            severity: namedEnum('Severity', ['breaking', 'wrong']),
            message: string('The problem, without a full stop. It continues the path.'),
            suggestion: string('The address or name that is probably meant; null if it is not clear.').nullable(),
          })
          .openapi('TextFinding'),
        'The first 200 of the problems that they would bring, by path and line.',
      ),
      losses: list(lossSchema, 'Headings, code and text that pages would lose.'),
      coverage: z
        .object(coverageShape)
        .openapi({ description: 'How much was judged of what the files touch, and why the rest was not.' }),
    })
    .openapi('CheckedTexts', {
      example: {
        commit: '095f46e2b7a94c1e0d5f3a8c6b7d9e0f1a2b3c4d',
        introduced: 1,
        fixed: 0,
        findings: [
          {
            path: 'docs/start.md',
            line: 3,
            kind: 'link',
            severity: 'wrong',
            message: 'links to setup.md, which does not exist',
            suggestion: 'guides/setup.md',
          },
        ],
        losses: [],
        coverage: { judged: 1, notJudged: [] },
      },
    }),
)

export const checkTextsRoute = operationsOn('Projects').post('read', '/v1/projects/{projectId}/check', {
  operationId: 'checkTexts',
  summary: 'Check texts',
  description:
    'Checks the documentation of the project as it would be with these files: links, anchors, navigation, frontmatter and syntax. Returns the problems that they would bring to the newest commit of the base branch. Needs the scope `read`. Nothing is stored, and no source is compared. The repository is fetched first; the first request for a repository may take long.',
  request: { params: projectParams, body: body(givenSchema) },
  responses: { 200: json('The problems.', responseSchema) },
  codes: ['repository_unreachable', 'repository_unauthorized', 'repository_too_large', 'base_not_found'],
})
