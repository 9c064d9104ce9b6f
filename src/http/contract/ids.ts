// The ids in paths. A malformed id is treated like an unknown one, and never reaches a store.

import { z } from '@hono/zod-openapi'

export const projectIdPattern = /^prj_[0-9a-z]{20}$/
const jobIdPattern = /^job_[0-9a-z]{20}$/
export const importIdPattern = /^imp_[0-9a-z]{20}$/

const projectId = z.string().regex(projectIdPattern).openapi({
  description: 'The id of the project.',
  example: 'prj_0123456789abcdefghij',
})

export const projectParams = z.object({ projectId })

export const jobParams = z.object({
  projectId,
  id: z
    .string()
    .regex(jobIdPattern)
    .openapi({ description: 'The id of the job.', example: 'job_0123456789abcdefghij' }),
})

export const pullParams = z.object({
  projectId,
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number)
    .openapi({ type: 'integer', minimum: 1, description: 'The number of the pull request.', example: 1 }),
})

export const siteParams = z.object({
  projectId,
  siteId: z
    .string()
    .regex(/^site_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the site.', example: 'site_0123456789abcdefghij' }),
})

export const importParams = z.object({
  projectId,
  importId: z
    .string()
    .regex(importIdPattern)
    .openapi({ description: 'The id of the import.', example: 'imp_0123456789abcdefghij' }),
})

export const keyParams = z.object({
  keyId: z
    .string()
    .regex(/^key_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the key, not the key itself.', example: 'key_0123456789abcdefghij' }),
})

export const tokenPattern = /^[\w-]{22}$/

/** The schema accepts any text, so that a broken link leads to a page and not to a problem in JSON. */
export const tokenParams = z.object({
  token: z.string().openapi({ description: 'The secret part of the link.', example: '0123456789abcdefghijkl' }),
})

export const personParams = z.object({
  personId: z
    .string()
    .regex(/^per_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the person.', example: 'per_0123456789abcdefghij' }),
})

export const sessionParams = z.object({
  sessionId: z
    .string()
    .regex(/^ses_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the session.', example: 'ses_0123456789abcdefghij' }),
})

export const invitationParams = z.object({
  invitationId: z
    .string()
    .regex(/^inv_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the invitation.', example: 'inv_0123456789abcdefghij' }),
})

export const invitationTokenParams = z.object({
  token: z
    .string()
    .regex(/^[0-9A-Za-z]{43}$/)
    .openapi({ description: 'The secret part of the link.', example: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' }),
})

export const shareParams = z.object({
  projectId,
  shareId: z
    .string()
    .regex(/^shr_[0-9a-z]{20}$/)
    .openapi({ description: 'The id of the shared link.', example: 'shr_0123456789abcdefghij' }),
})
