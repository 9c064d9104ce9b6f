// Tools on jobs: what runs, what it changed, and how to start one or answer it.

import { z } from 'zod'
import { startOf } from '../../lib/plain-text.ts'
import { tool, withQuery } from '../tool.ts'
import { cursor, jobId, limit, line, offset, projectId } from './arguments.ts'

const job = z.strictObject({ projectId, jobId })
type JobAddress = z.output<typeof job>

function pathOf({ projectId, jobId }: JobAddress): string {
  return `/v2/agent/${projectId}/job/${jobId}`
}

type ListedJob = {
  readonly [Name in 'id' | 'status' | 'phase' | 'outcome' | 'prLink' | 'error' | 'createdAt' | 'updatedAt']: unknown
} & { readonly result: { readonly title: string } | null }

export const listJobs = tool({
  name: 'list_jobs',
  title: 'List jobs',
  description: 'Lists the jobs of a project, the newest first, each with its status, outcome and pull request.',
  scope: 'read',
  rest: 'Ask again with a smaller limit.',
  input: z.strictObject({
    projectId,
    status: z.enum(['active', 'completed', 'failed', 'archived']).optional(),
    limit: limit(50, 20),
    cursor,
  }),
  call: ({ projectId, ...query }) => ({ method: 'GET', path: withQuery(`/v2/agent/${projectId}/jobs`, query) }),
  show: (response) => {
    const { jobs, nextCursor } = response as { readonly jobs: readonly ListedJob[]; readonly nextCursor: unknown }
    const shown = jobs.map(({ id, status, phase, outcome, result, prLink, error, createdAt, updatedAt }) => {
      return { id, status, phase, outcome, title: result?.title ?? null, prLink, error, createdAt, updatedAt }
    })
    return { jobs: shown, nextCursor }
  },
})

export const getJob = tool({
  name: 'get_job',
  title: 'Get a job',
  description:
    'Returns a job. While status is active it still works: wait and ask again, every 10 seconds or slower. With outcome needs_input, result has a question: answer with send_message. prLink is the pull request.',
  scope: 'read',
  rest: '`docent job show JOB_ID --json` prints the whole job.',
  input: job,
  call: (input) => ({ method: 'GET', path: pathOf(input) }),
})

const prompt = line(
  50_000,
  'The instruction, in plain words: name pages, facts and limits. The agent sees nothing of this chat.',
)

const idempotencyKey = z
  .string()
  .regex(/^[\u0021-\u007e]{1,255}$/, 'must have 1 to 255 visible ASCII characters without spaces')
  .describe(
    'A new unique value for each request, such as a UUID. If a call fails or its result is lost, repeat it with the same value: the work is done once.',
  )

const model = line(200, 'provider/model, of those that the project allows. Default: that of the project.').optional()
const sources = z.array(line(40, 'The name of a source.')).max(20)
const context = sources.optional().describe('The sources that the job reads. Default: all of the project.')

export const startJob = tool({
  name: 'start_job',
  title: 'Start a job',
  description:
    'Starts a job: an agent edits the documentation repository of the project and opens a pull request. Returns the job at once, while it is active: follow it with get_job. A job costs money, and its pull request is seen by people: start one only when the user wants it.',
  scope: 'write',
  rest: 'Ask get_job.',
  input: z.strictObject({
    projectId,
    prompt,
    idempotencyKey,
    model,
    context,
    branch: line(250, 'The base branch. Default: that of the project.').optional(),
    draft: z.boolean().optional().describe('Whether the pull request is a draft. Default: as the project says.'),
  }),
  call: ({ projectId, idempotencyKey, ...body }) => {
    return { method: 'POST', path: `/v2/agent/${projectId}/job`, body, headers: { 'Idempotency-Key': idempotencyKey } }
  },
})

export const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message to a job',
  description:
    'Answers the question of a job, or asks it for more on the same branch and pull request. A completed or failed job becomes active again. Returns at once.',
  scope: 'write',
  rest: 'Ask get_job.',
  input: z.strictObject({ ...job.shape, prompt, idempotencyKey, model, context }),
  call: ({ projectId, jobId, idempotencyKey, ...body }) => ({
    method: 'POST',
    path: `${pathOf({ projectId, jobId })}/message`,
    body,
    headers: { 'Idempotency-Key': idempotencyKey },
  }),
})

type Diff = { readonly files: readonly (Readonly<Record<string, unknown>> & FileDiff)[] }
type FileDiff = { readonly path: string; readonly patch: string }

/** Characters of the diff of one file. */
const mostOfPatch = 30_000

export const getDiff = tool({
  name: 'get_diff',
  title: 'Get the diff of a job',
  description:
    'Returns what a job changed, by file, as unified diffs. Works without a pull request, too. With path, only that file, from the character offset on.',
  scope: 'read',
  rest: 'Ask for one file with path, and for the rest of it with offset.',
  input: z.strictObject({
    ...job.shape,
    path: line(4_096, 'Only the diff of this file.').optional(),
    offset: z.int().min(0).max(1e9).default(0).describe('Characters of the diff to skip; needs path.'),
  }),
  call: (input) => ({ method: 'GET', path: `${pathOf(input)}/diff.json` }),
  show: (response, { path, offset }) => {
    const { files } = response as Diff
    if (path === undefined) return { files }
    return {
      files: files
        .filter((file) => file.path === path)
        .map(({ patch, ...file }) => {
          const part = startOf(patch.slice(offset), mostOfPatch)
          const next = offset + part.length
          return { ...file, patch: part, nextOffset: next < patch.length ? next : null }
        }),
    }
  },
})

type Checks = Readonly<Record<string, unknown>> & { readonly findings: readonly { readonly state: string }[] }

export const getChecks = tool({
  name: 'get_checks',
  title: 'Get the checks of a job',
  description:
    'Returns the problems of the documentation that a job introduced and fixed, how much was judged, and what a reviewer must know. An error not_found before the first run was checked.',
  scope: 'read',
  rest: 'Ask again with a smaller limit, or with a state.',
  input: z.strictObject({
    ...job.shape,
    state: z.enum(['introduced', 'fixed', 'remaining']).optional().describe('Only findings in this state.'),
    limit: limit(100, 50),
    offset,
  }),
  call: (input) => ({ method: 'GET', path: `${pathOf(input)}/checks` }),
  show: (response, { state, limit, offset }) => {
    const { findings, ...rest } = response as Checks
    const wanted = findings.filter((finding) => state === undefined || finding.state === state)
    const end = offset + limit
    return { ...rest, findings: wanted.slice(offset, end), nextOffset: end < wanted.length ? end : null }
  },
})
