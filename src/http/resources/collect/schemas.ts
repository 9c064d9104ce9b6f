// Page views as the API takes them, and what it says of them. Page views are parsed by hand (analytics/
// parse-page-view.ts): their schemas here are for the document.

import { z } from '@hono/zod-openapi'
import type { Import } from '../../../analytics/import/import-records.ts'
import { importIdPattern } from '../../contract/ids.ts'
import { text } from '../../contract/text.ts'
import { schemaOf } from '../../contract/schema-of.ts'

const id = z.string().max(200).optional().openapi({ description: 'Makes sending it again harmless.' })
const url = z.string().openapi({
  description: 'Without its query, fragment and credentials: they are never kept.',
  example: 'https://docs.example.com/quickstart',
})
const referrer = z.string().optional().openapi({ description: 'Of it the host is kept.' })

export const browserViewSchema = z
  .object({
    id,
    url,
    referrer,
    optOut: z.boolean().optional().openapi({ description: 'Does the visitor ask not to be tracked?' }),
  })
  .openapi('BrowserPageView', {
    example: { url: 'https://docs.example.com/quickstart', referrer: 'https://docs.example.org' },
  })

export const pageViewSchema = z
  .object({
    id,
    timestamp: z.union([z.string(), z.number()]).openapi({
      description:
        'ISO 8601 with an offset, or milliseconds since 1970; within the retention, at most 5 minutes ahead.',
    }),
    url: url.optional(),
    path: z.string().optional().openapi({ description: 'In place of `url`; needs no site.' }),
    userAgent: z.string().optional(),
    address: z.string().optional().openapi({ description: 'Of the client; it is never stored.' }),
    visitorId: z
      .string()
      .max(200)
      .optional()
      .openapi({ description: 'Your word for the visitor; never kept as sent.' }),
    referrer,
    representation: z.enum(['html', 'markdown']).optional(),
    method: z.string().optional().openapi({ description: 'Only GET counts.' }),
    status: z.int().optional().openapi({ description: '2xx and 304 count; 404 is kept for the broken pages.' }),
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

export const collectedSchema = z
  .object({
    accepted: z.int().openapi({ description: 'Stored now, or before.' }),
    rejected: z
      .array(z.object({ index: z.int(), reason: z.string(), message: z.string() }))
      .readonly()
      .openapi({ description: 'By their place in the batch.' }),
  })
  .openapi('Collected', {
    example: {
      accepted: 1,
      rejected: [{ index: 1, reason: 'not_a_page', message: 'The page view is refused: it is an asset, not a page.' }],
    },
  })

export const newImportSchema = z
  .object({
    name: text({ max: 500, description: 'Of the file.', example: 'access.log' }),
    format: text({ max: 50, description: 'Of its lines.', example: 'combined' }),
    group: z
      .string()
      .regex(importIdPattern, 'is invalid')
      .optional()
      .openapi({ description: 'The `group` of an import whose visitors are told apart together with these.' }),
    fingerprint: text({ max: 200, description: 'The same for the same file.', example: 'sha256:0f3a' }),
  })
  .openapi('NewImport')

export const importSchema = schemaOf<Import>()(
  z
    .object({
      id: z.string(),
      group: z.string().openapi({ description: 'Imports of one group tell visitors apart together.' }),
      name: z.string(),
      format: z.string(),
      position: z.number().openapi({ description: 'Bytes of the file before which everything is stored.' }),
      accepted: z.number(),
      rejected: z.number(),
      createdAt: z.string().openapi({ format: 'date-time' }),
      updatedAt: z.string().openapi({ format: 'date-time' }),
      finishedAt: z.string().nullable().openapi({ format: 'date-time' }),
    })
    .openapi('Import', {
      example: {
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
      },
    }),
)
