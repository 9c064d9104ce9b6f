// People and invitations, as requests and responses have them.

import { z } from '@hono/zod-openapi'
import type { Invitation } from '../../../people/invitations.ts'
import type { Person } from '../../../people/people.ts'
import { schemaOf } from '../../contract/schema-of.ts'
import { email, newPassword, personName, personObject, roleSchema } from '../session/schemas.ts'

const at = '2026-11-20T08:00:00.000Z'
const person = {
  id: 'per_0123456789abcdefghij',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'admin' as const,
  createdAt: at,
  lastSeenAt: at,
}
const invitation = {
  id: 'inv_0123456789abcdefghij',
  email: 'grace@example.com',
  role: 'editor' as const,
  invitedBy: 'Ada Lovelace',
  createdAt: at,
  expiresAt: '2026-11-27T08:00:00.000Z',
}

export const personSchema = schemaOf<Person>()(
  personObject
    .extend({
      createdAt: z.string().openapi({ format: 'date-time' }),
      lastSeenAt: z
        .string()
        .nullable()
        .openapi({ format: 'date-time', description: 'When the person was last here, to the minute.' }),
    })
    .openapi('Person', { example: person }),
)

export const peopleSchema = z
  .object({ people: z.array(personSchema).readonly().openapi({ description: 'The people by name.' }) })
  .openapi('People')

export const roleChangeSchema = z.object({ role: roleSchema }).openapi('RoleChange', { example: { role: 'editor' } })

const invitationObject = z.object({
  id: z.string(),
  email: z.string(),
  role: roleSchema,
  invitedBy: z.string().openapi({ description: 'The name of who invited.' }),
  createdAt: z.string().openapi({ format: 'date-time' }),
  expiresAt: z.string().openapi({ format: 'date-time' }),
})

export const invitationSchema = schemaOf<Invitation>()(invitationObject.openapi('Invitation', { example: invitation }))

export const shownInvitationSchema = schemaOf<Invitation & { readonly link: string }>()(
  invitationObject
    .extend({ link: z.string().openapi({ description: 'The link to send. It is never shown again.' }) })
    .openapi('CreatedInvitation', {
      example: {
        ...invitation,
        link: 'https://docent.example.com/invitation#0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
      },
    }),
)

export const invitationsSchema = z
  .object({
    invitations: z.array(invitationSchema).readonly().openapi({
      description: 'Those that were not accepted, the newest first. Inviting again renews one that has expired.',
    }),
  })
  .openapi('Invitations')

export const newInvitationSchema = z
  .object({ email, role: roleSchema.default('editor') })
  .openapi('NewInvitation', { example: { email: 'grace@example.com', role: 'editor' } })

export const acceptanceSchema = z
  .object({ name: personName, password: newPassword })
  .openapi('Acceptance', { example: { name: 'Grace Hopper', password: 'four plain words together' } })
