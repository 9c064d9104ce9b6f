// Failed checks of the forge on a commit of a job, as responses have them.

import { z } from '@hono/zod-openapi'
import { type ForgeChecksResponse, forgeChecksStates } from '../../../jobs/forge-checks/show.ts'
import { boolean, list, string, time } from '../../contract/fields.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'

/** A title, so that it may be null elsewhere. */
export const forgeChecksSchema = schemaOf<ForgeChecksResponse>()(
  z
    .object({
      state: namedEnum('ForgeChecksState', forgeChecksStates).openapi({
        description: '`given`: the agent got them in a message. `left`: people see to them; `reason` says why.',
      }),
      commit: string('The commit on which they failed.'),
      at: time('When the service found them.'),
      reason: string('A sentence for people; null for `given`.').nullable(),
      failed: list(
        z.object({
          name: string('Its name on the forge.'),
          link: string('Its page; null: it has no page.').nullable(),
          hasLog: boolean('Whether the agent got the end of its log: the service reads three of them.'),
        }),
        'The checks that failed.',
      ),
    })
    .openapi({ title: 'JobForgeChecks' }),
)
