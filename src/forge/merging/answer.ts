// The result of a request to merge. A host that refuses says so with a status of 4xx; after a lost response nobody knows.

import type { ForgeClient, ForgeRequest, Reply } from '../client.ts'
import { type Asked, failureOf } from '../errors.ts'
import type { MergeAnswer } from './merging.ts'

type Asking = { readonly client: ForgeClient; readonly asked: Asked }

/** `accepted`: whether a response of success says that the host has yet to merge it. */
export async function askToMerge(
  { client, asked }: Asking,
  request: ForgeRequest,
  signal: AbortSignal,
  accepted: (reply: Extract<Reply, { kind: 'response' }>) => boolean = () => false,
): Promise<MergeAnswer> {
  const reply = await client.ask(request, signal)
  if (reply.kind === 'unknown_effect') return { kind: 'unknown' }
  if (reply.kind === 'response' && reply.status < 300) return { kind: accepted(reply) ? 'accepted' : 'merged' }
  return { kind: 'refused', reason: failureOf(reply, asked).message }
}
