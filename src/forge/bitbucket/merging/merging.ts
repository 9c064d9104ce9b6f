// Whether Bitbucket would merge a pull request, and the merge. Its API cannot name the commit to merge, so the head is read just
// before: a push in the moment between the two requests is merged, too.

import { z } from 'zod'
import type { ForgeRequest } from '../../client.ts'
import { failureOf } from '../../errors.ts'
import { askToMerge } from '../../merging/answer.ts'
import { mapKnown } from '../../merging/checks.ts'
import {
  type HostMerging,
  type Known,
  known,
  type MergeAnswer,
  type MergeOrder,
  type MergeState,
  unknown,
} from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import type { Bitbucket } from '../bitbucket.ts'
import { readHead } from '../head.ts'
import { pullSchema, toHostedPull } from '../pull.ts'
import { readStatuses } from './checks.ts'
import { readList } from './read-list.ts'

export function createBitbucketMerging(bitbucket: Bitbucket): HostMerging {
  return {
    checks: ({ head }, signal) => readStatuses(bitbucket, head, signal),
    read: (number, signal) => read(bitbucket, number, signal),
    merge: (order, signal) => merge(bitbucket, order, signal),
  }
}

const readySchema = pullSchema.extend({
  /** The open ones. */
  task_count: z.int().nonnegative().optional(),
})
type Ready = z.infer<typeof readySchema>

async function readPull(bitbucket: Bitbucket, number: number, signal: AbortSignal) {
  const { client, path, place, asked } = bitbucket
  const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests/${number}` }, signal)
  if (isStatus(reply, 404)) return undefined
  const row = parseReply(reply, readySchema, asked.read)
  const { head, ...pull } = toHostedPull(row, place)
  return { row, pull: { ...pull, head: { ...head, commit: await readHead(bitbucket, head.commit, signal) } } }
}

async function read(bitbucket: Bitbucket, number: number, signal: AbortSignal): Promise<MergeState | undefined> {
  const found = await readPull(bitbucket, number, signal)
  if (!found) return undefined
  const { row, pull } = found
  return {
    pull,
    // Its API says nothing of that, so git finds conflicts, and Bitbucket refuses the rest when it is asked.
    refusal: known(null),
    checks: await readStatuses(bitbucket, pull.head.commit, signal),
    changesRequested: wantingChanges(row),
    openThreads: await readThreads(bitbucket, row, signal),
    method: undefined,
  }
}

function wantingChanges({ participants }: Ready): MergeState['changesRequested'] {
  if (!participants) return unknown('Bitbucket does not show the reviewers.')
  const wanting = participants.filter(({ state }) => state === 'changes_requested')
  return known(wanting.map(({ user }) => user?.display_name ?? 'a deleted account'))
}

const commentSchema = z.object({
  deleted: z.boolean().nullish(),
  /** Its author has not sent it yet. */
  pending: z.boolean().nullish(),
  parent: z.object({}).nullish(),
  inline: z.object({}).nullish(),
  resolution: z.object({}).nullish(),
})

/** A thread begins with a comment on a line. An open task counts as one, too. */
async function readThreads(bitbucket: Bitbucket, row: Ready, signal: AbortSignal): Promise<Known<number>> {
  const { id, task_count: tasks } = row
  if (tasks === undefined) return unknown('Bitbucket does not show the open tasks.')
  const given = { place: `/pullrequests/${id}/comments`, what: 'the comments', signal }
  const all = await readList(bitbucket, given, commentSchema)
  return mapKnown(all, (rows) => tasks + rows.filter((one) => isThread(one) && one.resolution == null).length)
}

function isThread({ deleted, pending, parent, inline }: z.infer<typeof commentSchema>): boolean {
  return deleted !== true && pending !== true && parent == null && inline != null
}

/** 202: it takes longer, and Bitbucket merges it soon. */
async function merge(bitbucket: Bitbucket, { number, head }: MergeOrder, signal: AbortSignal): Promise<MergeAnswer> {
  const { client, path, asked } = bitbucket
  const place = `${path}/pullrequests/${number}`
  const reply = await client.ask({ method: 'GET', path: place }, signal)
  if (!isStatus(reply, 200)) return { kind: 'refused', reason: failureOf(reply, asked.pullRequests).message }
  const found = readySchema.safeParse(reply.kind === 'response' ? reply.body : undefined).data
  const digits = found?.source.commit?.hash ?? ''
  if (found?.state !== 'OPEN' || digits === '' || !head.startsWith(digits)) {
    return { kind: 'refused', reason: 'Somebody pushed to the branch meanwhile, or ended the pull request.' }
  }
  const request: ForgeRequest = { method: 'POST', path: `${place}/merge`, body: { type: 'pullrequest' } }
  const isAccepted = (response: { readonly status: number }) => response.status === 202
  return await askToMerge({ client, asked: asked.pullRequests }, request, signal, isAccepted)
}
