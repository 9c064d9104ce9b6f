// The transcript of a job, as responses have it.

import { boolean, count, list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import type { TranscriptPage } from '../../../jobs/transcript/read.ts'
import { integerParameter } from '../../contract/text.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'

const commit = (description: string) => z.string().nullable().openapi({ description })
const globs = z.array(z.string()).readonly()
/** Any JSON. */
const anything = z.unknown().openapi({ description: 'Whatever the model gave, as JSON.' })

const digestSchema = z
  .object({
    path: z.string(),
    mode: namedEnum('FileMode', ['100644', '100755']),
    sha256: string('SHA-256 of the content; null if the file is deleted.').nullable(),
  })
  .openapi('FileDigest', { description: 'A file as an edit left it, without its content.' })

export const transcriptRunSchema = z
  .object({
    id: z.string(),
    number: z.int().openapi({ minimum: 1, description: '1 for the first run of the job.' }),
    createdAt: time('When the run was added.'),
    baseCommit: commit('The commit of the base branch; null if the run did not begin to work.'),
    startCommit: commit('The commit that the turns of the run edit.'),
    commit: commit('The commit that the run made; null if it made no commit.'),
    branch: string('The branch of the commit.').nullable(),
    pathPolicy: z.object({ allow: globs, deny: globs, unprotect: globs, scope: globs }).nullable().openapi({
      description:
        'The path policy of the project when the run began, and the scope of its automation; null for runs of earlier releases.',
    }),
    carried: list(digestSchema, 'The unpublished edits of an earlier run that this one began with.'),
  })
  .openapi('TranscriptRun')

const responseSchema = z
  .object({
    text: z.string(),
    calls: z
      .array(z.object({ id: z.string(), name: z.string(), input: anything }))
      .readonly()
      .openapi({ description: 'The tool calls, with their whole input.' }),
    refusedCalls: z
      .array(z.object({ name: z.string(), input: anything, error: z.string() }))
      .readonly()
      .openapi({ description: 'Wrong calls, which were answered with an error and not executed.' }),
    model: string('`provider/model`.'),
    finishReason: string('Why the response ended, such as `tool-calls` or `length`.'),
    usage: z.object({
      inputTokens: count('Tokens sent to the model.'),
      cachedInputTokens: count('The part of them that the provider read from its cache.'),
      outputTokens: count('Tokens that the model generated.'),
      costUsd: z.number().nullable().openapi({ description: 'Cost in US dollars; null if the price is not known.' }),
    }),
  })
  .openapi('TranscriptResponse')

const resultSchema = z
  .object({
    callId: z.string(),
    tool: z.string(),
    text: string('The whole text that the model was given.'),
    isError: z.boolean(),
    facts: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({ description: 'Facts about the result, for programs; null if there is no fact. Fields may change.' }),
  })
  .openapi('TranscriptResult')

export const transcriptTurnSchema = z
  .object({
    runId: z.string(),
    run: z.int().openapi({ minimum: 1, description: 'The number of the run.' }),
    number: z.int().openapi({ minimum: 1, description: '1 for the first turn of the run.' }),
    createdAt: time('When the turn began.'),
    isRedacted: boolean('Whether a secret, or what looks like one, was removed from a text of the turn.'),
    input: z
      .array(
        z.object({
          notice: string(
            'The kind of a notice of the service, such as `new_run`; null for a message of a person.',
          ).nullable(),
          text: z.string(),
        }),
      )
      .readonly()
      .openapi({ description: 'The messages and notices that the model was given before this response.' }),
    response: responseSchema.nullable().openapi({ description: 'null until the model responded.' }),
    results: z
      .array(resultSchema)
      .readonly()
      .nullable()
      .openapi({ description: 'The results of the calls, in their order; null until they were executed.' }),
    edits: list(digestSchema, 'The files that the calls changed, as they were after the turn.'),
  })
  .openapi('TranscriptTurn')

export const transcriptPageSchema = schemaOf<TranscriptPage>()(
  z
    .object({
      runs: list(transcriptRunSchema, 'The runs of the turns on this page.'),
      turns: list(transcriptTurnSchema, 'In order of runs and turns.'),
      nextCursor: string('Pass it as `cursor` to get the next page; null if there are no more turns now.').nullable(),
      erasedAt: time(
        'When the turns so far were erased, because the project keeps transcripts for a limited time (`transcripts`); otherwise null.',
      ).nullable(),
    })
    .openapi('TranscriptPage', { example: examplePage() }),
)

export const transcriptQuery = z.object({
  limit: integerParameter({
    min: 1,
    max: 200,
    fallback: 50,
    description: 'The most turns on a page. A page with much text has fewer, but at least one.',
  }),
  cursor: string('The `nextCursor` of the previous page (opaque).').optional(),
  runId: z
    .string()
    .regex(/^run_[a-z0-9]{20}$/, 'must be the id of a run')
    .optional()
    .openapi({ description: 'Return only the turns of this run.' }),
  turn: z
    .string()
    .regex(/^\d{1,9}$/, 'must be the number of a turn')
    .transform(Number)
    .optional()
    .openapi({ type: 'integer', description: 'Return only this turn. Needs `runId`.' }),
})

function examplePage(): TranscriptPage {
  const runId = 'run_0123456789abcdefghij'
  const oid = '0123456789abcdef0123456789abcdef01234567'
  const createdAt = '2026-11-20T09:00:01.000Z'
  const call = { id: 'call_1', name: 'read_file', input: { path: 'docs/setup.md' } }
  const usage = { inputTokens: 2_100, cachedInputTokens: 0, outputTokens: 60, costUsd: 0.003 }
  return {
    runs: [
      {
        id: runId,
        number: 1,
        createdAt,
        baseCommit: oid,
        startCommit: oid,
        commit: null,
        branch: 'docent/job_0123456789abcdefghij',
        pathPolicy: { allow: [], deny: [], unprotect: [], scope: [] },
        carried: [],
      },
    ],
    turns: [
      {
        runId,
        run: 1,
        number: 1,
        createdAt,
        isRedacted: false,
        input: [{ notice: null, text: 'Fix the broken links' }],
        response: {
          text: '',
          calls: [call],
          refusedCalls: [],
          model: 'openai/gpt-5.4',
          finishReason: 'tool-calls',
          usage,
        },
        results: [
          {
            callId: call.id,
            tool: call.name,
            text: '[docs/setup.md: 1 line]\n1: # Setup',
            isError: false,
            facts: null,
          },
        ],
        edits: [],
      },
    ],
    nextCursor: null,
    erasedAt: null,
  }
}
