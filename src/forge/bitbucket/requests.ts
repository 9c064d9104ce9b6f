// Requests about one pull request on Bitbucket that several parts of the adapter send.

import { explain } from '../explain.ts'
import { isStatus, parseReply } from '../parse.ts'
import { type Bitbucket, placeOf } from './bitbucket.ts'
import { type BitbucketPull, pullSchema } from './pull.ts'
import type { Reply } from '../client.ts'

export async function readPull(bitbucket: Bitbucket, number: number, signal: AbortSignal): Promise<BitbucketPull> {
  const { client, path, asked } = bitbucket
  const reply = await client.ask({ method: 'GET', path: `${path}/pullrequests/${number}` }, signal)
  return parseReply(reply, pullSchema, asked.pullRequests)
}

export type PullFields = {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly destination?: { readonly branch: { readonly name: string } } | undefined
  readonly draft?: true | undefined
  readonly reviewers?: readonly Person[] | undefined
}

/** Bitbucket knows people by both ids. */
export type Person = { readonly uuid: string } | { readonly account_id: string }

/** `now`: as Bitbucket has just shown it. An edit that changes nothing is not sent. The same edit may be sent again. */
export async function edit(
  bitbucket: Bitbucket,
  now: BitbucketPull,
  fields: PullFields,
  signal: AbortSignal,
): Promise<BitbucketPull> {
  const isSame =
    (fields.title ?? now.title) === now.title &&
    (fields.description ?? now.description) === now.description &&
    (fields.destination ?? now.destination).branch.name === now.destination.branch.name &&
    (fields.draft !== true || now.draft === true) &&
    fields.reviewers === undefined
  if (isSame) return now
  const reply = await sendEdit(bitbucket, now, fields, signal)
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(bitbucket), reply, bitbucket.asked.pullRequests, signal)
  return parseReply(reply, pullSchema, bitbucket.asked.pullRequests)
}

/** An edit must repeat the title, and removes the reviewers that it does not name. */
export function sendEdit(
  { client, path }: Bitbucket,
  now: BitbucketPull,
  fields: PullFields,
  signal: AbortSignal,
): Promise<Reply> {
  const reviewers = (fields.reviewers ?? now.reviewers ?? []).map((person) => ({ type: 'user', ...idOf(person) }))
  const body = { type: 'pullrequest', ...fields, title: fields.title ?? now.title, reviewers }
  return client.ask({ method: 'PUT', path: `${path}/pullrequests/${now.id}`, body }, signal)
}

function idOf(person: Person): Person {
  return 'uuid' in person ? { uuid: person.uuid } : { account_id: person.account_id }
}
