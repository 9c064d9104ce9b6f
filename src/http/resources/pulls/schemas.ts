// Pull requests as responses have them: Docent's own, and those of jobs on a forge.

import { boolean, count, list, string, time } from '../../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import { forgeKinds } from '../../../forge/host.ts'
import type { PullNow, PullResponse } from '../../../forge/own/response.ts'
import { type CommentResponse, commentStates } from '../../../jobs/pulls/comments.ts'
import { sides } from '../../../jobs/files.ts'
import { text } from '../../contract/text.ts'
import { dayParameter } from '../analytics/parameters.ts'
import { namedEnum, schemaOf } from '../../contract/schema-of.ts'

const stateSchema = namedEnum('PullRequestState', ['open', 'merged', 'closed'])

const fields = {
  number: z.int().openapi({ minimum: 1, description: 'The number of the pull request on its forge.' }),
  forge: namedEnum('PullRequestForge', ['docent', ...forgeKinds]).openapi({
    description: "`docent`: Docent's own, which are merged and closed here. The others are merged and closed there.",
  }),
  jobId: z.string(),
  title: z.string(),
  body: string("Markdown: the agent's text, after `note`."),
  note: string(
    'Markdown: the beginning of `body` that the service wrote, because a reviewer must know it first. Empty if there is nothing, and for pull requests on a forge.',
  ),
  draft: boolean("Docent's own is a draft as long as it has a `note`."),
  branch: z.string(),
  base: string('The branch that the pull request merges into.'),
  state: stateSchema,
  link: string("The page of the pull request. Anyone with the link can read Docent's own."),
  headCommit: z.string(),
  mergeCommit: z.string().nullable(),
  mergedAt: time('When it was merged; null if it is not merged, or the time is not known.').nullable(),
  checkedAt: time(
    "When the forge last reported the state. Null for Docent's own, whose state is always current.",
  ).nullable(),
  checkError: z
    .object({ code: z.string(), message: z.string() })
    .readonly()
    .nullable()
    .openapi({ description: 'Why the last check of the forge failed; null if it succeeded.' }),
  createdAt: time(),
  updatedAt: time(),
}

const example = {
  number: 1,
  forge: 'docent',
  jobId: 'job_0123456789abcdefghij',
  title: 'Rename "Acme CLI" to "Acme Command"',
  body: 'Renamed in 3 files.',
  note: '',
  draft: false,
  branch: 'docent/job_0123456789abcdefghij',
  base: 'main',
  state: 'open',
  link: 'https://docs.example.com/pulls/0123456789abcdefghijkl',
  headCommit: '4f2c1d0b9a8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a',
  mergeCommit: null,
  mergedAt: null,
  checkedAt: null,
  checkError: null,
  createdAt: '2026-11-20T09:01:10.000Z',
  updatedAt: '2026-11-20T09:01:10.000Z',
}

export const pullSchema = schemaOf<PullResponse>()(z.object(fields).openapi('PullRequest', { example }))

const behindSchema = z
  .object({
    commits: count('Number of commits on the base that are missing on the branch.'),
    conflicts: list(z.string(), 'Files in which branch and base conflict, at most 100. If empty, they can be merged.'),
    checkedAt: time('When this was computed: at most a minute ago.'),
  })
  .readonly()
  .openapi('Behind')

const now = {
  behind: behindSchema.nullable().openapi({
    description:
      'How far the branch is behind its base. Null if the pull request is merged or closed, or if the repository does not respond within 20 seconds.',
  }),
}

const behindExample = { commits: 2, conflicts: [], checkedAt: '2026-11-20T09:30:00.000Z' }

export const pullNowSchema = schemaOf<PullNow>()(
  z.object({ ...fields, ...now }).openapi('PullRequestNow', { example: { ...example, behind: behindExample } }),
)

export const pullsSchema = z
  .object({
    pulls: list(pullSchema, 'The newest pull requests first, at most 1,000.'),
  })
  .openapi('PullRequests')

export const pullListQuery = z.object({
  state: stateSchema.optional().openapi({ description: 'Return only pull requests in this state.' }),
  mergedFrom: dayParameter(
    "Return only pull requests that were merged on this day or later, in the project's time zone. In a date-time, only the date counts, as written.",
  ),
  mergedTo: dayParameter('Return only pull requests that were merged before this day.'),
})

const atSchema = namedEnum('DiffSide', sides)
const lineSchema = z.int().openapi({ minimum: 1, description: 'The number of the line.' })

const exampleComment: CommentResponse = {
  id: 'cmt_0123456789abcdefghij',
  path: 'guides/install.md',
  line: 3,
  at: 'head',
  quote: 'Install Acme Command first.',
  text: 'Say which version.',
  author: 'Ada Lovelace',
  messageId: 'msg_0123456789abcdefghij',
  runId: null,
  state: 'waiting',
  createdAt: '2026-11-20T09:30:00.000Z',
}

export const commentSchema = schemaOf<CommentResponse>()(
  z
    .object({
      id: z.string(),
      path: z.string(),
      line: lineSchema,
      at: atSchema,
      quote: string('The line when the comment was written, at most 500 characters.'),
      text: z.string(),
      author: z.string(),
      messageId: string('The message to the job.'),
      runId: string('The run of the message; null while it waits.').nullable(),
      state: namedEnum('CommentState', commentStates).openapi({
        description: 'Does it wait, does a run work on it, is that run done, or did it fail without a response?',
      }),
      createdAt: time(),
    })
    .openapi('Comment', { example: exampleComment }),
)

export const commentsSchema = z
  .object({ comments: z.array(commentSchema).readonly() })
  .openapi('Comments', { example: { comments: [exampleComment] } })

export const newCommentSchema = z
  .object({
    path: text({ max: 4_096, description: 'A file of the repository.' }),
    line: z.int().min(1).max(10_000_000).openapi({ description: 'The number of the line.' }),
    at: atSchema.default('head').openapi({ description: '`base`: a line before the change.' }),
    text: text({ max: 10_000, description: 'The comment, at most 10,000 characters.' }),
  })
  .openapi('NewComment', { example: { path: 'guides/install.md', line: 3, text: 'Say which version.' } })
