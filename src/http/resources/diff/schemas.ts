// A change by file, as jobs and pull requests show it.

import { z } from '@hono/zod-openapi'
import type { PullPage } from '../../../forge/own/response.ts'
import { schemaOf } from '../../contract/schema-of.ts'

const fileDiffSchema = schemaOf<PullPage['files'][number]>()(
  z
    .object({
      path: z.string(),
      previousPath: z.string().nullable().openapi({ description: 'The path before a rename, else null.' }),
      status: z.enum(['added', 'modified', 'deleted', 'renamed']),
      binary: z.boolean(),
      additions: z.int().openapi({ minimum: 0, description: 'Lines added.' }),
      deletions: z.int().openapi({ minimum: 0, description: 'Lines deleted.' }),
      patch: z.string().openapi({
        description: 'Unified diff of this file with its header lines; empty when binary or left out for its size.',
      }),
    })
    .openapi('FileDiff'),
)

export const filesSchema = z.object({ files: z.array(fileDiffSchema).readonly() }).openapi('Diff')
