// Whether Azure DevOps would complete a pull request, and the completion at one commit. It completes beside the request, so a
// response of success only says that it has begun.

import { z } from 'zod'
import { askToMerge } from '../../merging/answer.ts'
import { type HostMerging, known, type MergeOrder, type MergeState, unknown } from '../../merging/merging.ts'
import { isStatus, parseReply } from '../../parse.ts'
import { text } from '../../reply/shapes.ts'
import type { Azure } from '../azure.ts'
import { pullSchema, toHostedPull } from '../pull.ts'
import { askForThreads, threadsSchema } from '../threads.ts'
import { readChecks } from './checks.ts'

export function createAzureMerging(azure: Azure): HostMerging {
  return {
    checks: async ({ number, head }, signal) => {
      const row = await readRow(azure, number, signal)
      if (!row) return unknown('The pull request is gone.')
      return await readChecks(azure, { number, head, projectId: row.repository.project.id }, signal)
    },
    read: (number, signal) => read(azure, number, signal),
    merge: (order, signal) => merge(azure, order, signal),
  }
}

const readySchema = pullSchema.extend({
  mergeStatus: text(50).nullish(),
  repository: z.object({ project: z.object({ id: text(100) }) }),
  reviewers: z
    .array(z.object({ id: text(100), displayName: text(300).nullish(), vote: z.int().optional() }))
    .max(1_000)
    .optional(),
})
type Ready = z.infer<typeof readySchema>

async function readRow({ client, path, asked }: Azure, number: number, signal: AbortSignal) {
  const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests/${number}` }, signal)
  return isStatus(reply, 404) ? undefined : parseReply(reply, readySchema, asked.read)
}

async function read(azure: Azure, number: number, signal: AbortSignal): Promise<MergeState | undefined> {
  const row = await readRow(azure, number, signal)
  if (!row) return undefined
  const pull = toHostedPull(row, azure.place)
  const wanted = { number, head: pull.head.commit, projectId: row.repository.project.id }
  return {
    pull,
    refusal: refusalOf(row),
    checks: await readChecks(azure, wanted, signal),
    changesRequested: wantingChanges(row),
    openThreads: await readThreads(azure, number, signal),
    method: undefined,
  }
}

function refusalOf({ mergeStatus: status }: Ready): MergeState['refusal'] {
  if (status === 'succeeded') return known(null)
  if (status === 'conflicts') return known('It conflicts with its base.')
  if (status === 'failure' || status === 'rejectedByPolicy') return known('Azure DevOps cannot merge it.')
  return unknown('Azure DevOps has not found out yet whether it can be merged.')
}

/** -5: waits for the author. -10: rejected. */
function wantingChanges({ reviewers = [] }: Ready): MergeState['changesRequested'] {
  if (reviewers.some(({ vote }) => vote === undefined)) return unknown('Azure DevOps does not show the votes.')
  return known(reviewers.flatMap(({ displayName, vote = 0 }) => (vote < 0 ? (displayName ?? 'a reviewer') : [])))
}

async function readThreads(azure: Azure, number: number, signal: AbortSignal) {
  const reply = await askForThreads(azure, number, signal)
  if (isStatus(reply, 403, 404)) return unknown('The credential may not read the threads.')
  const { value } = parseReply(reply, threadsSchema, azure.asked.read)
  const closed: readonly unknown[] = [undefined, null, 'unknown', 'fixed', 'wontFix', 'closed', 'byDesign']
  return known(value.filter(({ isDeleted, status }) => isDeleted !== true && !closed.includes(status)).length)
}

/** Azure DevOps refuses with 409 if the head is another commit. */
function merge({ client, path, asked }: Azure, { number, head }: MergeOrder, signal: AbortSignal) {
  const body = { status: 'completed', lastMergeSourceCommit: { commitId: head } }
  const request = { method: 'PATCH', path: `${path}/pullrequests/${number}`, body } as const
  return askToMerge({ client, asked: asked.pullRequests }, request, signal, () => true)
}
