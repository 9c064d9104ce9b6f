// Whether GitLab would merge a merge request, and the merge of one commit. Jobs of pipelines, also those of other services, are
// statuses of the commit; the pipeline itself says whether more jobs will follow.

import { z } from 'zod'
import { askToMerge } from '../merging/answer.ts'
import { checkOf, mapKnown, readWhole } from '../merging/checks.ts'
import {
  type CheckState,
  type ForgeCheck,
  type HostMerging,
  type Known,
  known,
  type MergeOrder,
  type MergeState,
  unknown,
} from '../merging/merging.ts'
import { isStatus, parseReply } from '../parse.ts'
import { oid, text } from '../reply/shapes.ts'
import type { GitLab } from './gitlab.ts'
import { mergeRequestSchema, toHostedPull } from './merge-request.ts'

const pageSize = 100

export function createGitLabMerging(gitlab: GitLab): HostMerging {
  return {
    read: (number, signal) => read(gitlab, number, signal),
    merge: (order, signal) => merge(gitlab, order, signal),
  }
}

const readySchema = mergeRequestSchema.extend({
  has_conflicts: z.boolean().nullish(),
  /** Missing before GitLab 15.6. */
  detailed_merge_status: text(100).nullish(),
  merge_status: text(100).nullish(),
  head_pipeline: z.object({ sha: oid, status: text(50) }).nullish(),
})
type Ready = z.infer<typeof readySchema>

async function read(gitlab: GitLab, number: number, signal: AbortSignal): Promise<MergeState | undefined> {
  const reply = await ask(gitlab, { place: `merge_requests/${number}` }, signal)
  if (isStatus(reply, 404)) return undefined
  const row = parseReply(reply, readySchema, gitlab.asked.read)
  return {
    pull: toHostedPull(row, gitlab, await gitlab.ids(signal)),
    refusal: refusalOf(row),
    checks: await readChecks(gitlab, row, signal),
    changesRequested: await readReviewers(gitlab, number, signal),
    openThreads: await readThreads(gitlab, number, signal),
    method: undefined,
  }
}

/** The words of GitLab, `not_approved`, in a sentence. */
function refusalOf({ has_conflicts: conflicts, detailed_merge_status: detailed, merge_status: status }: Ready) {
  if (conflicts === true) return known('It conflicts with its base.')
  const word = detailed ?? status ?? ''
  if (['mergeable', 'can_be_merged'].includes(word)) return known(null)
  if (['unchecked', 'checking', 'preparing', 'approvals_syncing', 'cannot_be_merged_recheck', ''].includes(word)) {
    return unknown('GitLab has not found out yet whether it can be merged.')
  }
  return known(`GitLab says that it is not mergeable: ${word.replaceAll(/[^a-z]+/g, ' ')}.`)
}

const statusesSchema = z
  .array(z.object({ name: text(1_000), status: text(50), allow_failure: z.boolean().nullish() }))
  .max(pageSize)

async function readChecks(gitlab: GitLab, row: Ready, signal: AbortSignal): Promise<Known<readonly ForgeCheck[]>> {
  const statuses = await readPages(gitlab, `repository/commits/${row.sha ?? ''}/statuses`, statusesSchema, {
    what: 'the statuses of the commit',
    signal,
  })
  return mapKnown(statuses, (rows) => [
    ...rows.map((one) => checkOf(one.name, stateOf(one.status, one.allow_failure ?? false))),
    // Those of merged results are about another commit, and may be there before its jobs are.
    ...(row.head_pipeline ? pipelineOf(row, row.head_pipeline) : []),
  ])
}

function pipelineOf({ sha }: Ready, pipeline: NonNullable<Ready['head_pipeline']>): readonly ForgeCheck[] {
  const check = checkOf('pipeline', stateOf(pipeline.status, false))
  return pipeline.sha === sha || check.state !== 'green' ? [check] : []
}

/** A job that a person may start, and need not, is no reason to wait. */
function stateOf(status: string, isOptional: boolean): CheckState {
  if (status === 'success' || status === 'skipped' || (status === 'manual' && isOptional)) return 'green'
  return ['failed', 'canceled', 'canceling'].includes(status) ? 'red' : 'pending'
}

const reviewersSchema = z
  .array(z.object({ user: z.object({ username: text(300) }), state: text(50).nullish() }))
  .max(pageSize)

async function readReviewers(
  gitlab: GitLab,
  number: number,
  signal: AbortSignal,
): Promise<MergeState['changesRequested']> {
  const what = 'the reviewers'
  const all = await readPages(gitlab, `merge_requests/${number}/reviewers`, reviewersSchema, { what, signal })
  return mapKnown(all, (rows) => rows.flatMap((row) => (row.state === 'requested_changes' ? row.user.username : [])))
}

const discussionsSchema = z
  .array(
    z.object({
      notes: z.array(z.object({ resolvable: z.boolean().nullish(), resolved: z.boolean().nullish() })).max(10_000),
    }),
  )
  .max(pageSize)

async function readThreads(gitlab: GitLab, number: number, signal: AbortSignal): Promise<MergeState['openThreads']> {
  const what = 'the threads'
  const all = await readPages(gitlab, `merge_requests/${number}/discussions`, discussionsSchema, { what, signal })
  const isOpen = (note: { resolvable?: boolean | null | undefined; resolved?: boolean | null | undefined }) =>
    note.resolvable === true && note.resolved !== true
  return mapKnown(all, (rows) => rows.filter(({ notes }) => notes.some(isOpen)).length)
}

type Reading = { readonly what: string; readonly signal: AbortSignal }

function readPages<Row>(
  gitlab: GitLab,
  place: string,
  schema: z.ZodType<readonly Row[]>,
  { what, signal }: Reading,
): Promise<Known<readonly Row[]>> {
  return readWhole(what, async (page) => {
    const reply = await ask(gitlab, { place, query: { per_page: pageSize, page } }, signal)
    if (isStatus(reply, 403, 404)) return undefined
    const rows = parseReply(reply, schema, gitlab.asked.read)
    return { rows, next: rows.length === pageSize }
  })
}

type Asking = { readonly place: string; readonly query?: Readonly<Record<string, number>> }

function ask({ client, project }: GitLab, { place, query = {} }: Asking, signal: AbortSignal) {
  return client.ask({ method: 'GET', path: `${project}/${place}`, query }, signal)
}

/** GitLab refuses with 409 if the head is another commit. */
function merge({ client, project, asked }: GitLab, { number, head: sha }: MergeOrder, signal: AbortSignal) {
  const request = { method: 'PUT', path: `${project}/merge_requests/${number}/merge`, body: { sha } } as const
  return askToMerge({ client, asked: asked.pullRequests }, request, signal)
}
