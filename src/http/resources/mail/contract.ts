// The operations on the mail that a person gets. They take the cookie of a session, and act on its person alone.

import { z } from '@hono/zod-openapi'
import type { MailFailure, MailSettings } from '../../../notifications/mail/settings.ts'
import { notificationTypes } from '../../../notifications/notification.ts'
import { list, string, time } from '../../contract/fields.ts'
import { projectIdPattern } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { body, json } from '../../contract/responses.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'

export type ShownMail = MailSettings & {
  /** Why this service sends no mail. */
  readonly problem: string | null
  readonly lastFailure: MailFailure | null
}

const words = {
  events: 'The types of events that the person gets by mail; empty: no mail.',
  projectIds: 'The projects whose events the person gets; null: all.',
}
const example = { events: ['job.failed', 'job.needs_input'], projectIds: null } satisfies MailSettings
const eventType = namedEnum('EventType', notificationTypes)

const mailSchema = schemaOf<ShownMail>()(
  z
    .object({
      events: list(eventType, words.events),
      projectIds: z.array(z.string()).readonly().nullable().openapi({ description: words.projectIds }),
      problem: string('Why this service sends no mail; null: it does.').nullable(),
      lastFailure: z
        .object({ at: time(), error: z.string() })
        .nullable()
        .openapi({ description: 'Why the newest mail has not arrived so far; null: it has, or there was no mail.' }),
    })
    .openapi('MailSettings', { example: { ...example, problem: null, lastFailure: null } }),
)

const mailChangeSchema = exactObject({
  events: z.array(eventType).max(100, 'must have at most 100 types').openapi({ description: words.events }),
  projectIds: z
    .array(z.string().regex(projectIdPattern, 'is not the id of a project'))
    .max(1_000, 'must have at most 1,000 ids')
    .nullable()
    .openapi({ description: words.projectIds }),
}).openapi('MailSettingsChange', { example })

const operations = operationsOn('People')

export const getMailRoute = operations.get('session', '/v1/session/mail', {
  operationId: 'getMailSettings',
  summary: 'Get your mail settings',
  description: 'Returns which events the person who is signed in gets by mail, and whether this service sends mail.',
  responses: { 200: json('The settings.', mailSchema) },
})

export const putMailRoute = operations.put('session', '/v1/session/mail', {
  operationId: 'putMailSettings',
  summary: 'Choose your mail',
  description:
    'Replaces which events the person who is signed in gets by mail, from now on. A mail that cannot be delivered is repeated over three days.',
  request: { body: body(mailChangeSchema) },
  responses: { 200: json('The settings.', mailSchema) },
})
