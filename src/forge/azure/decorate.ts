// Labels and reviewers on Azure DevOps. It creates a label that it does not have, and knows people by the ids of their
// identities only.

import { z } from 'zod'
import { failureOf } from '../errors.ts'
import { explain } from '../explain.ts'
import { isStatus, parseReply } from '../parse.ts'
import { text } from '../reply/shapes.ts'
import { type Azure, placeOf } from './azure.ts'
import { readPull } from './requests.ts'

const labelsSchema = z.object({ value: z.array(z.object({ name: text(1_000) })).max(1_000) })

export async function addLabels(
  azure: Azure,
  number: number,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const path = `${azure.path}/pullRequests/${number}/labels`
  const found = await azure.client.ask({ method: 'GET', path }, signal)
  const { value } = parseReply(found, labelsSchema, azure.asked.pullRequests)
  const present = new Set(value.map(({ name }) => name.toLowerCase()))
  const missing = labels.filter((label) => !present.has(label.toLowerCase()))
  return await refusedOf(missing, (name) => isAccepted(azure, { method: 'POST', path, body: { name } }, signal))
}

/** The request would also replace a vote, so that reviewers who are there are left alone. */
export async function requestReviewers(
  azure: Azure,
  number: number,
  reviewers: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const now = await readPull(azure, number, signal)
  const present = new Set((now.reviewers ?? []).map(({ id }) => id.toLowerCase()))
  const missing = reviewers.filter((name) => !present.has(name.toLowerCase()))
  return await refusedOf(missing, async (name) => {
    if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) return false
    const path = `${azure.path}/pullRequests/${number}/reviewers/${name.toLowerCase()}`
    return await isAccepted(azure, { method: 'PUT', path, body: { vote: 0 } }, signal)
  })
}

type Write = { readonly method: 'POST' | 'PUT'; readonly path: string; readonly body: unknown }

/** Throws what would refuse every name. */
async function isAccepted(azure: Azure, write: Write, signal: AbortSignal): Promise<boolean> {
  const reply = await azure.client.ask(write, signal)
  if (isStatus(reply, 200, 201)) return true
  if (isStatus(reply, 400, 409)) return false
  if (isStatus(reply, 403, 404)) throw await explain(placeOf(azure), reply, azure.asked.pullRequests, signal)
  throw failureOf(reply, azure.asked.pullRequests)
}

async function refusedOf(
  names: readonly string[],
  accept: (name: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const refused: string[] = []
  for (const name of names) if (!(await accept(name))) refused.push(name)
  return refused
}
