// Keys as the API takes and gives them.

import { z } from '@hono/zod-openapi'
import { formatNetwork, parseNetwork } from '../../../lib/network.ts'
import { scopes } from '../../../projects/grants.ts'
import type { Key, ShownKey } from '../../../projects/keys.ts'
import { maxOverlapSeconds } from '../../../projects/rotate.ts'
import { projectIdPattern } from '../../contract/ids.ts'
import { text } from '../../contract/text.ts'
import { schemaOf } from '../../contract/schema-of.ts'

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
  state: z.enum(['active', 'replaced', 'expired', 'revoked']).openapi({
    description: '`replaced`: works on until `expiresAt`. `expired` and `revoked` open nothing.',
  }),
  createdAt: z.string().openapi({ format: 'date-time' }),
  expiresAt: z.string().nullable().openapi({ format: 'date-time', description: 'When it ends; null: never.' }),
  allowedAddresses: z
    .array(z.string())
    .readonly()
    .nullable()
    .openapi({ description: 'Addresses and networks that it may be used from; null: anywhere.' }),
  lastUsedAt: z.string().nullable().openapi({ format: 'date-time', description: 'To the minute; null: never.' }),
  revokedAt: z.string().nullable().openapi({ format: 'date-time' }),
  replacedBy: z.string().nullable().openapi({ description: 'The id of the key that a rotation made in its place.' }),
})

const example = {
  id: 'key_0123456789abcdefghij',
  name: 'CI',
  scope: 'write' as const,
  projectIds: ['prj_0123456789abcdefghij'],
  hint: 'docent_0123…h7Oa',
  state: 'active' as const,
  createdAt: '2026-11-20T08:00:00.000Z',
  expiresAt: '2027-02-18T08:00:00.000Z',
  allowedAddresses: ['192.0.2.0/24', '2001:db8::7'],
  lastUsedAt: null,
  revokedAt: null,
  replacedBy: null,
}

const keySchema = schemaOf<Key>()(keyObject.openapi('Key', { example }))

export const createdKeySchema = schemaOf<ShownKey>()(
  keyObject
    .extend({ key: z.string().openapi({ description: 'The key itself: shown now and never again.' }) })
    .openapi('CreatedKey', { example: { ...example, key: 'docent_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd3Mh7Oa' } }),
)

export const keysSchema = z
  .object({ keys: z.array(keySchema).readonly().openapi({ description: 'Newest first, those that ended too.' }) })
  .openapi('Keys')

const expiry = z.iso
  .datetime({ offset: true, message: 'must be a date and time with its offset, such as 2027-02-18T08:00:00Z' })
  .transform((text) => new Date(text))
  .refine((date) => date > new Date(), 'must be in the future')
  .nullable()

const network = z
  .string()
  .max(60)
  .transform((text, context) => {
    const network = parseNetwork(text)
    if (network) return formatNetwork(network)
    context.addIssue({ code: 'custom', message: 'is neither an IP address nor a network such as 192.0.2.0/24' })
    return z.NEVER
  })
  .openapi({ type: 'string', example: '192.0.2.0/24' })

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
    expiresAt: expiry
      .default(null)
      .openapi({ type: ['string', 'null'], format: 'date-time', description: 'When it ends; null: never.' }),
    allowedAddresses: z
      .array(network)
      .min(1, 'must have at least 1 address, or be null')
      .max(100)
      .nullable()
      .default(null)
      .openapi({ description: 'IP addresses and networks that it may be used from; null: anywhere.' }),
  })
  .openapi('NewKey', {
    example: {
      name: 'CI',
      scope: 'write',
      projectIds: ['prj_0123456789abcdefghij'],
      expiresAt: '2027-02-18T00:00:00.000Z',
      allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'],
    },
  })

export const rotationSchema = z
  .object({
    overlapSeconds: z
      .int()
      .min(0, 'must be at least 0')
      .max(maxOverlapSeconds)
      .default(86_400)
      .openapi({ description: 'How long the old key works on: 0 to 604,800 (7 days).', example: 3_600 }),
    expiresAt: expiry.optional().openapi({
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'When the new key ends; null: never. Left out: it lives as long as the old one was made for, and no longer than the key that asks.',
    }),
  })
  .openapi('Rotation', { example: { overlapSeconds: 3_600 } })
