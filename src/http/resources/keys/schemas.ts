// Keys, as requests and responses have them.

import { list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { formatNetwork, parseNetwork } from '../../../lib/network.ts'
import { scopes } from '../../../projects/grants.ts'
import type { Key, ShownKey } from '../../../projects/keys.ts'
import { maxOverlapSeconds } from '../../../projects/rotate.ts'
import { projectIdPattern } from '../../contract/ids.ts'
import { expiry, text } from '../../contract/text.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'

const scopeSchema = namedEnum('Scope', scopes).openapi({
  description: '`write` implies `read`. `admin` implies both, and manages projects, sites and keys.',
})

const keyObject = z.object({
  id: z.string(),
  name: z.string(),
  scope: scopeSchema,
  projectIds: z
    .array(z.string())
    .readonly()
    .nullable()
    .openapi({ description: 'The projects that the key can see; null for all projects.' }),
  hint: string('The first and last characters of the key.'),
  state: namedEnum('KeyState', ['active', 'replaced', 'expired', 'revoked']).openapi({
    description:
      '`replaced`: the key was rotated and works until `expiresAt`. `expired` and `revoked` keys no longer work.',
  }),
  createdAt: time(),
  expiresAt: time('When the key expires; null if never.').nullable(),
  allowedAddresses: z
    .array(z.string())
    .readonly()
    .nullable()
    .openapi({ description: 'The IP addresses and networks that the key works from; null for any address.' }),
  lastUsedAt: time('When the key was last used, to the minute; null if never.').nullable(),
  revokedAt: time().nullable(),
  replacedBy: string('The id of the key that replaced this one in a rotation.').nullable(),
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

export const keySchema = schemaOf<Key>()(keyObject.openapi('Key', { example }))

export const createdKeySchema = schemaOf<ShownKey>()(
  keyObject
    .extend({ key: string('The key itself. It is never shown again.') })
    .openapi('CreatedKey', { example: { ...example, key: 'docent_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd3Mh7Oa' } }),
)

export const keysSchema = z
  .object({
    keys: list(keySchema, 'The newest keys first, including expired and revoked ones.'),
  })
  .openapi('Keys')

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

export const newKeySchema = exactObject({
  name: text({ max: 100, description: 'Who or what uses the key, for people.', example: 'CI' }),
  scope: scopeSchema.default('write'),
  projectIds: z
    .array(z.string().regex(projectIdPattern, 'is not the id of a project'))
    .min(1, 'must have at least 1 project, or be null')
    .max(1_000)
    .nullable()
    .default(null)
    .openapi({ description: 'The projects that the key can see; null for all projects.' }),
  expiresAt: expiry.default(null).openapi({ description: 'When the key expires; null if never.' }),
  allowedAddresses: z
    .array(network)
    .min(1, 'must have at least 1 address, or be null')
    .max(100)
    .nullable()
    .default(null)
    .openapi({ description: 'The IP addresses and networks that the key works from; null for any address.' }),
}).openapi('NewKey', {
  example: {
    name: 'CI',
    scope: 'write',
    projectIds: ['prj_0123456789abcdefghij'],
    expiresAt: '2027-02-18T00:00:00.000Z',
    allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'],
  },
})

export const rotationSchema = exactObject({
  overlapSeconds: z
    .int()
    .min(0, 'must be at least 0')
    .max(maxOverlapSeconds)
    .default(86_400)
    .openapi({ description: 'How long the old key keeps working: 0 to 604,800 seconds (7 days).', example: 3_600 }),
  expiresAt: expiry.optional().openapi({
    description:
      'When the new key expires; null for never. By default it lives as long as the old key was created for, but no longer than the key of the request.',
  }),
}).openapi('Rotation', { example: { overlapSeconds: 3_600 } })
