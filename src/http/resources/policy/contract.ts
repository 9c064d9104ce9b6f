// The test of paths and texts against the policy of a project, as the OpenAPI document describes it and as requests are
// checked.

import { list, string } from '../../contract/fields.ts'
import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import type { Answer } from '../../../jobs/policy/ask/ask.ts'
import { fileRules } from '../../../jobs/policy/ask/judge-files.ts'
import { type PathVerdict, pathRules } from '../../../jobs/policy/judge-path.ts'
import { projectParams } from '../../contract/ids.ts'
import { body, json } from '../../contract/responses.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'

const mostPaths = 1_000
const mostFiles = 20
const mostCharacters = 500_000

const pathField = text({ max: 4_096, description: 'A path in the repository.', example: 'docs/package.json' })

function fileText(description: string) {
  const most = mostCharacters.toLocaleString('en-US')
  return z.string().max(mostCharacters, `must have at most ${most} characters`).openapi({ description })
}

const policyTestSchema = z
  .object({
    paths: z
      .array(pathField)
      .max(mostPaths, `must have at most ${mostPaths.toLocaleString('en-US')} paths`)
      .optional()
      .openapi({ description: 'Judged by their names alone.' }),
    files: z
      .array(
        z.object({
          path: pathField,
          text: fileText('The text of the file after the change.'),
          before: fileText(
            'The text before the change. Without it, that of the base counts, if a job has left the base here; else the file is new.',
          ).optional(),
        }),
      )
      .max(mostFiles, `must have at most ${mostFiles} files`)
      .refine((files) => new Set(files.map(({ path }) => path)).size === files.length, 'must have each path once')
      .optional()
      .openapi({ description: 'Judged as one change, each with its own verdict.' }),
  })
  .refine(({ paths = [], files = [] }) => paths.length + files.length > 0, {
    path: ['paths'],
    message: 'must have at least one path, or `files` one file',
  })
  .openapi('PolicyTest', {
    example: {
      paths: ['docs/index.md', 'docs/package.json'],
      files: [{ path: 'docs/start.md', text: '# Start\n\n<script>x()</script>\n' }],
    },
  })

type PolicyVerdicts = {
  readonly paths: readonly PathVerdict[]
  readonly files: Answer['files']
  readonly basis: Answer['basis'] | null
}

const message = string('The rule in words. They continue a sentence that begins with the path.')

const pathVerdictSchema = z
  .object({
    path: z.string(),
    result: namedEnum('PathResult', ['allowed', 'protected', 'denied']).openapi({
      description: '`protected`: only a glob of `pathPolicy.unprotect` that names the file would allow it.',
    }),
    rule: namedEnum('PathRule', pathRules).openapi({
      description:
        'The rule that decided: `never` (no setting allows the name), `deny`, `protected`, `allow`, `unprotect`, `shown` (allowed; a pull request that adds code to it is a draft that says so), or `default` (no rule matches).',
    }),
    glob: string('The glob that decided; null if no glob decided.').nullable(),
    message,
  })
  .openapi('PathVerdict')

const findingFields = {
  rule: namedEnum('FileRule', fileRules).openapi({
    description:
      'A rule of paths, or what the text has: a `secret`, `content` that no job may add, `code` that the build runs, code of a `page`, a `file` of tools, a `redirect`, an `include`, or something `expected`.',
  }),
  line: z.int().min(1).nullable().openapi({ description: 'In the text, from 1; null if it is about the path.' }),
  message,
  remedy: string('How a person could allow it; null if there is no way, or no need.').nullable(),
}

const fileVerdictSchema = z
  .object({
    path: z.string(),
    result: namedEnum('FileResult', ['allowed', 'shown', 'protected', 'denied', 'refused']).openapi({
      description:
        '`shown`: allowed, and the pull request is a draft that says so. `refused`: no job may add this content, or only with a setting that `remedy` names.',
    }),
    ...findingFields,
    findings: z.array(z.object(findingFields)).readonly().openapi({ description: 'Up to 50; the first one decided.' }),
    hosts: z
      .array(z.object({ host: z.string(), line: z.int().min(1) }))
      .readonly()
      .openapi({
        description: 'Other sites that the text leads to. The first lines of a pull request name those that are new.',
      }),
    more: z.int().min(0).openapi({ description: 'How many findings and hosts are not listed.' }),
  })
  .openapi('FileVerdict')

const basisSchema = z
  .object({
    commit: string('The commit of the base whose files are known; null: they are not at hand.').nullable(),
    message: string('The same in words, with what was not looked at.'),
  })
  .openapi('PolicyBasis')

const verdictsSchema = schemaOf<PolicyVerdicts>()(
  z
    .object({
      paths: list(pathVerdictSchema, 'One verdict for each of `paths`, in the order of the request.'),
      files: list(fileVerdictSchema, 'One verdict for each of `files`, in the order of the request.'),
      basis: basisSchema
        .nullable()
        .openapi({ description: 'The sources of the verdicts of `files`; null without files.' }),
    })
    .openapi('PolicyVerdicts', {
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
        files: [
          {
            path: 'docs/start.md',
            result: 'refused',
            rule: 'content',
            line: 3,
            message: 'adds a script',
            remedy: null,
            findings: [{ rule: 'content', line: 3, message: 'adds a script', remedy: null }],
            hosts: [],
            more: 0,
          },
        ],
        basis: { commit: null, message: 'Only what was sent, because no job has left the files of the base here.' },
      },
    }),
)

export const testPolicyRoute = operationsOn('Projects').post('read', '/v1/projects/{projectId}/policy/test', {
  operationId: 'testPolicy',
  summary: 'Test paths and texts against the policy',
  description:
    'Returns for each path whether a job may change it, and for each file what its text would get, with the rule and the line that decide. Needs the scope `read`. Each of `paths` is judged as a new file: names that are dangerous on some file system are refused, although an existing file with such a name can be edited. Nothing is fetched: `basis` says what the verdicts of files rest on. Files that take more than 15 seconds to judge are refused.',
  request: { params: projectParams, body: body(policyTestSchema) },
  responses: { 200: json('The verdicts.', verdictsSchema) },
})
