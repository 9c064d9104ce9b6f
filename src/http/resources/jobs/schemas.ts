// Jobs, messages and diffs as the API takes and gives them.

import { z } from '@hono/zod-openapi'
import { maxPromptCharacters } from '../../../jobs/job.ts'
import type { JobPage } from '../../../jobs/list.ts'
import type { JobView, MessageView } from '../../../jobs/response.ts'
import { jobFailures } from '../../../lib/failure.ts'
import { integerParameter, text } from '../../contract/text.ts'
import { schemaOf } from '../../contract/schema-of.ts'

const statusSchema = z.enum(['active', 'completed', 'failed', 'archived'])
const time = (description: string) => z.string().openapi({ format: 'date-time', description })
const count = (description: string) => z.int().openapi({ minimum: 0, description })

export const promptSchema = z
  .object({
    prompt: text({
      max: maxPromptCharacters,
      description:
        'What the agent shall do. 1 to 50,000 characters (Unicode code points), not only white space, without NUL and lone surrogates.',
      example: 'Fix the broken links in the guides.',
    }),
  })
  .openapi('Prompt')

export const jobSchema = schemaOf<JobView>()(
  z
    .object({
      id: z.string().openapi({ description: 'Opaque.' }),
      status: statusSchema.openapi({
        description:
          '`active`: waits or runs. `completed`: the last run ended well. `failed`: it ended with `error`. `archived`: final.',
      }),
      source: z.object({
        repository: z.string().openapi({ description: 'Full address of the repository.' }),
        ref: z.string().nullable().openapi({ description: 'The branch that the agent works on.' }),
      }),
      model: z.string().openapi({ description: '`provider/model`.' }),
      prLink: z.string().nullable().openapi({
        description: 'Address of the pull request. Null while the job is active, and when its branch changes nothing.',
      }),
      createdAt: time('When the job was created.'),
      archivedAt: time('When it was archived; null before.').nullable(),
      updatedAt: time('When anything of this last changed.'),
      phase: z
        .enum(['queued', 'preparing', 'editing', 'checking', 'publishing'])
        .nullable()
        .openapi({ description: 'Where an active job is; null when it is not active.' }),
      outcome: z
        .enum(['pull_request', 'no_changes'])
        .nullable()
        .openapi({ description: "What the job's branch comes to against its base; null before the first run ended." }),
      error: z
        .object({
          code: z.string().openapi({ description: 'Stable; more may be added.', examples: Object.keys(jobFailures) }),
          message: z.string().openapi({ description: 'What went wrong and what to do about it. For people.' }),
        })
        .nullable()
        .openapi({
          description: 'Why the job failed, else null. The codes are in the tables of errors.',
        }),
      usage: z
        .object({
          inputTokens: count('Tokens given to the model.'),
          outputTokens: count('Tokens that the model gave.'),
          costUsd: z.number().nullable().openapi({ description: 'US dollars; null when no price is known.' }),
          turns: count('Answers of the model.'),
        })
        .openapi({ description: 'What all runs of the job used.' }),
      checks: z
        .object({
          introduced: count('Problems that the change introduced.'),
          fixed: count('Problems that the change fixed.'),
          remaining: count('Introduced problems that are left.'),
        })
        .nullable()
        .openapi({ description: "Problems in the docs that the job's branch introduced; null when not checked." }),
    })
    .openapi('Job', { example: exampleJob() }),
)

export const jobPageSchema = schemaOf<JobPage>()(
  z
    .object({
      jobs: z.array(jobSchema).readonly(),
      nextCursor: z.string().nullable().openapi({ description: '`cursor` of the next page; null on the last.' }),
    })
    .openapi('JobPage'),
)

const messageSchema = schemaOf<MessageView>()(
  z
    .object({
      id: z.string(),
      prompt: z.string(),
      createdAt: time('When it was sent.'),
      runId: z.string().nullable().openapi({ description: 'The run that took it; null while it waits.' }),
    })
    .openapi('Message'),
)

export const messagesSchema = z
  .object({
    messages: z
      .array(messageSchema)
      .readonly()
      .openapi({ description: "In order; the first is the job's own prompt." }),
  })
  .openapi('Messages')

export const jobListQuery = z.object({
  status: statusSchema.optional().openapi({ description: 'Only jobs in this state.' }),
  limit: integerParameter({ min: 1, max: 100, fallback: 20, description: 'Jobs on a page.' }),
  cursor: z.string().optional().openapi({ description: '`nextCursor` of the page before; opaque.' }),
})

function exampleJob(): JobView {
  return {
    id: 'job_0123456789abcdefghij',
    status: 'completed',
    source: {
      repository: 'https://github.com/acme/docs.git',
      ref: 'docent/job_0123456789abcdefghij',
    },
    model: 'docent/rules',
    prLink: 'https://docs.example.com/pulls/0123456789abcdefghijkl',
    createdAt: '2026-11-20T09:00:00.000Z',
    archivedAt: null,
    updatedAt: '2026-11-20T09:01:12.000Z',
    phase: null,
    outcome: 'pull_request',
    error: null,
    usage: { inputTokens: 18_230, outputTokens: 1_204, costUsd: null, turns: 6 },
    checks: null,
  }
}
