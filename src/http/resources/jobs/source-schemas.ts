// The sources of a job, as requests name them and responses have them.

import { z } from '@hono/zod-openapi'
import { mostSources } from '../../../projects/sources/sources.ts'
import { list, string } from '../../contract/fields.ts'
import { text } from '../../contract/text.ts'

export const contextSchema = z
  .array(text({ max: 40, description: 'The name of a source.' }))
  .max(mostSources)
  .openapi({ description: 'The names of the sources that the job needs. Default: as before, or all of the project.' })
  .optional()

export const jobSourcesSchema = list(
  z
    .object({
      name: z.string(),
      repository: z.string(),
      commit: string('Null if the last run could not read it and did without.').nullable(),
    })
    .openapi({ title: 'JobSource' }),
  'The repositories of the product that the last run read, each at one commit.',
)
