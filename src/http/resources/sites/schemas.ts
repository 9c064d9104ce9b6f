// Sites, as requests and responses have them.

import { list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { type Site, toOrigin } from '../../../projects/sites.ts'
import { text } from '../../contract/text.ts'
import { schemaOf } from '../../contract/schema-of.ts'

const words = {
  origins: 'The web origins that page views may come from.',
  honoursOptOut: 'Whether Global Privacy Control and Do Not Track are honoured.',
}

const siteSchema = z.object({
  id: string('A public id: the pages of the site contain it.'),
  name: z.string(),
  origins: z.array(z.string()).readonly().openapi({ description: words.origins }),
  honoursOptOut: z.boolean().openapi({ description: words.honoursOptOut }),
  createdAt: time(),
  updatedAt: time(),
})

const example = {
  id: 'site_0123456789abcdefghij',
  name: 'docs.example.com',
  origins: ['https://docs.example.com'],
  honoursOptOut: false,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
}

export const shownSiteSchema = schemaOf<Site>()(siteSchema.openapi('Site', { example }))

export const sitesSchema = z.object({ sites: list(shownSiteSchema, 'The sites by name, then by id.') }).openapi('Sites')

const origin = z
  .string()
  .max(300)
  .transform((value, context) => {
    const origin = toOrigin(value)
    if (origin !== undefined) return origin
    context.addIssue({ code: 'custom', message: 'is not a web origin such as https://docs.example.com' })
    return z.NEVER
  })
  .openapi({ type: 'string', example: 'https://docs.example.com' })

const name = text({ max: 100, description: 'A name for people.', example: 'docs.example.com' })
const origins = z.array(origin).min(1, 'must have at least 1 origin').max(100).openapi({ description: words.origins })
const honoursOptOut = z.boolean().openapi({ description: words.honoursOptOut })

export const newSiteSchema = z.object({ name, origins, honoursOptOut: honoursOptOut.default(false) }).openapi('NewSite')

export const siteChangeSchema = z
  .object({
    name: name.optional(),
    origins: origins.optional(),
    honoursOptOut: honoursOptOut
      .nullable()
      .transform((value) => value ?? false)
      .optional()
      .openapi({ type: ['boolean', 'null'], description: `${words.honoursOptOut} null means false.` }),
  })
  .openapi('SiteChange', { example: { honoursOptOut: true } })
