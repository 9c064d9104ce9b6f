// The merge of a job's pull request by the service, as responses have it.

import { z } from '@hono/zod-openapi'
import { obstacleCodes } from '../../../jobs/merging/obstacles.ts'
import { type MergingResponse, mergingStates } from '../../../jobs/merging/show.ts'
import { list, string, time } from '../../contract/fields.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'

/** A title, so that it may be null elsewhere. */
export const mergingSchema = schemaOf<MergingResponse>()(
  z
    .object({
      state: namedEnum('MergingState', mergingStates).openapi({
        description:
          '`waiting`: for what `obstacles` say. `asked`: the forge was asked, and does not show the merge yet. `merged`: it was asked, and shows it.',
      }),
      commit: string('The commit that was checked: no other one is merged.'),
      askedAt: time('When the forge was last asked to merge it; null: never.').nullable(),
      obstacles: list(
        z.object({
          code: namedEnum('MergeObstacle', obstacleCodes),
          message: string('A sentence for people.'),
        }),
        'Why it is not merged. The forge is only asked when the service itself has no reason to wait, so there may be more.',
      ),
    })
    .openapi({ title: 'JobMerging' }),
)
