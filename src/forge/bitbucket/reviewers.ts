// Asks people for a review on Bitbucket, which knows them only by ids: `{uuid}` or the id of the Atlassian account. Names
// of accounts are not unique there.

import { explain } from '../explain.ts'
import { isStatus } from '../parse.ts'
import { refusedOf } from '../reply/refused.ts'
import { type Bitbucket, placeOf } from './bitbucket.ts'
import { failureOf } from '../errors.ts'
import { type Person, readPull, sendEdit } from './requests.ts'

/** Keeps the reviewers that people asked. */
export async function requestReviewers(
  bitbucket: Bitbucket,
  number: number,
  reviewers: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const known = reviewers.filter((name) => personOf(name) !== undefined)
  const refused = await refusedOf(known, async (names) => !(await isAccepted(bitbucket, number, names, signal)))
  return reviewers.filter((name) => !known.includes(name) || refused.includes(name))
}

/** Undefined: no id. An account has one of 24 hexadecimal digits, or one such as `557058:` and a UUID. */
function personOf(name: string): Person | undefined {
  const uuid = /^\{?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\}?$/i.exec(name)?.[1]
  if (uuid !== undefined) return { uuid: `{${uuid.toLowerCase()}}` }
  return /^(?:[0-9a-f]{24}|\d{1,10}:[0-9a-f-]{36})$/i.test(name) ? { account_id: name } : undefined
}

async function isAccepted(
  bitbucket: Bitbucket,
  number: number,
  names: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const now = await readPull(bitbucket, number, signal)
  const present = now.reviewers ?? []
  const asked = names.flatMap((name) => personOf(name) ?? [])
  const added = asked.filter((one) => !('uuid' in one) || !present.some(({ uuid }) => uuid === one.uuid))
  if (added.length === 0) return true
  const reply = await sendEdit(bitbucket, now, { reviewers: [...present, ...added] }, signal)
  if (isStatus(reply, 200)) return true
  if (isStatus(reply, 400)) return false
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(bitbucket), reply, bitbucket.asked.pullRequests, signal)
  throw failureOf(reply, bitbucket.asked.pullRequests)
}
