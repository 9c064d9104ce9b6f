// Sessions, the first account and passwords, as requests and responses have them.

import { boolean, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { roles } from '../../../people/roles.ts'
import { longest, shortest } from '../../../people/password.ts'
import type { OwnSession } from '../../../people/sessions.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { text } from '../../contract/text.ts'

export const roleSchema = z.enum(roles).openapi('Role', {
  description: '`viewer` reads. `editor` also works with jobs and pull requests. `admin` may do everything.',
})

export const personObject = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
})

const example = {
  id: 'per_0123456789abcdefghij',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'admin' as const,
}

export const sessionSchema = z
  .object({
    person: personObject.nullable().openapi({ description: 'Who is signed in; null: nobody.' }),
    expiresAt: time('When the session ends.').nullable(),
    setup: boolean('Is there no account yet? `docent serve` prints the link that creates it.'),
    transport: namedEnum('Transport', ['encrypted', 'loopback', 'plain']).openapi({
      description: 'How requests travel. Over `plain` http from another machine a password can be read on the way.',
    }),
    signIn: boolean('May people sign in over this connection?'),
  })
  .openapi('Session', {
    example: {
      person: example,
      expiresAt: '2026-12-20T08:00:00.000Z',
      setup: false,
      transport: 'encrypted',
      signIn: true,
    },
  })

export const ownSessionsSchema = z
  .object({
    sessions: z
      .array(
        schemaOf<OwnSession>()(
          z
            .object({
              id: z.string(),
              current: boolean('Is it the session of this request?'),
              userAgent: string('The name that the browser sent.'),
              createdAt: time(),
              lastSeenAt: time('To the minute.'),
              expiresAt: time(),
            })
            .openapi('OwnSession'),
        ),
      )
      .readonly(),
  })
  .openapi('OwnSessions')

/** The form that browsers check too: something, an @, and a domain. */
export const email = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\s@]{1,64}@[^\s@]+$/, 'is not an e-mail address')
  .openapi({
    description: 'An e-mail address. It gets mail only about the events that the person chooses.',
    example: 'ada@example.com',
  })

export const personName = text({ max: 100, description: 'The name that others see.', example: 'Ada Lovelace' })

/** Checked by `checkPassword`; this only bounds the request. */
export const newPassword = z
  .string()
  .max(1_000)
  .openapi({
    description: `${shortest} to ${longest} characters, and not one of the most common passwords.`,
    example: 'four plain words together',
  })

const anyPassword = z.string().max(1_000).openapi({ example: 'four plain words together' })

export const signInSchema = z.object({ email: z.string().max(200), password: anyPassword }).openapi('SignIn', {
  example: { email: 'ada@example.com', password: 'four plain words together' },
})

export const setupSchema = exactObject({
  token: z.string().max(100).openapi({ description: 'The token of the link that `docent serve` printed.' }),
  email,
  name: personName,
  password: newPassword,
}).openapi('Setup', {
  example: {
    token: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    password: 'four plain words together',
  },
})

export const passwordChangeSchema = exactObject({ currentPassword: anyPassword, password: newPassword }).openapi(
  'PasswordChange',
  {
    example: { currentPassword: 'four plain words together', password: 'another four plain words' },
  },
)

export const linkSchema = exactObject({
  token: z.string().max(100).openapi({ description: 'The token of the link.' }),
  password: newPassword.optional(),
}).openapi('SignInLink', {
  example: { token: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG', password: 'four plain words together' },
})
