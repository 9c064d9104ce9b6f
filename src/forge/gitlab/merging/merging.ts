// Whether GitLab would merge a merge request, and the merge of one commit.

import { z } from 'zod'
import { askToMerge } from '../../merging/answer.ts'
import { mapKnown } from '../../merging/checks.ts'
import { type HostMerging, known, type MergeOrder, type MergeState, unknown } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { GitLab } from '../gitlab.ts'
import { mergeRequestSchema, toHostedPull } from '../merge-request.ts'
import { pipelineSchema, readChecks } from './checks.ts'
import { ask, pageSize, readPages } from './pages.ts'

export function createGitLabMerging(gitlab: GitLab): HostMerging {
  return {
    checks: async ({ number, head }, signal) => {
      const row = await readRow(gitlab, number, signal)
      return row?.sha === head ? await readChecks(gitlab, row, signal) : unknown('The head is another commit by now.')
    },
    read: (number, signal) => read(gitlab, number, signal),
    merge: (order, signal) => merge(gitlab, order, signal),
  }
}

const readySchema = mergeRequestSchema.extend({
  has_conflicts: z.boolean().nullish(),
  /** Missing before GitLab 15.6. */
  detailed_merge_status: text(100).nullish(),
  merge_status: text(100).nullish(),
  head_pipeline: pipelineSchema,
})
type Ready = z.infer<typeof readySchema>

async function readRow(gitlab: GitLab, number: number, signal: AbortSignal): Promise<Ready | undefined> {
  const reply = await ask(gitlab, { place: `merge_requests/${number}` }, signal)
  return isStatus(reply, 404) ? undefined : parseReply(reply, readySchema, gitlab.asked.read)
}

async function read(gitlab: GitLab, number: number, signal: AbortSignal): Promise<MergeState | undefined> {
  const row = await readRow(gitlab, number, signal)
  if (!row) return undefined
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

/** GitLab refuses with 409 if the head is another commit. */
function merge({ client, project, asked }: GitLab, { number, head: sha }: MergeOrder, signal: AbortSignal) {
  const request = { method: 'PUT', path: `${project}/merge_requests/${number}/merge`, body: { sha } } as const
  return askToMerge({ client, asked: asked.pullRequests }, request, signal)
}
