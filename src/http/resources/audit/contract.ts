// The operation that lists who changed what.

import { boolean, list, string, time } from '../../contract/fields.ts'
import { operationsOn } from '../../contract/operation.ts'
import { z } from '@hono/zod-openapi'
import type { AuditEntry } from '../../../people/audit.ts'
import { projectIdPattern } from '../../contract/ids.ts'
import { json } from '../../contract/responses.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { integerParameter } from '../../contract/text.ts'

const entrySchema = schemaOf<AuditEntry>()(
  z
    .object({
      happenedAt: time(),
      actor: z
        .object({
          kind: namedEnum('ActorKind', ['person', 'key', 'operator', 'setup', 'invitation']).openapi({
            description: '`operator`: the command line on the machine of the service.',
          }),
          id: z.string(),
          name: string('The name at that time.'),
        })
        .openapi('Actor'),
      address: string('The IP address of the client.').nullable(),
      action: string('The operation, as in this document.'),
      projectId: z.string().nullable(),
      subject: string('The id of what was changed.').nullable(),
      fields: list(z.string(), 'The fields of the request, without their values.'),
      finished: boolean('false: under way, or the service was stopped in the middle; look whether it was made.'),
    })
    .openapi('AuditEntry', {
      example: {
        happenedAt: '2026-11-20T08:00:00.000Z',
        actor: { kind: 'person', id: 'per_0123456789abcdefghij', name: 'Ada Lovelace' },
        address: '192.0.2.7',
        action: 'updateProject',
        projectId: 'prj_0123456789abcdefghij',
        subject: 'prj_0123456789abcdefghij',
        fields: ['branch'],
        finished: true,
      },
    }),
)

export const listChangesRoute = operationsOn('Audit').get('all projects', '/v1/audit', {
  operationId: 'listChanges',
  summary: 'List changes',
  description: 'Returns who changed what, the newest first.',
  request: {
    query: z.object({
      projectId: z
        .string()
        .regex(projectIdPattern, 'is not the id of a project')
        .optional()
        .openapi({ description: 'Only changes of this project.' }),
      actorId: z.string().max(40).optional().openapi({ description: 'Only changes by this person or key.' }),
      limit: integerParameter({ min: 1, max: 100, fallback: 50, description: 'The most entries on a page.' }),
      cursor: z.string().max(100).optional().openapi({ description: 'The `nextCursor` of the page before.' }),
    }),
  },
  responses: {
    200: json(
      'A page of entries.',
      z
        .object({
          entries: z.array(entrySchema).readonly(),
          nextCursor: string('null: this is the last page.').nullable(),
        })
        .openapi('AuditPage'),
    ),
  },
})
