// The ready-made automations, as responses have them.

import { z } from '@hono/zod-openapi'
import { groupings } from '../../../automations/automation.ts'
import { needNames, readyNames } from '../../../automations/ready/kinds.ts'
import type { ReadyAutomation } from '../../../automations/ready/list.ts'
import { boolean, list, string } from '../../contract/fields.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { shownTrigger } from './schemas.ts'

export const readyAutomationsSchema = z
  .object({
    kinds: list(
      schemaOf<ReadyAutomation>()(
        z.object({
          kind: namedEnum('ReadyAutomationKind', readyNames),
          title: string('The name of a new one, unless another is given.'),
          description: string('One sentence: what it does.'),
          trigger: shownTrigger.openapi({ description: 'It starts a new one, unless another is given.' }),
          grouping: namedEnum('AutomationGrouping', groupings).openapi({
            description: 'That of a new one, unless another is given.',
          }),
          readsOutsiders: boolean('Whether its runs read words of outsiders, such as the addresses of page views.'),
          needs: list(namedEnum('AutomationNeed', needNames), 'Everything that a project must have.'),
          lacks: list(
            z.object({ need: namedEnum('AutomationNeed', needNames), message: string('It continues the title.') }),
            'Everything that this project does not have. Empty: it can be turned on.',
          ),
          options: list(z.object({ name: z.string(), about: z.string() }), 'Parts that a project can turn off.'),
          instructions: string('For a language model, without what the project adds.'),
        }),
      ),
      'The ready-made automations.',
    ),
  })
  .openapi('ReadyAutomations')
