// The events of a job as the API gives them: one schema a type, told apart by `type`.

import { z } from '@hono/zod-openapi'
import type { EventPage } from '../../../jobs/events/list.ts'
import type { EventView } from '../../../jobs/events/events.ts'
import { integerParameter } from '../../contract/text.ts'
import { schemaOf } from '../../contract/schema-of.ts'

const count = (description: string) => z.int().openapi({ minimum: 0, description })
const outcome = z.enum(['pull_request', 'no_changes']).nullable()
const tokens = { inputTokens: count('Tokens given to the model.'), outputTokens: count('Tokens that it gave.') }
const error = z
  .object({ code: z.string(), message: z.string() })
  .nullable()
  .openapi({ description: 'Why it failed, else null. The codes are in the tables of errors.' })

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, description: string, shape: Shape) {
  return z
    .object({
      id: z.int().openapi({ minimum: 1, description: '1, 2, … within the job, without gaps.' }),
      type: z.literal(type),
      createdAt: z.string().openapi({ format: 'date-time' }),
      runId: z.string().nullable().openapi({ description: 'The run that it belongs to; null when to none.' }),
      ...shape,
    })
    .openapi({ description })
}

const message = event('message', 'A message was accepted.', {
  messageId: z.string(),
  prompt: z.string().openapi({ description: 'Its beginning, 2,000 characters at most.' }),
})
const runStarted = event('run_started', 'A worker began to work on a run.', {
  number: count('1 for the first run of the job.'),
  model: z.string().openapi({ description: '`provider/model`.' }),
  budget: z
    .object({ turns: z.number(), tokens: z.number(), seconds: z.number(), costUsd: z.number().nullable() })
    .openapi({ description: 'What the run may spend; `costUsd` null: without a limit.' }),
})
const phase = event('phase', 'The job came into this phase.', {
  phase: z.enum(['queued', 'preparing', 'editing', 'checking', 'publishing']),
})
const turn = event('turn', 'The model answered.', {
  number: count('1 for the first turn of the run.'),
  text: z.string().openapi({ description: 'What it said; 16,000 characters at most.' }),
  calls: z
    .array(z.object({ name: z.string(), input: z.string().openapi({ description: 'The beginning of its JSON.' }) }))
    .readonly()
    .openapi({ description: 'The calls of tools that it made; the first 64.' }),
  usage: z.object(tokens).openapi({ description: 'Of this turn.' }),
  total: z
    .object({ ...tokens, costUsd: z.number().nullable(), turns: count('Answers of the model.') })
    .openapi({ description: 'What all runs of the job used so far.' }),
})
const results = event('results', 'The calls of a turn were run.', {
  turn: count('The number of the turn.'),
  results: z
    .array(
      z.object({
        tool: z.string(),
        isError: z.boolean(),
        summary: z.string().openapi({ description: 'The first line of what the tool answered.' }),
      }),
    )
    .readonly()
    .openapi({ description: 'In the order of the calls; the first 64.' }),
  changed: z
    .object({ files: count('Files.'), bytes: count('Their size now.') })
    .openapi({ description: 'What the run changed so far.' }),
})
const runRetried = event('run_retried', 'The run failed in a way that may pass, and is tried again.', {
  code: z.string(),
  message: z.string(),
  waitSeconds: z.number(),
})
const runEnded = event('run_ended', 'The run ended, well when `error` is null.', { error })
const jobEnded = event('job_ended', 'The job is not active any more. The stream ends behind it.', {
  status: z.enum(['completed', 'failed']),
  outcome,
  prLink: z.string().nullable(),
  error,
})
const archived = event('archived', 'The job was archived.', {})

export const eventSchema = schemaOf<EventView>()(
  z
    .discriminatedUnion('type', [message, runStarted, phase, turn, results, runRetried, runEnded, jobEnded, archived])
    .openapi('Event', { description: 'Told apart by `type`. More types may be added: skip what you do not know.' }),
)

export const eventPageSchema = schemaOf<EventPage>()(
  z
    .object({
      events: z.array(eventSchema).readonly().openapi({ description: 'In their order.' }),
      nextCursor: z.string().nullable().openapi({
        description: '`cursor` of the next page; null when no more are kept now. Later ones: `lastEventId`.',
      }),
    })
    .openapi('EventPage', { example: examplePage() }),
)

export const eventsQuery = z.object({
  lastEventId: z.string().optional().openapi({
    description: 'The last event that the caller has: only later ones are given. The header `Last-Event-ID` wins.',
    example: '12',
  }),
  limit: integerParameter({ min: 1, max: 1_000, fallback: 100, description: 'Events on a page of JSON.' }),
  cursor: z.string().optional().openapi({ description: '`nextCursor` of the page before; opaque. Of JSON alone.' }),
})

function examplePage(): EventPage {
  const own = (id: number, second: number) => ({
    id,
    createdAt: `2026-11-20T09:00:0${second}.000Z`,
    runId: 'run_0123456789abcdefghij',
  })
  return {
    events: [
      { ...own(4, 1), type: 'phase', phase: 'editing' },
      {
        ...own(5, 4),
        type: 'turn',
        number: 1,
        text: 'I look for the broken links.',
        calls: [{ name: 'search', input: '{"pattern":"guides/old"}' }],
        usage: { inputTokens: 3_120, outputTokens: 64 },
        total: { inputTokens: 3_120, outputTokens: 64, costUsd: 0.0069, turns: 1 },
      },
    ],
    nextCursor: null,
  }
}
