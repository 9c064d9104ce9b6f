// People and invitations, as requests and responses have them.

import { list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import type { Invitation } from '../../../people/invitations.ts'
import type { Left, ListedPerson, Person } from '../../../people/people.ts'
import type { Key } from '../../../projects/keys.ts'
import { exactObject, schemaOf } from '../../contract/schema-of.ts'
import { keySchema } from '../keys/schemas.ts'
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

const wholePerson = personObject.extend({
  createdAt: time(),
  lastSeenAt: time('When the person was last here, to the minute.').nullable(),
})

const listedPersonSchema = schemaOf<ListedPerson>()(
  wholePerson
    .extend({
      limitedKey: z.object({ id: z.string(), name: z.string() }).nullable().openapi({
        description:
          'For an admin: the key with limits that the invitation or the role came from, in an earlier release or by a person who came from it. Remove the person, or confirm the role by giving it again.',
      }),
    })
    .openapi('Person', { example: { ...person, limitedKey: null } }),
)

const left = {
  keys: list(keySchema, 'Keys that still work: made by the person, or with one of these keys.'),
  withdrawnInvitations: z
    .array(z.string())
    .readonly()
    .openapi({
      description: 'The e-mail addresses of invitations that were withdrawn.',
      example: ['grace@example.com'],
    }),
}

type LeftResponse = Pick<Left, 'withdrawnInvitations'> & { readonly keys: readonly Key[] }

export const leftSchema = schemaOf<LeftResponse>()(z.object(left).openapi('RemovedPerson'))

export const changedPersonSchema = schemaOf<Person & LeftResponse>()(wholePerson.extend(left).openapi('ChangedPerson'))

export const peopleSchema = z.object({ people: list(listedPersonSchema, 'The people by name.') }).openapi('People')

export const roleChangeSchema = exactObject({ role: roleSchema }).openapi('RoleChange', { example: { role: 'editor' } })

const invitationObject = z.object({
  id: z.string(),
  email: z.string(),
  role: roleSchema,
  invitedBy: string('The name of who invited.'),
  createdAt: time(),
  expiresAt: time(),
})

export const invitationSchema = schemaOf<Invitation>()(invitationObject.openapi('Invitation', { example: invitation }))

export const shownInvitationSchema = schemaOf<Invitation & { readonly link: string }>()(
  invitationObject.extend({ link: string('The link to send. It is never shown again.') }).openapi('CreatedInvitation', {
    example: {
      ...invitation,
      link: 'https://docent.example.com/invitation#0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
    },
  }),
)

export const invitationsSchema = z
  .object({
    invitations: list(
      invitationSchema,
      'Those that were not accepted, the newest first. Inviting again renews one that has expired.',
    ),
  })
  .openapi('Invitations')

export const newInvitationSchema = exactObject({ email, role: roleSchema.default('editor') }).openapi('NewInvitation', {
  example: { email: 'grace@example.com', role: 'editor' },
})

export const acceptanceSchema = exactObject({ name: personName, password: newPassword }).openapi('Acceptance', {
  example: { name: 'Grace Hopper', password: 'four plain words together' },
})
