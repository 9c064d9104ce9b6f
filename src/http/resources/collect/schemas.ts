// Requests and responses of collecting and importing. Page views are parsed by hand (analytics/collect/parse.ts); their
// schemas are here for the OpenAPI document only.

import { boolean, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import type { AutomatedDay } from '../../../analytics/import/address/part-use.ts'
import type { LineFacts } from '../../../analytics/import/ids/line-facts.ts'
import type { Import } from '../../../analytics/import/import-records.ts'
import { importIdPattern } from '../../contract/ids.ts'
import { text } from '../../contract/text.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { daySchema } from '../reclassify/schemas.ts'

const id = z.string().max(200).optional().openapi({
  description: 'Your id of the page view. A page view with an id is stored once, however often you send it.',
})
const url = z.string().openapi({
  description:
    'Address of the page. Fragment and credentials are never stored, and of the query only the campaign: `utm_source`, `utm_medium`, `utm_campaign`, `utm_term`, `utm_content` and `ref`. `format=md` makes it Markdown, and the site in `utm_source` is the referring page if there is no other.',
  example: 'https://docs.example.com/quickstart',
})
const referrer = string(
  'Address of the referring page. Its host is stored; of a page view with status 404, also the path of the referring page if that is one of the project.',
).optional()

const title = string('Title of the page: one line, at most 200 characters are stored.').optional()

export const browserViewSchema = z
  .object({
    id,
    url,
    referrer,
    status: z.int().optional().openapi({ description: 'The HTTP status of the page, if the browser knows it.' }),
    title,
    optOut: boolean('True if the visitor asks not to be tracked.').optional(),
  })
  .openapi('BrowserPageView', {
    example: { url: 'https://docs.example.com/quickstart', referrer: 'https://docs.example.org' },
  })

export const pageViewSchema = z
  .object({
    id,
    timestamp: z.union([z.string(), z.number()]).openapi({
      description:
        'ISO 8601 with an offset, or milliseconds since 1970. Must be within the retention and at most 5 minutes in the future.',
    }),
    url: url.optional(),
    path: string('Use it instead of `url` when the project has no site.').optional(),
    userAgent: z.string().optional(),
    address: string('Address of the client. It is never stored.').optional(),
    visitorId: z
      .string()
      .max(200)
      .optional()
      .openapi({ description: 'Your id for the visitor. Only a keyed hash is stored.' }),
    referrer,
    country: string('Country of the visitor that your CDN names, as ISO 3166-1 has it: `DE`.').optional(),
    title,
    representation: namedEnum('Representation', ['html', 'markdown']).optional(),
    method: string('Only page views with GET are stored.').optional(),
    status: z.int().optional().openapi({ description: '2xx and 304 count as views, 404 as a broken page.' }),
    headers: z.record(z.string(), z.string()).optional(),
  })
  .openapi('PageView', {
    example: {
      id: '0b7d6f5e-5a0f-4a27-9f1c-3f7e0b0f2d11',
      timestamp: '2026-11-21T10:00:00Z',
      url: 'https://docs.example.com/quickstart.md',
      userAgent: 'Claude-User (claude-code/2.1.0)',
      address: '203.0.113.7',
      status: 200,
      headers: { accept: 'text/markdown, text/html, */*' },
    },
  })

const places = z.array(z.int().min(-1)).optional()

export const pageViewColumnsSchema = z
  .object({
    values: z.array(z.union([z.string(), z.record(z.string(), z.string())])).openapi({
      description: 'The texts and the objects with headers that rows have, each once.',
    }),
    given: z
      .object({
        id: z.array(z.string().nullable()).optional(),
        sameAs: z.array(z.array(z.string()).nullable()).optional().openapi({
          description: 'Up to 4 other ids: a page view that is stored under one of them is not stored again.',
        }),
        timestamp: z.array(z.union([z.string(), z.number()])),
        status: z.array(z.int().nullable()).optional(),
      })
      .openapi({ description: 'A value for each row; null if it has no such field.' }),
    places: z
      .object({
        url: places,
        path: places,
        userAgent: places,
        address: places,
        visitorId: places,
        referrer: places,
        country: places,
        title: places,
        representation: places,
        method: places,
        headers: places,
      })
      .openapi({ description: "The place of each row's value in `values`; -1 if it has no such field." }),
    lineIds: z.string().optional().openapi({
      description: 'Ids of lines of logs, for rows without `id`: 16 hexadecimal digits for each row, in one text.',
    }),
  })
  .openapi('PageViewColumns', {
    description: 'Page views as columns. All columns have the same length; the fields are those of `PageView`.',
    example: {
      values: ['https://docs.example.com/quickstart', 'Mozilla/5.0', '203.0.113.7', '203.0.113.8'],
      given: { timestamp: ['2026-11-21T10:00:00Z', '2026-11-21T10:00:03Z'] },
      places: { url: [0, 0], userAgent: [1, 1], address: [2, 3] },
    },
  })

export const collectedSchema = z
  .object({
    accepted: z.int().openapi({ description: 'Page views that are stored, including those stored before.' }),
    rejected: z
      .array(z.object({ index: z.int(), reason: z.string(), message: z.string() }))
      .readonly()
      .openapi({ description: 'Rejected page views, by their index in the request.' }),
  })
  .openapi('Collected', {
    example: {
      accepted: 1,
      rejected: [
        { index: 1, reason: 'not_a_page', message: 'The page view is rejected: the path is an asset, not a page.' },
      ],
    },
  })

export const newImportSchema = z
  .object({
    name: text({ max: 500, description: 'Name of the file.', example: 'access.log' }),
    format: text({ max: 50, description: 'Format of its lines.', example: 'combined' }),
    group: z.string().regex(importIdPattern, 'is invalid').optional().openapi({
      description:
        'The `group` of another import; by default, that of an unfinished import of the project. Imports of one group share their visitors.',
    }),
    host: text({
      max: 260,
      description: 'The host of lines without one; by default, that of the only site of the project.',
      example: 'docs.example.com',
    })
      .nullable()
      .optional(),
    fingerprint: text({
      max: 200,
      description: 'Identifies the file: the same file always has the same one.',
      example: 'sha256:0f3a',
    }),
  })
  .openapi('NewImport')

/** More days than any retention has. */
const mostDays = 4_000

const automatedDaySchema = schemaOf<AutomatedDay>()(
  z
    .object({
      day: daySchema("In the project's time zone."),
      pageViews: z.int().min(0).openapi({ description: 'Probably automated.' }),
      of: z.int().min(0).openapi({ description: 'Judged.' }),
    })
    .refine(({ pageViews, of }) => pageViews <= of, { path: ['pageViews'], message: 'must be at most `of`' })
    .openapi('AutomatedDay', { description: 'Page views with the user agent of a browser.' }),
)

export const finishedImportSchema = z
  .object({
    automated: z
      .array(automatedDaySchema)
      .max(mostDays, `must have at most ${mostDays.toLocaleString('en')} days`)
      .refine((days) => new Set(days.map(({ day }) => day)).size === days.length, 'must have each day once')
      .optional()
      .openapi({ description: 'Each day keeps the import that judged most of its page views.' }),
  })
  .openapi('FinishedImport')

const exampleImport = {
  id: 'imp_0123456789abcdefghij',
  group: 'imp_0123456789abcdefghij',
  name: 'access.log',
  format: 'combined',
  position: 0,
  accepted: 0,
  rejected: 0,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
  finishedAt: null,
}

export const importSchema = schemaOf<Import>()(
  z
    .object({
      id: z.string(),
      group: string('Imports of one group share their visitors.'),
      name: z.string(),
      format: z.string(),
      position: z.number().openapi({ description: 'Offset in the file, in bytes: everything before it is stored.' }),
      accepted: z.number(),
      rejected: z.number(),
      createdAt: time(),
      updatedAt: time(),
      finishedAt: time().nullable(),
    })
    .openapi('Import', {
      example: exampleImport,
    }),
)

export const openedImportSchema = importSchema
  .extend({
    lines: schemaOf<LineFacts>()(
      z.object({
        host: string('The host of lines without one; null if it is unknown.').nullable(),
        needsHost: boolean('Refuse lines that name no host: the project has several sites, and no `host` was given.'),
        idScope: string(
          'Part of the ids of lines that name no host, so that the same line under another host is another page view.',
        ),
        timeZone: string('That of the project.'),
        olderDays: z
          .object({ from: z.string().openapi({ format: 'date' }), to: z.string().openapi({ format: 'date' }) })
          .nullable()
          .openapi({ description: 'The first and the last day with page views under the ids of earlier releases.' }),
      }),
    ),
  })
  .openapi('OpenedImport', {
    example: {
      ...exampleImport,
      lines: { host: 'docs.example.com', needsHost: false, idScope: '', olderDays: null, timeZone: 'Europe/Berlin' },
    },
  })
