// Sends the request that sets a status of a commit.

import type { ForgeRequest } from '../client.ts'
import type { Asked } from '../errors.ts'
import { explain, type Place } from '../explain.ts'

type Sending = { readonly place: Place; readonly asked: Asked; readonly isSet?: (words: string) => boolean }

/**
 * `isSet`: whether the words of a refusal say that the status is there already. Throws the failures of a host;
 * `forge_right_missing` says where to grant the right.
 */
export async function sendStatus(
  { place, asked, isSet }: Sending,
  { path, body }: Pick<ForgeRequest, 'body' | 'path'>,
  signal: AbortSignal,
): Promise<void> {
  const reply = await place.client.ask({ method: 'POST', path, body }, signal)
  if (reply.kind === 'response' && (reply.status < 300 || isSet?.(reply.words) === true)) return
  throw await explain(place, reply, asked, signal)
}
