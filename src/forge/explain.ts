// Finds out why a host refused with 403 or 404, which both may mean several things: a missing right, an archived
// repository, one that the credential may not see any more, or one that is gone.

import { z } from 'zod'
import { Failure } from '../lib/failure.ts'
import type { ForgeClient, Reply } from './client.ts'
import { type Asked, failureOf, missingRight } from './errors.ts'

/** Where a host shows the repository, and the account of the credential. */
export type Place = { readonly client: ForgeClient; readonly path: string; readonly account: string }

const repositorySchema = z.object({ archived: z.boolean().optional(), isDisabled: z.boolean().optional() })

/** The failure that the refusal of a request means. Asks the host at most two questions. */
export async function explain(place: Place, reply: Reply, asked: Asked, signal: AbortSignal): Promise<Failure> {
  if (reply.kind !== 'response' || (reply.status !== 403 && reply.status !== 404)) return failureOf(reply, asked)
  const repository = await place.client.ask({ method: 'GET', path: place.path }, signal)
  if (repository.kind !== 'response') return failureOf(repository, asked)
  if (repository.status === 404) return await notVisible(place, asked, signal)
  if (repository.status !== 200) return failureOf(reply, asked)
  const shown = repositorySchema.safeParse(repository.body).data
  if (shown?.archived === true || shown?.isDisabled === true) return archived(asked)
  return reply.status === 404 ? missingRight(asked, reply.words) : failureOf(reply, asked)
}

/** Does the host show the repository? Throws when it does not: what was asked for is not just gone. */
export async function assertVisible(place: Place, asked: Asked, signal: AbortSignal): Promise<void> {
  const reply = await place.client.ask({ method: 'GET', path: place.path }, signal)
  if (reply.kind === 'response' && reply.status === 404) throw await notVisible(place, asked, signal)
  if (reply.kind !== 'response' || reply.status >= 300) throw failureOf(reply, asked)
}

/** A credential that works elsewhere has lost the repository; trying again would change nothing. */
async function notVisible({ client, account }: Place, asked: Asked, signal: AbortSignal): Promise<Failure> {
  const reply = await client.ask({ method: 'GET', path: account }, signal)
  if (reply.kind !== 'response' || reply.status === 401) return failureOf(reply, asked)
  const words = `${asked.name} does not show ${asked.repository}: it was deleted, or the credential may not see it.`
  return new Failure('repository_unauthorized', `${words} ${asked.remedy}`)
}

export function archived({ repository }: Asked): Failure {
  return new Failure('repository_archived', `${repository} is archived, so nothing can be changed in it.`)
}

/** Under its former name a list may be empty although there are pull requests. */
export function refuseMoved(reply: Reply, { repository }: Asked): void {
  if (reply.kind !== 'response' || reply.movedTo === null) return
  const words = `${repository} was renamed or moved: set its new address in the project.`
  throw new Failure('repository_moved', words)
}

/** The next look finds the text of the person. */
export function editedMeanwhile({ repository }: Asked, number: number): Failure {
  return new Failure('forge_unavailable', `#${number} of ${repository} is being edited; it is looked at again.`)
}

export type Branches = { readonly base: string; readonly branch: string }

/** Throws when the base does not exist, or the branch, which is in the fork if there is one. */
export async function refuseMissingBranch(
  { base, branch }: Branches,
  { repository, fork }: { readonly repository: string; readonly fork?: string | undefined },
  isMissing: (branch: string, fork: string | undefined) => Promise<boolean>,
): Promise<void> {
  if (await isMissing(base, undefined)) throw new Failure('base_not_found', `${repository} has no branch ${base}.`)
  if (!(await isMissing(branch, fork))) return
  throw new Failure('branch_conflict', `The branch ${branch} is gone from ${fork ?? repository}.`)
}
