// The ledger of a project, as the OpenAPI document describes it and as requests are checked.

import { z } from '@hono/zod-openapi'
import type { LedgerEntry } from '../../../automations/ledger/ledger.ts'
import { ledgerStates } from '../../../automations/ledger/states.ts'
import type { ShownRelease } from '../../../automations/releases/show.ts'
import { list, string, time } from '../../contract/fields.ts'
import { projectParams } from '../../contract/ids.ts'
import { operationsOn } from '../../contract/operation.ts'
import { body, json } from '../../contract/responses.ts'
import { exactObject, namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { integerParameter, text } from '../../contract/text.ts'
import { runSchema } from '../automations/schemas.ts'
import { idempotencyHeaders, idempotent, limitHeaders } from '../jobs/contract.ts'
import { jobSchema } from '../jobs/schemas.ts'

const operations = operationsOn('Automations')
const path = '/v1/projects/{projectId}/ledger'
const words = {
  source: 'The name of a source, or `.` for the repository of the project itself.',
  from: 'Only the commits after this one: a tag, a branch, a commit, a date or `last-tag` of the source. Needs `source`.',
  to: 'The last commit. Default: the newest one of the branch. Needs `from`.',
  state:
    '`documented`: a pull request of an automation is open or merged. `rejected`: people closed it, or archived the job instead of answering its question. `set_aside`: runs failed with it, or nobody answered a question, and people decide. `waiting`: for a run, or in one. `skipped`: it does not concern the docs, by its score or by the words of a model.',
}

const state = namedEnum('LedgerState', ledgerStates)

const query = z.object({
  source: text({ max: 40, description: `${words.source} Default: all.` }).optional(),
  from: text({ max: 200, description: words.from }).optional(),
  to: text({ max: 200, description: words.to }).optional(),
  state: state.optional().openapi({ description: words.state }),
  limit: integerParameter({ min: 1, max: 100, fallback: 50, description: 'The number of commits on a page.' }),
  cursor: string('The `nextCursor` of the previous page (opaque).').optional(),
})

const entrySchema = schemaOf<LedgerEntry>()(
  z
    .object({
      source: string('The name of the source; null: the repository of the project itself.').nullable(),
      commit: z.string(),
      subject: z.string(),
      author: z.string(),
      committedAt: time(),
      state: state.openapi({ description: words.state }),
      score: z.number().nullable().openapi({
        description: 'How likely it concerns the docs, from 0 to 1; null: it was not compared with the pages.',
      }),
      reason: string('Why it was skipped, set aside or rejected without a pull request; null otherwise.').nullable(),
      jobId: string('The job that has it, or had it last; null: no job had it.').nullable(),
      pullRequest: jobSchema.shape.pullRequest,
    })
    .openapi({ title: 'LedgerEntry' }),
)

const releaseSchema = schemaOf<ShownRelease>()(
  z
    .object({
      source: string('The name of the source; null: the repository of the project itself.').nullable(),
      tag: z.string(),
      commit: string('The commit that has the tag.'),
      since: string('The tag of the release before; null: there is no earlier one.').nullable(),
      text: string('The text of its commit status; null: nothing was said yet.').nullable(),
      saidAt: time().nullable(),
      problem: string('Why the forge refused the commit status, and what to do; null: it did not.').nullable(),
    })
    .openapi({ title: 'ReleaseStatus' }),
)

const count = z.int()

const ledgerSchema = z
  .object({
    entries: list(entrySchema, 'The newest first.'),
    counts: z.object({ documented: count, skipped: count, waiting: count, rejected: count, set_aside: count }).openapi({
      description: 'They count all commits of the source and the range, whatever the `state` of the page.',
    }),
    followers: z
      .object({
        count: z.int().openapi({ description: 'Automations that follow the source. 0: nothing is known about it.' }),
        unread: z
          .int()
          .openapi({ description: 'Those whose branch was not read yet, or could not be read at the last look.' }),
      })
      .openapi({ description: 'Without a follower, an empty list says nothing.' }),
    notFollowed: z.int().nullable().openapi({
      description: 'Commits of the range that no automation followed, so nothing is known; null without `from`.',
    }),
    releases: list(
      releaseSchema,
      'The newest release of each repository whose `releaseStatus` is on, once an automation has followed its changes.',
    ),
    savings: z
      .object({
        skipped: z.int().openapi({ description: 'Commits for which no model was asked.' }),
        tokens: z.int().nullable().openapi({
          description: 'The tokens that runs for them would have used, by the mean of the last 1,000 runs.',
        }),
        asked: z.int().openapi({ description: 'Commits that a person asked for after they were skipped.' }),
        missed: z.int().openapi({ description: 'Those of them that are documented now.' }),
      })
      .openapi({ description: 'How much the comparison before a model saved, and how often it was wrong.' }),
    threshold: z
      .object({
        value: z.number().openapi({ description: 'From this score on a commit concerns the docs.' }),
        usual: z.number().openapi({ description: 'That of projects in which people have not decided enough.' }),
        decided: z
          .int()
          .openapi({ description: 'How many commits people decided about by a merge; it counts from 20 on.' }),
      })
      .nullable()
      .openapi({ description: 'null without `source`.' }),
    nextCursor: string('Pass it as `cursor` to get the next page; null on the last page.').nullable(),
  })
  .openapi('Ledger')

export const getLedgerRoute = operations.get('read', path, {
  operationId: 'getLedger',
  summary: 'Get the ledger',
  description:
    'Returns the commits of the product that automations with the trigger `code` followed, each with its state: is it documented? With `from`, the source is read at its newest commit, which may take long the first time.',
  request: { params: projectParams, query },
  responses: { 200: json('A page of the ledger.', ledgerSchema) },
  codes: ['repository_unreachable', 'repository_unauthorized', 'repository_too_large', 'base_not_found'],
})

const lookSchema = exactObject({
  source: text({ max: 40, description: words.source, example: 'api' }),
  from: text({ max: 200, description: 'The commits after this one. Default: only the commit `to`.' }).optional(),
  to: text({ max: 200, description: 'The last commit.', example: '1f0c2d9' }),
}).openapi('LedgerLook')

export const lookRoute = operations.post('write', `${path}/look`, {
  operationId: 'lookAtCommits',
  summary: 'Ask for a run for commits',
  description:
    'Starts a run for commits that were skipped, set aside or rejected, whatever their score. The run begins when the automation has no other one. Jobs count against the limit of new jobs.',
  request: { params: projectParams, headers: idempotencyHeaders, body: body(lookSchema) },
  responses: { 202: json('The run.', runSchema, ...limitHeaders) },
  codes: [...idempotent, 'repository_unreachable', 'repository_unauthorized', 'repository_too_large', 'base_not_found'],
})
