// Jobs and messages, as requests and responses have them.

import { boolean, count, list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { type JobResult, maxPromptCharacters } from '../../../jobs/job.ts'
import type { JobPage } from '../../../jobs/list.ts'
import type { ListedJob } from '../../../jobs/listed.ts'
import type { Overview } from '../../../jobs/overview.ts'
import { type JobResponse, type MessageResponse, originKinds } from '../../../jobs/response.ts'
import { jobFailures } from '../../../lib/failure.ts'
import { integerParameter, text } from '../../contract/text.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'
import { forgeChecksSchema } from './forge-checks-schema.ts'
import { mergingSchema } from './merging-schema.ts'
import { remainingText } from './review-schemas.ts'
import { contextSchema, jobSourcesSchema } from './source-schemas.ts'
import { pagesReadSchema } from './pages-schemas.ts'

export const outcomes = ['pull_request', 'no_changes', 'needs_input', 'partial'] as const

const statusSchema = namedEnum('JobStatus', ['active', 'completed', 'failed', 'archived'])

/** One that the built-in model can do, so that the first request of a new user works. */
const examplePrompt = 'Fix the broken links'

const prompt = text({
  max: maxPromptCharacters,
  description:
    'The instruction for the agent: 1 to 50,000 characters (Unicode code points), not only white space, without NUL and lone surrogates.',
  example: examplePrompt,
})

/** `text`: at most `maxResultText` UTF-16 code units. */
export const resultSchema = schemaOf<JobResult>()(
  z
    .object({
      kind: namedEnum('ResultKind', ['change', 'no_change', 'question']),
      title: string('The title of a change; otherwise the first line of the text.'),
      text: string(
        'Markdown, at most 50,000 characters: the description of the change, the response or the question, and warnings of the service.',
      ),
      reply: string('Its answer to a person beside a change, not in the pull request.').nullable(),
    })
    .openapi('JobResult', {
      example: { kind: 'question', title: 'Which name is right?', text: 'Which name is right?', reply: null },
    }),
)

const model = text({
  max: 200,
  description: 'One that the project allows. Default: as before, or that of the project.',
}).optional()

export const promptSchema = z
  .object({
    prompt,
    model,
    context: contextSchema,
    branch: text({
      max: 250,
      description: 'The base of the new branch that the message starts.',
    }).optional(),
    draft: boolean('Whether the pull request of that branch is a draft.').optional(),
  })
  .openapi('Prompt', { example: { prompt: examplePrompt } })

export const newJobSchema = z
  .object({
    prompt,
    model,
    context: contextSchema,
    branch: text({ max: 250, description: 'The base branch. Default: that of the project.' }).optional(),
    draft: boolean('Whether the pull request is opened as a draft. Default: as the project says.').optional(),
  })
  .openapi('NewJob', { example: { prompt: examplePrompt } })

export const usageSchema = z
  .object({
    inputTokens: count('Tokens sent to the model.'),
    cachedInputTokens: count('Those that a provider had in its cache.'),
    outputTokens: count('Tokens that the model generated.'),
    costUsd: z.number().nullable().openapi({ description: 'Cost in US dollars; null if the price is not known.' }),
    turns: count('Turns of the model.'),
  })
  .openapi({ title: 'JobUsage' })

export const jobSchema = schemaOf<JobResponse>()(
  z
    .object({
      id: string('An opaque id.'),
      status: statusSchema.openapi({
        description:
          '`active`: the job waits or runs. `completed`: the last run ended well. `failed`: the last run ended with `error`. `archived`: the job is closed; see `archivedBy`.',
      }),
      source: z.object({
        repository: string('The full URL of the repository.'),
        ref: string('The branch that the agent works on.').nullable(),
      }),
      model: string('`provider/model`.'),
      prLink: string(
        'The address of the pull request. Null while the job is active, and if its branch contains no change.',
      ).nullable(),
      pullRequest: z
        .object({
          number: z.int().openapi({ minimum: 1, description: 'The number on its forge.' }),
          url: string('The address, also while the job is active.'),
          state: namedEnum('PullRequestState', ['open', 'merged', 'closed']),
          draft: z.boolean(),
          mergedAt: time('When it was merged; null if it is not merged, or the time is not known.').nullable(),
        })
        .nullable()
        .openapi({
          title: 'JobPullRequest',
          description:
            "The pull request of the job's branch, in the state that its forge last reported; null if there is no pull request. The service checks forges every minute at first, and less often later.",
        }),
      createdAt: time('When the job was created.'),
      archivedAt: time('When the job was archived; otherwise null.').nullable(),
      archivedBy: namedEnum('ArchivedBy', ['person', 'service']).nullable().openapi({
        description:
          'Who archived the job. `person`: the job accepts no more messages. `service`: the job was idle, and a message makes it active again.',
      }),
      updatedAt: time('When any field of the job last changed.'),
      phase: namedEnum('JobPhase', ['queued', 'preparing', 'editing', 'checking', 'publishing'])
        .nullable()
        .openapi({ description: 'The progress of an active job; null if it is not active.' }),
      outcome: namedEnum('JobOutcome', outcomes).nullable().openapi({
        description:
          '`pull_request` and `no_changes`: what the branch of the job holds. `needs_input`: the last run ended with a question, which `result` has; nothing of that run is published, and its edits are kept for the next run. `partial`: the last run ended at its budget, and its part is published as a draft. Null until the first run has ended.',
      }),
      result: resultSchema.nullable().openapi({
        description:
          'The last words of the agent; null while the job is active, after a failed run, and for jobs of earlier releases.',
      }),
      error: z
        .object({
          code: z
            .string()
            .openapi({ description: 'A stable code. New codes may be added.', examples: Object.keys(jobFailures) }),
          message: string('The cause and how to fix it, for people.'),
        })
        .nullable()
        .openapi({
          title: 'JobError',
          description: 'Why the job failed; otherwise null. The codes are listed under Errors.',
        }),
      usage: usageSchema.openapi({
        description:
          'The usage of all runs of the job, with answers that broke off (estimated if the provider did not report theirs).',
      }),
      origin: z
        .object({
          kind: namedEnum('AskerKind', originKinds),
          name: string('The name of the key, of the person or of the automation.'),
          link: z.string().nullable(),
          automationId: string('Only there if an automation created the job.').optional(),
          runId: string('The run of the automation. Only there if one created the job.').optional(),
        })
        .nullable()
        .openapi({ description: 'Who created the job; null for jobs of earlier releases.' }),
      checks: z
        .object({
          introduced: count('Problems that the branch has, and its base has not.'),
          fixed: count('Problems that the base has, and the branch has not.'),
          remaining: count(remainingText).nullable(),
          judgedAll: boolean('Whether all that the change touches was judged.'),
        })
        .nullable()
        .openapi({
          title: 'JobProblems',
          description:
            "The problems of the documentation on the job's branch, compared with its base; null if it was not checked.",
        }),
      merging: mergingSchema.nullable().openapi({
        description:
          'Whether the service merges the pull request, because its automation has `update: "merge"`, and what it waits for. null: people merge it, or nothing is known yet about its present commit.',
      }),
      forgeChecks: forgeChecksSchema.nullable().openapi({
        description:
          'The last checks of the forge that failed on a commit of the job and what became of them, if the project has `pullRequest.onFailedChecks: "fix"`; null: no such check failed.',
      }),
      sources: jobSourcesSchema,
      pagesRead: pagesReadSchema,
    })
    .openapi('Job', { example: exampleJob() }),
)

const listedSchema = schemaOf<ListedJob>()(
  z
    .object({
      ...jobSchema.shape,
      projectId: z.string(),
      prompt: string('The first 200 characters of the first message.'),
      seconds: count('The time that its runs took so far; null before the first one started.').nullable(),
    })
    .openapi('ListedJob', { example: exampleListed() }),
)

export const overviewSchema = schemaOf<Overview>()(
  z
    .object({
      asking: list(listedSchema, 'Completed jobs whose last run ended with a question. The newest first.'),
      failed: list(listedSchema, 'Jobs that failed in the last 14 days, except cancelled ones.'),
      waiting: list(
        listedSchema,
        'Completed jobs whose pull request is open, without a change for 3 days. The oldest first.',
      ),
      latest: list(listedSchema, 'The newest jobs.'),
      credentials: z
        .array(z.object({ projectId: z.string(), problem: z.string() }))
        .readonly()
        .openapi({
          description: 'Credentials whose last check found a problem. Empty without the scope `admin`.',
        }),
    })
    .openapi('Overview', {
      example: { asking: [], failed: [], waiting: [], latest: [exampleListed()], credentials: [] },
    }),
)

export const jobPageSchema = schemaOf<JobPage>()(
  z
    .object({
      jobs: z.array(listedSchema).readonly(),
      nextCursor: string('Pass it as `cursor` to get the next page; null on the last page.').nullable(),
    })
    .openapi('JobPage', { example: { jobs: [exampleListed()], nextCursor: null } }),
)

const messageSchema = schemaOf<MessageResponse>()(
  z
    .object({
      id: z.string(),
      prompt: z.string(),
      createdAt: time('When the message was sent.'),
      runId: string('The run that took the message; null while it waits.').nullable(),
    })
    .openapi('Message', { example: exampleMessage() }),
)

export const messagesSchema = z
  .object({
    messages: list(messageSchema, "All messages in order; the first one is the job's own prompt."),
  })
  .openapi('Messages', { example: { messages: [exampleMessage()] } })

export const jobListQuery = z.object({
  status: statusSchema.optional().openapi({ description: 'Return only jobs with this status.' }),
  limit: integerParameter({ min: 1, max: 100, fallback: 20, description: 'The number of jobs on a page.' }),
  cursor: string('The `nextCursor` of the previous page (opaque).').optional(),
})

function exampleMessage(): MessageResponse {
  return {
    id: 'msg_0123456789abcdefghij',
    prompt: examplePrompt,
    createdAt: '2026-11-20T09:00:00.000Z',
    runId: 'run_0123456789abcdefghij',
  }
}

function exampleListed(): ListedJob {
  return { ...exampleJob(), projectId: 'prj_0123456789abcdefghij', prompt: examplePrompt, seconds: 72 }
}

function exampleJob(): JobResponse {
  return {
    id: 'job_0123456789abcdefghij',
    status: 'completed',
    source: {
      repository: 'https://github.com/acme/docs.git',
      ref: 'docent/job_0123456789abcdefghij',
    },
    model: 'docent/rules',
    prLink: 'https://docs.example.com/pulls/0123456789abcdefghijkl',
    pullRequest: {
      number: 12,
      url: 'https://docs.example.com/pulls/0123456789abcdefghijkl',
      state: 'open',
      draft: false,
      mergedAt: null,
    },
    createdAt: '2026-11-20T09:00:00.000Z',
    archivedAt: null,
    archivedBy: null,
    updatedAt: '2026-11-20T09:01:12.000Z',
    phase: null,
    outcome: 'pull_request',
    result: {
      kind: 'change',
      title: 'Fix broken links',
      text: 'Two links lead to pages that exist now.',
      reply: null,
    },
    error: null,
    usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: null, turns: 4 },
    origin: { kind: 'api', name: 'Website', link: null },
    checks: { introduced: 0, fixed: 2, remaining: 41, judgedAll: true },
    merging: null,
    forgeChecks: null,
    sources: [
      {
        name: 'api',
        repository: 'https://github.com/acme/api.git',
        commit: '3f2c1d8e5a7b9c0d1e2f3a4b5c6d7e8f9a0b1c2d',
      },
    ],
    pagesRead: [],
  }
}

/** The same job right after it was created. */
export const activeJobExample: JobResponse = {
  ...exampleJob(),
  status: 'active',
  source: { ...exampleJob().source, ref: null },
  prLink: null,
  pullRequest: null,
  updatedAt: exampleJob().createdAt,
  phase: 'queued',
  outcome: null,
  result: null,
  checks: null,
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: null, turns: 0 },
}
