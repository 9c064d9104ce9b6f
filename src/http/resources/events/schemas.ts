// The events of a job, as responses have them: one schema for each `type`.

import { count, list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import type { EventPage } from '../../../jobs/events/list.ts'
import type { EventResponse } from '../../../jobs/events/events.ts'
import { integerParameter } from '../../contract/text.ts'
import { outcomes, resultSchema } from '../jobs/schemas.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'

const outcome = namedEnum('JobOutcome', outcomes).nullable()
const tokens = {
  inputTokens: count('Tokens sent to the model.'),
  cachedInputTokens: count('Those that a provider had in its cache.'),
  outputTokens: count('Tokens that the model generated.'),
}
const error = z
  .object({ code: z.string(), message: z.string() })
  .nullable()
  .openapi({ description: 'Why it failed; otherwise null. The codes are listed under Errors.' })

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, description: string, shape: Shape) {
  return z
    .object({
      id: z.int().openapi({ minimum: 1, description: 'Counts 1, 2, 3 within the job, without gaps.' }),
      type: z.literal(type),
      createdAt: time(),
      runId: string('The run that the event belongs to; otherwise null.').nullable(),
      ...shape,
    })
    .openapi({ title: toTitle(type), description })
}

/** `run_started` is `RunStartedEvent`. */
function toTitle(type: string): string {
  return `${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`
}

const message = event('message', 'A message was accepted.', {
  messageId: z.string(),
  prompt: string('The first 2,000 characters of the message.'),
})
const runStarted = event('run_started', 'A worker started a run.', {
  number: count('1 for the first run of the job.'),
  model: string('`provider/model`.'),
  budget: z
    .object({ turns: z.number(), tokens: z.number(), seconds: z.number(), costUsd: z.number().nullable() })
    .openapi({ description: 'The budget of the run. `costUsd` is null if there is no limit.' }),
})
const phase = event('phase', 'The job entered a phase.', {
  phase: namedEnum('JobPhase', ['queued', 'preparing', 'editing', 'checking', 'publishing']),
})
const progress = event('progress', 'The run waits for a check. At most one such event is added each second.', {
  phase: namedEnum('ProgressPhase', ['checking']),
  done: count('Files that were read.'),
  total: count('Files to read.'),
})
const turn = event('turn', 'The model completed a turn.', {
  number: count('1 for the first turn of the run.'),
  text: string('The first 16,000 characters of the text of the model.'),
  calls: z
    .array(z.object({ name: z.string(), input: string('The start of its JSON.') }))
    .readonly()
    .openapi({ description: 'The first 64 tool calls of the turn.' }),
  usage: z.object(tokens).openapi({ description: 'The usage of this turn.' }),
  total: z
    .object({ ...tokens, costUsd: z.number().nullable(), turns: count('Turns of the model.') })
    .openapi({ description: 'The usage of all runs of the job so far.' }),
})
const results = event('results', 'The tool calls of a turn were executed.', {
  turn: count('The number of the turn.'),
  results: z
    .array(
      z.object({
        tool: z.string(),
        isError: z.boolean(),
        summary: string('The first line of the result.'),
      }),
    )
    .readonly()
    .openapi({ description: 'The first 64 results, in the order of the calls.' }),
  changed: z
    .object({ files: count('Changed files.'), bytes: count('Their size now.') })
    .openapi({ description: 'The changes of the run so far.' }),
})
const context = event('context', 'From this turn on, the model reads less of earlier work.', {
  turn: count('The number of the turn.'),
  change: namedEnum('ContextChange', ['summarized', 'shortened']).openapi({
    description: '`summarized`: earlier runs of the job. `shortened`: older turns of this run.',
  }),
})
const runRetried = event(
  'run_retried',
  'The run failed for a reason that may be temporary. It waits, and is retried.',
  {
    code: z.string(),
    message: z.string(),
    waitSeconds: z.number().openapi({ description: 'The seconds from `createdAt` to the next try.' }),
  },
)
const warning = event(
  'warning',
  'The run succeeds, and a person should know this, such as a reviewer that the forge refused.',
  {
    message: string('The fact, and how to change it.'),
  },
)
const runEnded = event('run_ended', 'The run ended; it succeeded if `error` is null.', { error })
const jobEnded = event('job_ended', 'The job is no longer active. The stream ends after this event.', {
  status: namedEnum('JobEnd', ['completed', 'failed']),
  outcome,
  result: resultSchema.nullable().openapi({ description: 'The last words of the agent; null if the job failed.' }),
  prLink: z.string().nullable(),
  error,
})
const archived = event('archived', 'The job was archived.', {})

const eventSchema = schemaOf<EventResponse>()(
  z
    .discriminatedUnion('type', [
      message,
      runStarted,
      phase,
      progress,
      turn,
      results,
      context,
      runRetried,
      warning,
      runEnded,
      jobEnded,
      archived,
    ])
    .openapi('Event', {
      description: 'An event; `type` says which one. New types may be added: skip those that you do not know.',
    }),
)

const textPieceSchema = z
  .object({
    runId: z.string(),
    turn: count('The number of the turn.'),
    offset: count('The position of the piece in the text of the turn.'),
    text: z.string(),
  })
  .openapi('TextPiece', { description: 'A piece of the text of the model, while it is generated.' })

/** OpenAPI 3.1 cannot describe a stream; generators that know server-sent events take this for the `data` of one. */
export const streamedEventSchema = z.union([eventSchema, textPieceSchema]).openapi('StreamedEvent', {
  description: 'The `data` of one event of the stream: an `Event`, or a `TextPiece` if the event is named `text`.',
})

export const eventPageSchema = schemaOf<EventPage>()(
  z
    .object({
      events: list(eventSchema, 'The events in order.'),
      nextCursor: string('Pass it as `cursor` to get the next page; null if there are no more events now.').nullable(),
    })
    .openapi('EventPage', { example: examplePage() }),
)

const resume = {
  lastEventId: z.string().optional().openapi({
    description: 'Return only events after this id. The header `Last-Event-ID` takes precedence.',
    example: '12',
  }),
}

export const streamQuery = z.object(resume)

export const eventsQuery = z.object({
  ...resume,
  limit: integerParameter({ min: 1, max: 1_000, fallback: 100, description: 'The number of events on a page.' }),
  cursor: string('The `nextCursor` of the previous page (opaque).').optional(),
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
        text: '',
        calls: [{ name: 'search', input: '{"pattern":"Acme CLI"}' }],
        usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
        total: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: null, turns: 1 },
      },
    ],
    nextCursor: null,
  }
}
