// The test of paths against the policy of a project, as the OpenAPI document describes it and as requests are checked.

import { operation } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import { type PathVerdict, pathRules } from '../../../jobs/policy/judge-path.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, guarded, json, problems, withBody } from '../../contract/responses.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'
import { readJson } from '../../request/body.ts'

const mostPaths = 1_000

const pathTestSchema = z
  .object({
    paths: z
      .array(text({ max: 4_096, description: 'A path in the repository.', example: 'docs/package.json' }))
      .min(1, 'must have at least one path')
      .max(mostPaths, `must have at most ${mostPaths.toLocaleString('en-US')} paths`),
  })
  .openapi('PathTest', { example: { paths: ['docs/index.md', 'docs/package.json'] } })

type PathVerdicts = { readonly paths: readonly PathVerdict[] }

const pathVerdictsSchema = schemaOf<PathVerdicts>()(
  z
    .object({
      paths: z
        .array(
          z.object({
            path: z.string(),
            result: namedEnum('PathResult', ['allowed', 'protected', 'denied']).openapi({
              description: '`protected`: only a glob of `pathPolicy.unprotect` that names the file would allow it.',
            }),
            rule: namedEnum('PathRule', pathRules).openapi({
              description:
                'The rule that decided: `never` (no setting allows the name), `deny`, `protected`, `allow`, `unprotect`, `shown` (allowed; a pull request that adds code to it is a draft that says so), or `default` (no rule matches).',
            }),
            glob: z.string().nullable().openapi({ description: 'The glob that decided; null if no glob decided.' }),
            message: z
              .string()
              .openapi({ description: 'The rule in words. They continue a sentence that begins with the path.' }),
          }),
        )
        .readonly()
        .openapi({ description: 'One verdict for each path, in the order of the request.' }),
    })
    .openapi('PathVerdicts', {
      example: {
        paths: [
          {
            path: 'docs/index.md',
            result: 'allowed',
            rule: 'default',
            glob: null,
            message: 'is allowed: no rule refuses it',
          },
          {
            path: 'docs/package.json',
            result: 'protected',
            rule: 'protected',
            glob: 'package.{json,json5,yaml}',
            message: 'is protected: a manifest or lock file of JavaScript',
          },
        ],
      },
    }),
)

export const testPolicyRoute = operation('read', {
  method: 'post',
  path: '/v1/projects/{projectId}/policy/test',
  operationId: 'testPolicy',
  tags: ['Projects'],
  summary: 'Test paths against the policy',
  description:
    'Returns for each path whether a job may change it, and which rule decides. Needs the scope `read`. Each path is judged as a new file: names that are dangerous on some file system are refused, although an existing file with such a name can be edited.',
  middleware: readJson,
  request: { params: projectParams, body: body(pathTestSchema) },
  responses: { 200: json('The verdicts.', pathVerdictsSchema), ...problems(...guarded, ...withBody) },
})
