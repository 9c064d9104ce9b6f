// Keys as the API takes and gives them.

import { z } from '@hono/zod-openapi'
import { type createKey, type Key, scopes } from '../../projects/keys.ts'
import { projectIdPattern } from './ids.ts'
import { text } from './text.ts'
import { describesView } from './view.ts'

const scopeSchema = z
  .enum(scopes)
  .openapi({ description: '`write` implies `read`; `admin` implies both: projects, keys.' })

const keyObject = z.object({
  id: z.string(),
  name: z.string(),
  scope: scopeSchema,
  projectIds: z
    .array(z.string())
    .readonly()
    .nullable()
    .openapi({ description: 'The projects that it may see; null: all.' }),
  hint: z.string().openapi({ description: 'Beginning and end of the key.' }),
  createdAt: z.string().openapi({ format: 'date-time' }),
  lastUsedAt: z.string().nullable().openapi({ format: 'date-time', description: 'To the minute; null: never.' }),
  revokedAt: z.string().nullable().openapi({ format: 'date-time' }),
})

const keySchema = describesView<Key>()(keyObject.openapi('Key'))

export const createdKeySchema = describesView<Awaited<ReturnType<typeof createKey>>>()(
  keyObject
    .extend({ key: z.string().openapi({ description: 'The key itself: shown now and never again.' }) })
    .openapi('CreatedKey'),
)

export const keysSchema = z
  .object({ keys: z.array(keySchema).readonly().openapi({ description: 'Newest first, revoked ones too.' }) })
  .openapi('Keys')

export const newKeySchema = z
  .object({
    name: text({ max: 100, description: 'For people: who or what uses it.', example: 'CI' }),
    scope: scopeSchema.default('write'),
    projectIds: z
      .array(z.string().regex(projectIdPattern, 'is not the id of a project'))
      .min(1, 'must have at least 1 project, or be null')
      .max(1_000)
      .nullable()
      .default(null)
      .openapi({ description: 'The projects that it may see; null: all.' }),
  })
  .openapi('NewKey')
